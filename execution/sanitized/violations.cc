#include "execution/sanitized/violations.h"

#include <algorithm>
#include <cctype>

#include "fmt/format.h"

namespace irate::sanitized {
namespace {

// "stack array" is "stack-array": kinds become parts of file names.
std::string Word(std::string text) {
  std::replace_if(
      text.begin(), text.end(),
      [](unsigned char c) { return std::isalnum(c) == 0 && c != '-' && c != '.'; }, '-');
  return text;
}

std::string KindOf(const Report& report) {
  const std::string_view name = ReportKindName(report.kind);
  switch (report.kind) {
    case ReportKind::kOutOfBounds:
    case ReportKind::kUseAfterFree:
    case ReportKind::kWildAccess: {
      const std::string access = report.is_write ? "write" : "read";
      // What a wild access is near to is chance.
      const bool nowhere = report.kind == ReportKind::kWildAccess || report.buffer_kind.empty();
      return fmt::format("memory.{}.{}{}", name, access,
                         nowhere ? "" : "." + Word(report.buffer_kind));
    }
    case ReportKind::kMisaligned:
    case ReportKind::kNoaliasOverlap:
    case ReportKind::kRace:
    case ReportKind::kSignal:
      return fmt::format("memory.{}", name);
    case ReportKind::kContract:
      return fmt::format("contract.{}", report.clause);
    case ReportKind::kOrderDependence:
      return fmt::format("contract.{}", name);
    case ReportKind::kSilentWrongCall:
      return fmt::format("wrong-call.{}.accepted", report.clause);
    default:
      return fmt::format("value.{}", name);
  }
}

}  // namespace

ContractViolation ToViolation(const Report& report) {
  ContractViolation violation;
  violation.set_kind(KindOf(report));
  violation.set_function(report.function);
  violation.set_place(report.source.empty()
                          ? report.statement
                          : fmt::format("{} ({})", report.statement, report.source));
  violation.set_detail(report.text);
  return violation;
}

ContractViolation ToViolation(const AbiViolation& violation) {
  ContractViolation result;
  result.set_kind(fmt::format("abi.{}", violation.clause));
  result.set_function(violation.function);
  result.set_place(violation.statement);
  result.set_detail(violation.text);
  return result;
}

ContractViolation ToViolation(const WrongCall& call, const std::vector<Report>& reports) {
  ContractViolation result;
  const Report& first = reports.front();
  const bool accepted = first.kind == ReportKind::kSilentWrongCall;
  result.set_kind(fmt::format("wrong-call.{}.{}", call.clause,
                              accepted ? "accepted" : std::string(ReportKindName(first.kind))));
  result.set_function(first.function);
  result.set_place(call.name);
  std::string text;
  for (const Report& report : reports)
    text += fmt::format("{}{}", text.empty() ? "" : "\n", report.text);
  result.set_detail(text);
  return result;
}

}  // namespace irate::sanitized
