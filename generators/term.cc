#include "generators/term.h"

#include <algorithm>
#include <utility>

#include "ir/builder.h"
#include "ir/types.h"

namespace irate {

Limit TypeLimit(ScalarType type) {
  if (type == BOOL) return {1};
  if (IsFloat(type)) return {std::min(ExactIntegerLimit(type), int64_t{1} << 50)};
  if (BitWidth(type) == 64) return {int64_t{1} << 48};
  // Comparing i32 counts as subtracting.
  return {type == I32 ? MaxValue(I32) / 2 : MaxValue(type)};
}

bool Fits(const Interval& range, ScalarType type, Limit limit) {
  if (IsUnsigned(type) && range.lo < 0) return false;
  return range.magnitude <= limit.magnitude;
}

Term Constant(ScalarType type, int64_t value) {
  Term result;
  result.expr =
      IsFloat(type) ? build::Float(type, static_cast<double>(value)) : build::Int(type, value);
  result.range = Interval::Point(value);
  return result;
}

Term Apply(Op op, Term a, Term b) {
  Term result;
  result.range = TransferBinary(op, a.expr.type(), a.range, b.range);
  result.expr = build::Binary(op, std::move(a.expr), std::move(b.expr));
  return result;
}

Term ApplyUnary(Op op, Term a) {
  Term result;
  result.range = TransferUnary(op, a.expr.type(), a.range);
  result.expr = build::Unary(op, std::move(a.expr));
  return result;
}

Term Choose(Op op, Expr condition, Term then_value, Term else_value) {
  Term result;
  result.range = Join(then_value.range, else_value.range);
  result.expr = op == SELECT ? build::Select(std::move(condition), std::move(then_value.expr),
                                             std::move(else_value.expr))
                             : build::IfThenElse(std::move(condition), std::move(then_value.expr),
                                                 std::move(else_value.expr));
  return result;
}

Term Convert(ScalarType type, Term a) {
  if (a.expr.type() == type) return a;
  Term result;
  result.range = TransferCast(type, a.expr.type(), a.range);
  result.expr = build::Cast(type, std::move(a.expr));
  return result;
}

}  // namespace irate
