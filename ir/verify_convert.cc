// Typing rules of choices, conversions and vectors.
#include "fmt/format.h"
#include "ir/status_macros.h"
#include "ir/verify_internal.h"

namespace irate::verify {

absl::Status FunctionVerifier::CheckChoice(const Expr& expr) {
  const Type condition = TypeOf(expr.args(0));
  const Type a = TypeOf(expr.args(1));
  const Type b = TypeOf(expr.args(2));
  if (condition.scalar != BOOL) {
    return Fail(
        fmt::format("{} on a condition of type {}", OpName(expr.op()), ToString(condition)));
  }
  if (!(a == b)) {
    return Fail(fmt::format("{} between {} and {}", OpName(expr.op()), ToString(a), ToString(b)));
  }
  const bool same_lanes = expr.op() == SELECT && condition.lanes == a.lanes;
  if (condition.lanes != 0 && !same_lanes) {
    return Fail(fmt::format("{} of {} on a condition of type {}", OpName(expr.op()), ToString(a),
                            ToString(condition)));
  }
  return ExpectType(expr, a);
}

absl::Status FunctionVerifier::CheckConversion(const Expr& expr) {
  const Type from = TypeOf(expr.args(0));
  const Type to = TypeOf(expr);
  const auto fail = [&] {
    return Fail(fmt::format("{} of {} to {}", OpName(expr.op()), ToString(from), ToString(to)));
  };
  switch (expr.op()) {
    case CAST: {
      const bool handles = from.scalar == HANDLE || to.scalar == HANDLE;
      return handles || to.scalar == VOID || from.lanes != to.lanes ? fail() : absl::OkStatus();
    }
    case REINTERPRET: {
      const bool bools = from.scalar == BOOL || to.scalar == BOOL;
      const auto size = [](Type type) {
        return int64_t{ByteSize(type.scalar)} * Lanes(type.lanes);
      };
      const auto is_address = [](Type type) {
        return type.lanes == 0 &&
               (type.scalar == HANDLE || type.scalar == I64 || type.scalar == U64);
      };
      const bool handles = from.scalar == HANDLE || to.scalar == HANDLE;
      if (bools && !options_.lifted) return fail();
      if (handles && !(is_address(from) && is_address(to))) return fail();
      return size(from) != size(to) ? fail() : absl::OkStatus();
    }
    case RAMP: {
      const Type stride = TypeOf(expr.args(1));
      if (!IsInteger(from.scalar) || from.lanes != 0 || !(from == stride)) {
        return Fail(fmt::format("RAMP of {} and {}: both are scalars of one integer type",
                                ToString(from), ToString(stride)));
      }
      return to.scalar != from.scalar || to.lanes == 0 ? fail() : absl::OkStatus();
    }
    default:  // BROADCAST
      return from.lanes != 0 || to.scalar != from.scalar || to.lanes == 0 || from.scalar == HANDLE
                 ? fail()
                 : absl::OkStatus();
  }
}

absl::Status FunctionVerifier::CheckShuffle(const Expr& expr) {
  const ScalarType scalar = expr.args(0).type();
  if (scalar == HANDLE) return Fail("SHUFFLE of handles");
  int64_t total = 0;
  for (const Expr& arg : expr.args()) {
    if (arg.type() != scalar) {
      return Fail(fmt::format("SHUFFLE of {} and {}", TypeName(scalar), TypeName(arg.type())));
    }
    total += Lanes(arg.lanes());
  }
  for (int64_t index : expr.int_list()) {
    if (index < 0 || index >= total) {
      return Fail(fmt::format("SHUFFLE picks element {} of {}", index, total));
    }
  }
  if (expr.int_list_size() == 0) return Fail("SHUFFLE that picks nothing");
  const int picked = expr.int_list_size();
  return ExpectType(expr, {scalar, picked == 1 ? 0 : static_cast<uint32_t>(picked)});
}

}  // namespace irate::verify
