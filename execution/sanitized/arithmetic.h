// The arithmetic that can go wrong, as numbered in calls of the check runtime. Internal.
#pragma once

#include <cstdint>
#include <string>

#include "execution/sanitized/report.h"

namespace irate::sanitized {

enum class ArithmeticCheck : uint32_t {
  kSignedAdd,
  kSignedSubtract,
  kSignedMultiply,
  kUnsignedAdd,
  kUnsignedSubtract,
  kUnsignedMultiply,
  kShiftAmount,  // left: the value, right: the amount
  kSignedShiftLeft,
  kUnsignedShiftLeft,
  kSignedTruncation,  // left: the value
  kUnsignedTruncation,
  kFloatToSigned,  // left: the bits of the value as a double
  kFloatToUnsigned,
  kSignedDivideByZero,
  kUnsignedDivideByZero,
  kSignedDivideOverflow,
  kUnreachable,
};

// A check and the width of the integer in one number.
constexpr uint32_t EncodeArithmetic(ArithmeticCheck check, uint32_t bits) {
  return static_cast<uint32_t>(check) | bits << 8;
}
constexpr ArithmeticCheck DecodeCheck(uint32_t code) {
  return static_cast<ArithmeticCheck>(code & 0xFF);
}
constexpr uint32_t DecodeBits(uint32_t code) { return code >> 8; }

ReportKind KindOf(ArithmeticCheck check);
// "2147483647 + 1 does not fit into i32".
std::string DescribeArithmetic(uint32_t code, int64_t left, int64_t right);

}  // namespace irate::sanitized
