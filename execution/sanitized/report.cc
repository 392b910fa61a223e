#include "execution/sanitized/report.h"

namespace irate::sanitized {

std::string_view ReportKindName(ReportKind kind) {
  switch (kind) {
    case ReportKind::kOutOfBounds:
      return "out-of-bounds";
    case ReportKind::kUseAfterFree:
      return "use-after-free";
    case ReportKind::kWildAccess:
      return "wild-access";
    case ReportKind::kMisaligned:
      return "misaligned";
    case ReportKind::kSignedOverflow:
      return "signed-overflow";
    case ReportKind::kUnsignedOverflow:
      return "unsigned-overflow";
    case ReportKind::kShiftOutOfRange:
      return "shift-out-of-range";
    case ReportKind::kDivisionByZero:
      return "division-by-zero";
    case ReportKind::kDivisionOverflow:
      return "division-overflow";
    case ReportKind::kFloatToInteger:
      return "float-to-integer";
    case ReportKind::kTruncation:
      return "truncation";
    case ReportKind::kUninitialised:
      return "uninitialised";
    case ReportKind::kNoaliasOverlap:
      return "noalias-overlap";
    case ReportKind::kUnreachable:
      return "unreachable";
    case ReportKind::kRace:
      return "race";
    case ReportKind::kContract:
      return "contract";
    case ReportKind::kSignal:
      return "signal";
    case ReportKind::kSilentWrongCall:
      return "silent-wrong-call";
    case ReportKind::kOrderDependence:
      return "order-dependence";
  }
  return "unknown";
}

bool IsMemoryError(ReportKind kind) {
  return kind == ReportKind::kOutOfBounds || kind == ReportKind::kUseAfterFree ||
         kind == ReportKind::kWildAccess || kind == ReportKind::kSignal;
}

}  // namespace irate::sanitized
