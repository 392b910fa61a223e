// Float operators of data expressions, on values that are always small integers: every result is
// exact in its type, whatever the order of the operations.
#include <algorithm>
#include <utility>

#include "generators/math_expr.h"
#include "generators/value_expr.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using enum Feature;

struct RoundingFunction {
  Feature feature;
  const char* name;
};

constexpr RoundingFunction kRoundings[] = {
    {kMathFloor, "floor"}, {kMathCeil, "ceil"},           {kMathTrunc, "trunc"},
    {kMathRound, "round"}, {kMathNearbyint, "nearbyint"},
};

int64_t SquareRoot(int64_t value) {
  int64_t root = 0;
  while ((root + 1) * (root + 1) <= value && root < 4096) ++root;
  return root;
}

Term Called(const char* name, ScalarType type, std::vector<Expr> args, const Interval& range) {
  Term result;
  result.range = range;
  result.expr = build::Call(name, type, std::move(args));
  return result;
}

Interval Magnitude(int64_t magnitude) { return Interval::Bounds(-magnitude, magnitude); }

// a * c / c, with a quotient that is exact.
Term Quotient(Context& context, ScalarType type, Limit limit, int depth) {
  const int64_t divisor = context.Edge(1, std::min<int64_t>(limit.magnitude, 9));
  Term a = GenerateValue(context, type, {limit.magnitude / divisor}, depth - 1);
  const Interval range = a.range;
  const int64_t sign = context.Percent(25) ? -1 : 1;
  Term multiple = Apply(MUL, std::move(a), Constant(type, divisor));
  Term quotient = Apply(DIV, std::move(multiple), Constant(type, sign * divisor));
  quotient.range = TransferBinary(MUL, type, range, Interval::Point(sign));
  quotient.range.magnitude = std::max(quotient.range.magnitude, limit.magnitude / 2);
  return quotient;
}

Term Rounding(Context& context, ScalarType type, Limit limit, int depth) {
  absl::InlinedVector<int, 24> weights;
  for (const RoundingFunction& function : kRoundings) {
    weights.push_back(context.Weight(function.feature));
  }
  Term a = GenerateValue(context, type, limit, depth - 1);
  const RoundingFunction& function = kRoundings[context.Pick(weights)];
  if (!context.Allows(function.feature)) return a;
  const Interval range = a.range;
  return Called(function.name, type, {std::move(a.expr)}, range);
}

Term FusedMultiplyAdd(Context& context, ScalarType type, Limit limit, int depth) {
  const Limit part = {SquareRoot(limit.magnitude / 4)};
  Term a = GenerateValue(context, type, part, depth - 1);
  Term b = GenerateValue(context, type, part, depth - 1);
  Term c = GenerateValue(context, type, {limit.magnitude / 2}, depth - 1);
  const Interval product = TransferBinary(MUL, type, a.range, b.range);
  const Interval range = TransferBinary(ADD, type, product, c.range);
  return Called("fma", type, {std::move(a.expr), std::move(b.expr), std::move(c.expr)}, range);
}

}  // namespace

Term GenerateFloat(Context& context, ScalarType type, Limit limit, int depth) {
  const bool room = limit.magnitude >= 4;
  const auto weight = [&](Feature feature) { return room ? context.Weight(feature) : 0; };
  int roundings = 0;
  for (const RoundingFunction& function : kRoundings) roundings += context.Weight(function.feature);
  // Intrinsics of the C library exist for f32 and f64; narrower types compute in f32.
  const bool wide = type == F32 || type == F64;
  switch (context.Pick({
      10,                                                               // 0 leaf
      room ? 18 : 0,                                                    // 1 +
      room ? 12 : 0,                                                    // 2 -
      room ? 16 : 0,                                                    // 3 *
      context.real_floats() ? 0 : weight(kFloatDiv),                    // 4
      weight(kMinMax),                                                  // 5
      MayChoose(context, SELECT) ? 8 : 0,                               // 6
      MayChoose(context, IF_THEN_ELSE) ? 8 : 0,                         // 7
      MayLet(context) ? context.local_bias * context.Weight(kLet) : 0,  // 8
      16,                                                               // 9 conversion
      wide ? context.math_bias * std::min(roundings, 8) : 0,            // 10
      wide ? context.math_bias * context.Weight(kMathFabs) : 0,         // 11
      wide && room ? context.math_bias * context.Weight(kMathFma) : 0,  // 12
      wide ? context.math_bias * context.Weight(kMathCopysign) : 0,     // 13
      MayRealMath(context, type) ? 14 * context.math_bias : 0,          // 14
  })) {
    case 1:
    case 2: {
      const Op op = context.Percent(60) ? ADD : SUB;
      const Limit part = {limit.magnitude / 2};
      Term a = GenerateValue(context, type, part, depth - 1);
      return Apply(op, std::move(a), GenerateValue(context, type, part, depth - 1));
    }
    case 3: {
      const Limit part = {SquareRoot(limit.magnitude / 2)};
      Term a = GenerateValue(context, type, part, depth - 1);
      return Apply(MUL, std::move(a), GenerateValue(context, type, part, depth - 1));
    }
    case 4:
      return Quotient(context, type, limit, depth);
    case 5: {
      Term a = GenerateValue(context, type, limit, depth - 1);
      return Apply(context.Percent(50) ? MIN : MAX, std::move(a),
                   GenerateValue(context, type, limit, depth - 1));
    }
    case 6:
      return GenerateChoice(context, SELECT, type, limit, depth);
    case 7:
      return GenerateChoice(context, IF_THEN_ELSE, type, limit, depth);
    case 8:
      return GenerateLet(context, type, limit, depth);
    case 9:
      return GenerateConversion(context, type, limit, depth);
    case 10:
      return Rounding(context, type, limit, depth);
    case 11: {
      Term a = GenerateValue(context, type, limit, depth - 1);
      Interval range = Interval::Bounds(0, a.range.MaxAbs());
      range.magnitude = a.range.magnitude;
      return Called("fabs", type, {std::move(a.expr)}, range);
    }
    case 12:
      return FusedMultiplyAdd(context, type, limit, depth);
    case 13: {
      Term a = GenerateValue(context, type, limit, depth - 1);
      Term b = GenerateValue(context, type, limit, depth - 1);
      const int64_t magnitude = a.range.magnitude;
      // The sign of a zero is not exact, so the second argument is kept away from it.
      b = Apply(MUL, std::move(b), Constant(type, 2));
      if (b.range.magnitude >= limit.magnitude) return a;
      b = Apply(ADD, std::move(b), Constant(type, 1));
      return Called("copysign", type, {std::move(a.expr), std::move(b.expr)}, Magnitude(magnitude));
    }
    case 14:
      return GenerateRealMath(context, type, limit, depth);
    default:
      return GenerateLeaf(context, type, limit);
  }
}

}  // namespace irate
