#include "generators/value_expr.h"

#include <algorithm>
#include <utility>

#include "generators/condition.h"
#include "generators/feature_scan.h"
#include "generators/index_expr.h"
#include "generators/math_expr.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {

using enum Feature;

bool MayChoose(const Context& context, Op op) {
  const Feature feature = op == SELECT ? kSelect : kIfThenElse;
  const Feature in_vectorized = op == SELECT ? kSelectInVectorized : kIfThenElseInVectorized;
  return context.Allows(feature) && CanCondition(context) &&
         (context.Allows(in_vectorized) || !context.InLoop(VECTORIZED));
}

bool MayLet(const Context& context) {
  return context.AllowsHere(kLet, kLetInParallel, kLetInVectorized, kLetInUnrolled);
}

Term GenerateChoice(Context& context, Op op, ScalarType type, Limit limit, int depth) {
  Expr condition = GenerateCondition(context, depth - 1);
  Term a = GenerateValue(context, type, limit, depth - 1);
  Term b = GenerateValue(context, type, limit, depth - 1);
  Term chosen = Choose(op, std::move(condition), std::move(a), std::move(b));
  if (op == IF_THEN_ELSE && !context.Allows(kGuardedLoad) && IsGuardedLoad(chosen.expr)) {
    Term arm;
    arm.range = chosen.range;
    arm.expr = std::move(*chosen.expr.mutable_args(1));
    return arm;
  }
  return chosen;
}

Term GenerateLet(Context& context, ScalarType type, Limit limit, int depth) {
  const ScalarType let_type = context.Percent(60) ? type : context.DrawType();
  Term value = GenerateValue(context, let_type, TypeLimit(let_type), depth - 1);
  const uint32_t variable = context.NewVariable("t", let_type);
  context.ranges().DefineLet(variable, value.expr, value.range);
  Term visible;
  visible.expr = context.VariableExpr(variable);
  visible.range = value.range;
  context.values.push_back(visible);
  Term body = GenerateValue(context, type, limit, depth - 1);
  context.values.pop_back();
  Term result;
  result.range = body.range;
  result.expr = build::Let(variable, std::move(value.expr), std::move(body.expr));
  return result;
}

namespace {

// A type of the same size whose bits can hold those of `type`: integers go to their other
// signedness, floats to integers, so that no bit pattern is a NaN.
ScalarType OtherOfSize(ScalarType type) {
  switch (type) {
    case I8:
      return U8;
    case U8:
      return I8;
    case I16:
      return U16;
    case U16:
      return I16;
    case I32:
      return U32;
    case U32:
      return I32;
    case I64:
      return U64;
    case U64:
      return I64;
    case F16:
    case BF16:
      return U16;
    case F64:
      return I64;
    case F8E4M3FN:
    case F8E5M2:
      return U8;
    default:
      return I32;
  }
}

// The bits of a value read as another type and back, or as a type that gives the same value.
Term Reinterpreted(Context& context, ScalarType type, Limit limit, int depth) {
  Term value = GenerateValue(context, type, limit, depth - 1);
  const ScalarType other = OtherOfSize(type);
  if (IsInteger(type) && IsInteger(other) && value.range.lo < 0) return value;
  Term result;
  result.range = value.range;
  result.expr = build::Reinterpret(type, build::Reinterpret(other, std::move(value.expr)));
  return result;
}

}  // namespace

Term GenerateConversion(Context& context, ScalarType type, Limit limit, int depth) {
  if (type != BOOL && context.Draw(kReinterpret)) {
    return Reinterpreted(context, type, limit, depth);
  }
  const ScalarType from = context.DrawType();
  if (from == type || !context.AllowsCast(type, from)) {
    return GenerateValue(context, type, limit, depth - 1);
  }
  const Limit inner = {std::min(limit.magnitude, TypeLimit(from).magnitude)};
  Term value = GenerateValue(context, from, inner, depth - 1);
  std::optional<Term> converted = TryConvert(context, value, type, limit);
  return converted ? std::move(*converted) : GenerateLeaf(context, type, limit);
}

Term GenerateValue(Context& context, ScalarType type, Limit limit, int depth) {
  if (depth <= 0 || context.node_budget <= 0 || limit.magnitude < 1) {
    return GenerateLeaf(context, type, limit);
  }
  context.node_budget -= 1;
  if (type == BOOL) {
    Term result;
    if (context.Percent(50) && context.AllowsCast(BOOL, I32) && depth > 1) {
      return GenerateConversion(context, BOOL, limit, depth);
    }
    if (!CanCondition(context)) return GenerateLeaf(context, type, limit);
    result.expr = GenerateCondition(context, depth - 1);
    result.range = Interval::Bounds(0, 1);
    return result;
  }
  return IsFloat(type) ? GenerateFloat(context, type, limit, depth)
                       : GenerateInteger(context, type, limit, depth);
}

}  // namespace irate
