#include "generators/condition.h"

#include <array>
#include <utility>

#include "generators/index_expr.h"
#include "generators/value_expr.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using enum Feature;

constexpr std::array<Op, 6> kComparisons = {LT, GE, LE, GT, EQ, NE};
constexpr std::array<Feature, 6> kComparisonFeatures = {kLess,    kGreaterEqual, kLessEqual,
                                                        kGreater, kEqual,        kNotEqual};

// A loop variable, or an expression of some, against a constant near its range: the guards that
// tiling and padding produce.
Expr CompareIndex(Context& context) {
  Expr index = GenerateIndex(context, context.Percent(40) ? 1 : 0);
  const Interval range = context.ranges().Of(index);
  Expr other =
      context.Percent(75)
          ? context.IndexConst(context.Percent(40) ? context.Int(range.lo, range.hi)
                                                   : context.Edge(range.lo - 1, range.hi + 1))
          : GeneratePlainIndex(context);
  // A variable against itself says nothing; that is left to accidents of larger expressions.
  if (other.op() == VAR && index.op() == VAR && other.id() == index.id()) {
    other = context.IndexConst(context.Int(range.lo, range.hi));
  }
  if (context.Percent(15)) std::swap(index, other);
  return CompareAny(context, std::move(index), std::move(other));
}

Expr CompareData(Context& context, int depth) {
  const ScalarType type = context.DrawType();
  if (type == BOOL) return GenerateValue(context, BOOL, TypeLimit(BOOL), depth - 1).expr;
  if ((type == F32 || type == F64) && context.Draw(kMathIsnan)) {
    Term a = GenerateValue(context, type, TypeLimit(type), depth - 1);
    return build::Call("isnan", BOOL, {std::move(a.expr)});
  }
  const Limit limit = {TypeLimit(type).magnitude};
  Term a = GenerateValue(context, type, limit, depth - 1);
  Term b = context.Percent(50) ? Constant(type, context.Edge(std::max<int64_t>(a.range.lo, -100),
                                                             std::max<int64_t>(a.range.lo, 100)))
                               : GenerateValue(context, type, limit, depth - 1);
  if (!Fits(b.range, type, limit)) b = Constant(type, 0);
  return CompareAny(context, std::move(a.expr), std::move(b.expr));
}

}  // namespace

bool CanOrder(const Context& context) {
  return context.Allows(kLess) || context.Allows(kLessEqual) || context.Allows(kGreater) ||
         context.Allows(kGreaterEqual);
}

bool CanCondition(const Context& context) {
  return CanCompare(context) || context.Allows(kBoolConstant) || context.Allows(kTypeBool);
}

bool CanCompare(const Context& context) {
  return CanOrder(context) || context.Allows(kEqual) || context.Allows(kNotEqual);
}

Expr CompareLess(Context& context, Expr a, Expr b) {
  const auto minus_one = [](Expr e) {
    if (e.op() == CONST) return build::Int(e.type(), e.int_value() - 1);
    Expr one = build::Int(e.type(), 1);
    return build::Binary(SUB, std::move(e), std::move(one));
  };
  const bool negated = context.Allows(kNot);
  switch (
      context.Pick({context.Weight(kLess), context.Weight(kLessEqual), context.Weight(kGreater),
                    context.Weight(kGreaterEqual), negated && context.Allows(kGreaterEqual) ? 2 : 0,
                    negated && context.Allows(kLessEqual) ? 2 : 0})) {
    case 1:
      return build::Binary(LE, std::move(a), minus_one(std::move(b)));
    case 2:
      return build::Binary(GT, std::move(b), std::move(a));
    case 3:
      return build::Binary(GE, minus_one(std::move(b)), std::move(a));
    case 4:
      return build::Unary(NOT, build::Binary(GE, std::move(a), std::move(b)));
    case 5:
      return build::Unary(NOT, build::Binary(LE, std::move(b), std::move(a)));
    default:
      return build::Binary(LT, std::move(a), std::move(b));
  }
}

Expr CompareNonNegative(Context& context, Expr a) {
  Expr zero = build::Int(a.type(), 0);
  Expr minus_one = build::Int(a.type(), -1);
  switch (context.Pick({context.Weight(kGreaterEqual), context.Weight(kGreater),
                        context.Weight(kLessEqual), context.Weight(kLess),
                        context.AllowsAll({kNot, kLess}) ? 2 : 0})) {
    case 1:
      return build::Binary(GT, std::move(a), std::move(minus_one));
    case 2:
      return build::Binary(LE, std::move(zero), std::move(a));
    case 3:
      return build::Binary(LT, std::move(minus_one), std::move(a));
    case 4:
      return build::Unary(NOT, build::Binary(LT, std::move(a), std::move(zero)));
    default:
      return build::Binary(GE, std::move(a), std::move(zero));
  }
}

Expr CompareAny(Context& context, Expr a, Expr b) {
  absl::InlinedVector<int, 24> weights;
  for (Feature feature : kComparisonFeatures) weights.push_back(context.Weight(feature));
  return build::Binary(kComparisons[context.Pick(weights)], std::move(a), std::move(b));
}

Expr MaybeLikely(Context& context, Expr condition) {
  if (!context.Draw(kLikely)) return condition;
  return build::Call("likely", BOOL, {std::move(condition)});
}

Expr Conjunction(std::vector<Expr> conditions) {
  Expr result = std::move(conditions[0]);
  for (size_t i = 1; i < conditions.size(); ++i) {
    result = build::Binary(AND, std::move(result), std::move(conditions[i]));
  }
  return result;
}

Expr GenerateCondition(Context& context, int depth) {
  context.node_budget -= 2;
  const bool compares = CanCompare(context);
  const bool has_index = !context.axis_variables.empty();
  const bool deep = depth > 0 && context.node_budget > 0;
  const size_t kind = context.Pick(
      {compares && has_index ? 60 : 0, compares && deep ? 25 : 0, deep ? context.Weight(kAnd) : 0,
       deep ? context.Weight(kOr) : 0, deep ? context.Weight(kNot) : 0,
       context.Allows(kTypeBool) ? 8 : 0, context.Weight(kBoolConstant)});
  switch (kind) {
    case 1:
      return CompareData(context, depth);
    case 2:
    case 3:
      return build::Binary(kind == 2 ? AND : OR, GenerateCondition(context, depth - 1),
                           GenerateCondition(context, depth - 1));
    case 4:
      return build::Unary(NOT, GenerateCondition(context, depth - 1));
    case 5:
      return GenerateLeaf(context, BOOL, TypeLimit(BOOL)).expr;
    case 6:
      return build::BoolConst(context.Percent(50));
    default:
      break;
  }
  if (compares && has_index) return CompareIndex(context);
  return compares ? CompareAny(context, context.IndexConst(context.Int(0, 3)),
                               context.IndexConst(context.Int(0, 3)))
                  : GenerateLeaf(context, BOOL, TypeLimit(BOOL)).expr;
}

}  // namespace irate
