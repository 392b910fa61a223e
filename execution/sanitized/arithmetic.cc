#include "execution/sanitized/arithmetic.h"

#include <cstring>

#include "fmt/format.h"

namespace irate::sanitized {
namespace {

std::string Operation(const char* symbol, bool is_signed, uint32_t bits, int64_t left,
                      int64_t right) {
  if (is_signed) return fmt::format("{} {} {} does not fit into i{}", left, symbol, right, bits);
  const uint64_t mask = bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  return fmt::format("{} {} {} does not fit into u{}", static_cast<uint64_t>(left) & mask, symbol,
                     static_cast<uint64_t>(right) & mask, bits);
}

double AsDouble(int64_t bits) {
  double value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

}  // namespace

ReportKind KindOf(ArithmeticCheck check) {
  switch (check) {
    case ArithmeticCheck::kSignedAdd:
    case ArithmeticCheck::kSignedSubtract:
    case ArithmeticCheck::kSignedMultiply:
    case ArithmeticCheck::kSignedShiftLeft:
      return ReportKind::kSignedOverflow;
    case ArithmeticCheck::kUnsignedAdd:
    case ArithmeticCheck::kUnsignedSubtract:
    case ArithmeticCheck::kUnsignedMultiply:
    case ArithmeticCheck::kUnsignedShiftLeft:
      return ReportKind::kUnsignedOverflow;
    case ArithmeticCheck::kShiftAmount:
      return ReportKind::kShiftOutOfRange;
    case ArithmeticCheck::kSignedTruncation:
    case ArithmeticCheck::kUnsignedTruncation:
      return ReportKind::kTruncation;
    case ArithmeticCheck::kFloatToSigned:
    case ArithmeticCheck::kFloatToUnsigned:
      return ReportKind::kFloatToInteger;
    case ArithmeticCheck::kSignedDivideByZero:
    case ArithmeticCheck::kUnsignedDivideByZero:
      return ReportKind::kDivisionByZero;
    case ArithmeticCheck::kSignedDivideOverflow:
      return ReportKind::kDivisionOverflow;
    case ArithmeticCheck::kUnreachable:
      return ReportKind::kUnreachable;
  }
  return ReportKind::kUnreachable;
}

std::string DescribeArithmetic(uint32_t code, int64_t left, int64_t right) {
  const uint32_t bits = DecodeBits(code);
  switch (DecodeCheck(code)) {
    case ArithmeticCheck::kSignedAdd:
      return Operation("+", true, bits, left, right);
    case ArithmeticCheck::kSignedSubtract:
      return Operation("-", true, bits, left, right);
    case ArithmeticCheck::kSignedMultiply:
      return Operation("*", true, bits, left, right);
    case ArithmeticCheck::kSignedShiftLeft:
      return Operation("<<", true, bits, left, right);
    case ArithmeticCheck::kUnsignedAdd:
      return Operation("+", false, bits, left, right);
    case ArithmeticCheck::kUnsignedSubtract:
      return Operation("-", false, bits, left, right);
    case ArithmeticCheck::kUnsignedMultiply:
      return Operation("*", false, bits, left, right);
    case ArithmeticCheck::kUnsignedShiftLeft:
      return Operation("<<", false, bits, left, right);
    case ArithmeticCheck::kShiftAmount:
      return fmt::format("a shift of i{} by {}", bits, right);
    case ArithmeticCheck::kSignedTruncation:
      return fmt::format("{} does not fit into i{}", left, bits);
    case ArithmeticCheck::kUnsignedTruncation:
      return fmt::format("{} does not fit into u{}", static_cast<uint64_t>(left), bits);
    case ArithmeticCheck::kFloatToSigned:
      return fmt::format("{} converted to i{}", AsDouble(left), bits);
    case ArithmeticCheck::kFloatToUnsigned:
      return fmt::format("{} converted to u{}", AsDouble(left), bits);
    case ArithmeticCheck::kSignedDivideByZero:
      return fmt::format("{} / 0 in i{}", left, bits);
    case ArithmeticCheck::kUnsignedDivideByZero:
      return fmt::format("{} / 0 in u{}", static_cast<uint64_t>(left), bits);
    case ArithmeticCheck::kSignedDivideOverflow:
      return fmt::format("{} / -1 in i{}", left, bits);
    case ArithmeticCheck::kUnreachable:
      return "control reached an 'unreachable' instruction";
  }
  return "unknown arithmetic";
}

}  // namespace irate::sanitized
