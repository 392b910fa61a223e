// Integer operators of data expressions.
#include <algorithm>
#include <bit>
#include <utility>

#include "generators/condition.h"
#include "generators/value_expr.h"
#include "ir/builder.h"
#include "ir/has_let.h"
#include "ir/types.h"

namespace irate {
namespace {

using enum Feature;

int64_t SquareRoot(int64_t value) {
  int64_t root = 0;
  for (int64_t bit = int64_t{1} << 30; bit != 0; bit >>= 1) {
    if ((root + bit) <= value / (root + bit)) root += bit;
  }
  return root;
}

// The largest k with 2^k <= value.
int Log2(int64_t value) {
  return std::max<int>(std::bit_width(static_cast<uint64_t>(value)) - 1, 0);
}

// (a + c) - b with c large enough that an unsigned result does not wrap.
Term Difference(Context& context, ScalarType type, Limit limit, int depth) {
  const bool is_unsigned = IsUnsigned(type);
  const Limit part = {limit.magnitude / (is_unsigned ? 4 : 2)};
  Term a = GenerateValue(context, type, part, depth - 1);
  Term b = GenerateValue(context, type, part, depth - 1);
  if (is_unsigned && b.range.hi > a.range.lo) {
    a = Apply(ADD, std::move(a), Constant(type, b.range.hi));
  }
  return Apply(SUB, std::move(a), std::move(b));
}

Term Product(Context& context, ScalarType type, Limit limit, int depth) {
  if (context.Percent(50)) {
    const int64_t factor =
        context.Edge(IsUnsigned(type) ? 0 : -8, std::min<int64_t>(limit.magnitude, 17));
    const Limit part = {limit.magnitude / std::max<int64_t>(std::abs(factor), 1)};
    Term a = GenerateValue(context, type, part, depth - 1);
    if (!Fits(Interval::Point(factor), type, limit)) return a;
    return Apply(MUL, std::move(a), Constant(type, factor));
  }
  const Limit part = {SquareRoot(limit.magnitude / 2)};
  Term a = GenerateValue(context, type, part, depth - 1);
  return Apply(MUL, std::move(a), GenerateValue(context, type, part, depth - 1));
}

// Never zero: a constant, or a value made positive.
Term Divisor(Context& context, ScalarType type, Limit limit, int depth) {
  const int64_t most = std::min<int64_t>(limit.magnitude, 33);
  if (context.Draw(kVariableDivisor) && most >= 4) {
    if (context.Allows(kMinMax) && context.Percent(50)) {
      return Apply(MAX, GenerateValue(context, type, {most}, depth - 2), Constant(type, 1));
    }
    if (context.Allows(kBitAnd)) {
      Term low = Apply(BIT_AND, GenerateValue(context, type, {most}, depth - 2),
                       Constant(type, most >= 8 ? 7 : 3));
      return Apply(ADD, std::move(low), Constant(type, 1));
    }
  }
  const int64_t value = context.Percent(60)
                            ? context.Int(std::min<int64_t>(most, 2), std::min<int64_t>(most, 9))
                            : context.Edge(1, most);
  const bool negative = IsSigned(type) && context.Draw(kNegativeDivisor);
  return Constant(type, negative ? -value : value);
}

Term Division(Context& context, Op op, ScalarType type, Limit limit, int depth) {
  Term b = Divisor(context, type, limit, depth);
  Term a = GenerateValue(context, type, limit, depth - 1);
  Term result = Apply(op, a, b);
  if (!Fits(result.range, type, limit)) return a;
  // Chosen where the divisor needs no clamp; the clamp is for the other case, which a select
  // evaluates too.
  if (b.expr.op() == MAX && !HasLet(b.expr) && IsSigned(type) && MayChoose(context, SELECT) &&
      CanOrder(context) && context.Percent(40)) {
    Expr positive = CompareLess(context, Constant(type, 0).expr, b.expr.args(0));
    return Choose(SELECT, std::move(positive), std::move(result),
                  GenerateLeaf(context, type, limit));
  }
  return result;
}

// Operands below a power of two keep the result below it.
Term Bitwise(Context& context, Op op, ScalarType type, Limit limit, int depth) {
  const Limit part = {(int64_t{1} << Log2(limit.magnitude)) - 1};
  Term a = GenerateValue(context, type, part, depth - 1);
  if (op == BIT_AND && context.Percent(40)) {
    return Apply(op, std::move(a),
                 Constant(type, (int64_t{1} << context.Int(0, Log2(part.magnitude + 1))) - 1));
  }
  return Apply(op, std::move(a), GenerateValue(context, type, part, depth - 1));
}

Term Complement(Context& context, ScalarType type, Limit limit, int depth) {
  if (!IsUnsigned(type)) {
    return ApplyUnary(BIT_NOT, GenerateValue(context, type, {limit.magnitude - 1}, depth - 1));
  }
  Term a = GenerateValue(context, type, limit, depth - 1);
  if (!context.Allows(kBitAnd)) return a;
  const int64_t mask = (int64_t{1} << Log2(limit.magnitude + 1)) - 1;
  return Apply(BIT_AND, ApplyUnary(BIT_NOT, std::move(a)),
               Constant(type, std::min<int64_t>(mask, 255)));
}

Term Shift(Context& context, Op op, ScalarType type, Limit limit, int depth) {
  const int most = op == SHL ? std::min(Log2(limit.magnitude), 4) : 4;
  Term amount;
  if (most >= 3 && context.Draw(kVariableShift) && context.Allows(kBitAnd)) {
    amount = Apply(BIT_AND,
                   GenerateValue(context, type, {std::min<int64_t>(limit.magnitude, 7)}, depth - 2),
                   Constant(type, 3));
  } else {
    const int64_t edge = BitWidth(type) - 1;
    const bool far = op == SHR && context.Percent(15);
    amount = Constant(type, far ? edge : context.Int(0, most));
  }
  const Limit part = {op == SHL ? limit.magnitude >> amount.range.hi : limit.magnitude};
  return Apply(op, GenerateValue(context, type, part, depth - 1), std::move(amount));
}

Term PopulationCount(Context& context, ScalarType type, Limit limit, int depth) {
  Term a = GenerateValue(context, type, TypeLimit(type), depth - 1);
  Term result;
  result.range = Interval::Bounds(0, BitWidth(type));
  if (!Fits(result.range, type, limit)) return GenerateLeaf(context, type, limit);
  result.expr = build::Call("popcount", type, {std::move(a.expr)});
  return result;
}

// The number of leading zeros of zero is not defined.
Term LeadingZeros(Context& context, ScalarType type, Limit limit, int depth) {
  Term a = GenerateValue(context, type, TypeLimit(type), depth - 1);
  if (!a.range.ExcludesZero()) {
    if (context.Allows(kMinMax)) {
      a = Apply(MAX, std::move(a), Constant(type, 1));
    } else if (context.Allows(kBitOr)) {
      a = Apply(BIT_OR, std::move(a), Constant(type, 1));
    } else {
      a = Constant(type, context.Edge(1, 100));
    }
  }
  Term result;
  result.range = Interval::Bounds(0, BitWidth(type));
  if (!Fits(result.range, type, limit)) return GenerateLeaf(context, type, limit);
  result.expr = build::Call("clz", type, {std::move(a.expr)});
  return result;
}

}  // namespace

Term GenerateInteger(Context& context, ScalarType type, Limit limit, int depth) {
  const bool wide = BitWidth(type) >= 32;
  const bool room = limit.magnitude >= 4;
  const auto weight = [&](Feature feature) { return room ? context.Weight(feature) : 0; };
  const size_t kind = context.Pick({
      10,                                                                      // 0 leaf
      room ? 16 : 0,                                                           // 1 +
      room ? 12 : 0,                                                           // 2 -
      room ? 12 : 0,                                                           // 3 *
      weight(kFloorDiv),                                                       // 4
      weight(kFloorMod),                                                       // 5
      weight(kTruncDiv),                                                       // 6
      weight(kTruncMod),                                                       // 7
      weight(kMinMax),                                                         // 8
      weight(kBitAnd),                                                         // 9
      weight(kBitOr),                                                          // 10
      weight(kBitXor),                                                         // 11
      weight(kBitNot),                                                         // 12
      weight(kShiftLeft),                                                      // 13
      weight(kShiftRight),                                                     // 14
      MayChoose(context, SELECT) ? 8 : 0,                                      // 15
      MayChoose(context, IF_THEN_ELSE) ? 8 : 0,                                // 16
      MayLet(context) ? context.local_bias * context.Weight(kLet) : 0,         // 17
      16,                                                                      // 18 conversion
      wide && room ? context.math_bias * context.Weight(kMathPopcount) : 0,    // 19
      type == I32 && room ? context.math_bias * context.Weight(kMathClz) : 0,  // 20
  });
  switch (kind) {
    case 1: {
      const Limit part = {limit.magnitude / 2};
      Term a = GenerateValue(context, type, part, depth - 1);
      return Apply(ADD, std::move(a), GenerateValue(context, type, part, depth - 1));
    }
    case 2:
      return Difference(context, type, limit, depth);
    case 3:
      return Product(context, type, limit, depth);
    case 4:
      return Division(context, FLOOR_DIV, type, limit, depth);
    case 5:
      return Division(context, FLOOR_MOD, type, limit, depth);
    case 6:
      return Division(context, TRUNC_DIV, type, limit, depth);
    case 7:
      return Division(context, TRUNC_MOD, type, limit, depth);
    case 8: {
      Term a = GenerateValue(context, type, limit, depth - 1);
      return Apply(context.Percent(50) ? MIN : MAX, std::move(a),
                   GenerateValue(context, type, limit, depth - 1));
    }
    case 9:
      return Bitwise(context, BIT_AND, type, limit, depth);
    case 10:
      return Bitwise(context, BIT_OR, type, limit, depth);
    case 11:
      return Bitwise(context, BIT_XOR, type, limit, depth);
    case 12:
      return Complement(context, type, limit, depth);
    case 13:
      return Shift(context, SHL, type, limit, depth);
    case 14:
      return Shift(context, SHR, type, limit, depth);
    case 15:
      return GenerateChoice(context, SELECT, type, limit, depth);
    case 16:
      return GenerateChoice(context, IF_THEN_ELSE, type, limit, depth);
    case 17:
      return GenerateLet(context, type, limit, depth);
    case 18:
      return GenerateConversion(context, type, limit, depth);
    case 19:
      return PopulationCount(context, type, limit, depth);
    case 20:
      return LeadingZeros(context, type, limit, depth);
    default:
      return GenerateLeaf(context, type, limit);
  }
}

}  // namespace irate
