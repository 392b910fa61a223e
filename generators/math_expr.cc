#include "generators/math_expr.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "generators/value_expr.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using enum Feature;

struct RealFunction {
  Feature feature;
  const char* name;
  // Where the argument is kept, and where the result is then; whole numbers around both.
  int64_t low;
  int64_t high;
  int64_t result_low;
  int64_t result_high;
};

constexpr int64_t kWide = 1'000'000;

// Those that TVM 0.27 can generate code for; it has no lowering of sinh, cosh and fmod.
constexpr auto kUnary = std::to_array<RealFunction>({
    {kMathExp, "exp", -8, 5, 0, 149},          {kMathExp2, "exp2", -8, 8, 0, 257},
    {kMathExp10, "exp10", -3, 2, 0, 101},      {kMathLog, "log", 1, kWide, 0, 14},
    {kMathLog2, "log2", 1, kWide, 0, 20},      {kMathLog10, "log10", 1, kWide, 0, 7},
    {kMathLog1p, "log1p", 0, kWide, 0, 14},    {kMathSqrt, "sqrt", 0, kWide, 0, 1001},
    {kMathRsqrt, "rsqrt", 1, kWide, 0, 2},     {kMathSigmoid, "sigmoid", -16, 16, 0, 2},
    {kMathSin, "sin", -100, 100, -2, 2},       {kMathCos, "cos", -100, 100, -2, 2},
    {kMathTan, "tan", -1, 1, -2, 2},           {kMathAsin, "asin", -1, 1, -2, 2},
    {kMathAcos, "acos", -1, 1, 0, 4},          {kMathAtan, "atan", -kWide, kWide, -2, 2},
    {kMathTanh, "tanh", -kWide, kWide, -2, 2}, {kMathAsinh, "asinh", -kWide, kWide, -16, 16},
    {kMathAcosh, "acosh", 1, kWide, 0, 16},    {kMathErf, "erf", -kWide, kWide, -2, 2},
});

// The value, moved into [low, high] where it may be outside.
Term Confine(Term value, int64_t low, int64_t high) {
  const ScalarType type = value.expr.type();
  if (value.range.hi > high) value = Apply(MIN, std::move(value), Constant(type, high));
  if (value.range.lo < low) value = Apply(MAX, std::move(value), Constant(type, low));
  return value;
}

Term Called(const char* name, ScalarType type, std::vector<Expr> args, const Interval& range) {
  Term result;
  result.range = range;
  result.expr = build::Call(name, type, std::move(args));
  return result;
}

Term Unary(Context& context, ScalarType type, Limit limit, int depth) {
  absl::InlinedVector<int, 24> weights;
  for (const RealFunction& function : kUnary) {
    const bool fits = std::max(-function.result_low, function.result_high) <= limit.magnitude;
    weights.push_back(fits ? context.Weight(function.feature) : 0);
  }
  const RealFunction& function = kUnary[context.Pick(weights)];
  Limit inner = {std::min<int64_t>(TypeLimit(type).magnitude, std::max<int64_t>(function.high, 8))};
  Term argument = GenerateValue(context, type, inner, depth - 1);
  const bool fits = std::max(-function.result_low, function.result_high) <= limit.magnitude;
  const bool inside = argument.range.Within(function.low, function.high);
  if (!context.Allows(function.feature) || !fits || !(inside || context.Allows(kMinMax))) {
    return Shrink(context, std::move(argument), limit);
  }
  argument = Confine(std::move(argument), function.low, function.high);
  return Called(function.name, type, {std::move(argument.expr)},
                Interval::Bounds(function.result_low, function.result_high));
}

// atanh, on half of what lies in [-1, 1].
Term HyperbolicArc(Context& context, ScalarType type, int depth) {
  Term a = Confine(GenerateValue(context, type, {8}, depth - 1), -1, 1);
  Expr half = build::Binary(MUL, std::move(a.expr), build::Float(type, 0.5));
  return Called("atanh", type, {std::move(half)}, Interval::Bounds(-1, 1));
}

Term Power(Context& context, ScalarType type, int depth) {
  Term base = Confine(GenerateValue(context, type, {8}, depth - 1), 1, 4);
  Term exponent = Confine(GenerateValue(context, type, {8}, depth - 1), -3, 3);
  return Called("pow", type, {std::move(base.expr), std::move(exponent.expr)},
                Interval::Bounds(0, 65));
}

Term Angle(Context& context, ScalarType type, int depth) {
  Term y = GenerateValue(context, type, {1000}, depth - 1);
  Term x = Confine(GenerateValue(context, type, {1000}, depth - 1), 1, 1000);
  return Called("atan2", type, {std::move(y.expr), std::move(x.expr)}, Interval::Bounds(-2, 2));
}

Term Hypotenuse(Context& context, ScalarType type, Limit limit, int depth) {
  const Limit part = {limit.magnitude / 2};
  Term a = GenerateValue(context, type, part, depth - 1);
  Term b = GenerateValue(context, type, part, depth - 1);
  const Interval range = Interval::Bounds(0, a.range.MaxAbs() + b.range.MaxAbs());
  return Called("hypot", type, {std::move(a.expr), std::move(b.expr)}, range);
}

// a / b with |b| at least 1, or a constant divisor.
Term Division(Context& context, ScalarType type, Limit limit, int depth) {
  Term a = GenerateValue(context, type, limit, depth - 1);
  if (context.Allows(kMinMax) && context.Percent(50)) {
    Term b = GenerateValue(context, type, {100}, depth - 1);
    return Apply(DIV, std::move(a), Confine(std::move(b), 1, 100));
  }
  return Apply(DIV, std::move(a),
               Constant(type, context.Percent(30) ? -context.Int(1, 7) : context.Int(2, 10)));
}

}  // namespace

bool MayRealMath(const Context& context, ScalarType type) {
  return context.real_floats() && (type == F32 || type == F64);
}

Term RealConstant(Context& context, ScalarType type, Limit limit) {
  constexpr std::array<double, 10> kConstants = {0.5, 0.1,  -0.25, 1.5, 3.14159,
                                                 2.5, -0.7, 1e-3,  7.3, -100.25};
  const double value = kConstants[static_cast<size_t>(context.Int(0, 9))];
  const auto low = static_cast<int64_t>(std::floor(value));
  const Interval range = Interval::Bounds(low, low + 1);
  if (!Fits(range, type, limit)) return Constant(type, context.Edge(0, limit.magnitude));
  Term result;
  result.range = range;
  result.expr = build::Float(type, value);
  return result;
}

Term GenerateRealMath(Context& context, ScalarType type, Limit limit, int depth) {
  const bool confines = context.Allows(kMinMax);
  const auto weight = [&](Feature feature, int64_t needs) {
    return confines && limit.magnitude >= needs ? context.Weight(feature) : 0;
  };
  int unary = 0;
  for (const RealFunction& function : kUnary) unary += context.Weight(function.feature);
  switch (
      context.Pick({std::min(unary, 60), weight(kMathAtanh, 2), weight(kMathPow, 65),
                    weight(kMathAtan2, 2), limit.magnitude >= 4 ? context.Weight(kMathHypot) : 0,
                    context.Allows(kFloatDiv) ? 12 : 0})) {
    case 1:
      return HyperbolicArc(context, type, depth);
    case 2:
      return Power(context, type, depth);
    case 3:
      return Angle(context, type, depth);
    case 4:
      return Hypotenuse(context, type, limit, depth);
    case 5:
      return Division(context, type, limit, depth);
    default:
      return Unary(context, type, limit, depth);
  }
}

}  // namespace irate
