#include "generators/index_expr.h"

#include <algorithm>
#include <utility>

#include "generators/condition.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using enum Feature;

// A loaded value or scalar may be an index atom if it is at most this large.
constexpr int64_t kAtomMagnitude = 64;

// An element of an integer buffer, used as a gather uses it.
bool LoadAtom(Context& context, Expr* atom) {
  for (const BufferInfo& buffer : context.readable) {
    const ScalarType type = buffer.type;
    // A whole number made from a real may be off by one: no address depends on it.
    if (buffer.written && context.real_floats()) continue;
    if (!IsInteger(type) || context.ranges().Contents(buffer.id).magnitude > kAtomMagnitude)
      continue;
    const bool same = type == context.index_type();
    if (!same && !(context.Allows(kIndexCast) && context.AllowsCast(context.index_type(), type))) {
      continue;
    }
    std::vector<Expr> indices;
    indices.reserve(buffer.shape.size());
    for (const Extent& extent : buffer.shape) {
      indices.push_back(FitIndex(context, GeneratePlainIndex(context), extent));
    }
    *atom = build::Load(context.function(), buffer.id, std::move(indices));
    if (!same) *atom = build::Cast(context.index_type(), std::move(*atom));
    return true;
  }
  return false;
}

Expr Atom(Context& context) {
  if (context.Draw(kIndexLoad)) {
    Expr atom;
    if (LoadAtom(context, &atom)) return atom;
  }
  if (context.Percent(6) && !context.real_floats()) {
    for (const Term& value : context.values) {
      if (value.expr.op() == VAR && value.expr.type() == context.index_type() &&
          value.range.magnitude <= kAtomMagnitude) {
        return value.expr;
      }
    }
  }
  if (context.axis_variables.empty()) return context.IndexConst(context.Int(0, 3));
  const int64_t last = static_cast<int64_t>(context.axis_variables.size()) - 1;
  return context.VariableExpr(context.axis_variables[static_cast<size_t>(context.Int(0, last))]);
}

// coefficient * atom; *negative is set where the caller has to subtract instead.
Expr Product(Context& context, bool* negative) {
  Expr atom = Atom(context);
  *negative = false;
  const size_t kind =
      context.Pick({100, context.Weight(kIndexScaled), context.Weight(kIndexNegative),
                    context.Weight(kIndexZeroCoefficient)});
  if (kind == 0) return atom;
  if (kind == 2) {
    if (context.Allows(kIndexScaled) && context.Percent(40)) {
      return build::Binary(MUL, std::move(atom), context.IndexConst(-context.Int(1, 4)));
    }
    *negative = true;
    return atom;
  }
  Expr factor = context.IndexConst(kind == 3 ? 0 : context.Int(2, context.Percent(20) ? 9 : 4));
  if (context.Percent(30)) std::swap(atom, factor);
  return build::Binary(MUL, std::move(atom), std::move(factor));
}

Expr Affine(Context& context) {
  bool negative = false;
  Expr sum = Product(context, &negative);
  if (negative) {
    sum = build::Binary(SUB, context.IndexConst(context.Edge(0, 16)), std::move(sum));
  } else if (context.Percent(40)) {
    sum = build::Binary(ADD, std::move(sum), context.IndexConst(context.Edge(-8, 8)));
  }
  while (context.Percent(35)) {
    Expr term = Product(context, &negative);
    sum = build::Binary(negative ? SUB : ADD, std::move(sum), std::move(term));
  }
  return sum;
}

int64_t Divisor(Context& context) {
  const int64_t divisor = context.Percent(70) ? context.Int(2, 5) : context.Edge(1, 16);
  return context.Draw(kNegativeDivisor) ? -divisor : divisor;
}

Expr Quotient(Context& context, Expr a) {
  const Op op = context.Pick({context.Weight(kFloorDiv), context.Weight(kTruncDiv)}) == 0
                    ? FLOOR_DIV
                    : TRUNC_DIV;
  if (!context.AllowsOp(op)) return a;
  return build::Binary(op, std::move(a), context.IndexConst(Divisor(context)));
}

Expr Remainder(Context& context, Expr a) {
  const Op op = context.Pick({context.Weight(kFloorMod), context.Weight(kTruncMod)}) == 0
                    ? FLOOR_MOD
                    : TRUNC_MOD;
  if (!context.AllowsOp(op)) return a;
  return build::Binary(op, std::move(a), context.IndexConst(Divisor(context)));
}

// (a div c) * k + a mod c: what fusing, splitting and re-tiling leave behind.
Expr Retiled(Context& context, Expr a) {
  if (!context.AllowsAll({kIndexMod, kFloorDiv, kFloorMod, kIndexScaled})) {
    return Quotient(context, std::move(a));
  }
  const int64_t divisor = context.Int(2, 8);
  const int64_t factor = context.Percent(50) ? divisor : context.Int(2, 8);
  Expr remainder = build::Binary(FLOOR_MOD, a, context.IndexConst(divisor));
  Expr quotient = build::Binary(FLOOR_DIV, std::move(a), context.IndexConst(divisor));
  return build::Binary(ADD, build::Binary(MUL, std::move(quotient), context.IndexConst(factor)),
                       std::move(remainder));
}

Expr Bits(Context& context, Expr a) {
  switch (context.Pick({context.Weight(kBitAnd), context.Weight(kBitXor), context.Weight(kBitOr),
                        context.Weight(kShiftRight), context.Weight(kShiftLeft)})) {
    case 1:
      return build::Binary(BIT_XOR, std::move(a), context.IndexConst(context.Int(1, 7)));
    case 2:
      return build::Binary(BIT_OR, std::move(a), context.IndexConst(context.Int(1, 7)));
    case 3:
      return build::Binary(SHR, std::move(a), context.IndexConst(context.Int(1, 3)));
    case 4:
      return build::Binary(SHL, std::move(a), context.IndexConst(context.Int(1, 2)));
    default:
      if (!context.Allows(kBitAnd)) return a;
      return build::Binary(BIT_AND, std::move(a),
                           context.IndexConst((int64_t{1} << context.Int(1, 4)) - 1));
  }
}

Expr AddConstant(Context& context, Expr a, int64_t value) {
  if (value == 0) return a;
  if (value < 0 && context.Percent(50)) {
    return build::Binary(SUB, std::move(a), context.IndexConst(-value));
  }
  return build::Binary(ADD, std::move(a), context.IndexConst(value));
}

}  // namespace

Expr GeneratePlainIndex(Context& context) {
  if (context.axis_variables.empty()) return context.IndexConst(context.Int(0, 3));
  const int64_t last = static_cast<int64_t>(context.axis_variables.size()) - 1;
  return context.VariableExpr(context.axis_variables[static_cast<size_t>(context.Int(0, last))]);
}

Expr GenerateIndex(Context& context, int depth) {
  if (depth <= 0 || context.node_budget <= 0) return GeneratePlainIndex(context);
  context.node_budget -= 4;
  const bool may_choose = context.AllowsAll({kIndexSelect, kSelect}) &&
                          (context.Allows(kSelectInVectorized) || !context.InLoop(VECTORIZED)) &&
                          CanCompare(context);
  switch (
      context.Pick({60, context.Weight(kIndexDiv), context.Weight(kIndexMod),
                    context.Allows(kMinMax) ? context.Weight(kIndexMinMax) : 0,
                    may_choose ? context.Weight(kIndexSelect) : 0, context.Weight(kIndexBits)})) {
    case 1: {
      Expr a = GenerateIndex(context, depth - 1);
      return context.Percent(35) ? Retiled(context, std::move(a)) : Quotient(context, std::move(a));
    }
    case 2:
      return Remainder(context, GenerateIndex(context, depth - 1));
    case 3: {
      Expr a = GenerateIndex(context, depth - 1);
      Expr b = context.Percent(60) ? context.IndexConst(context.Edge(-2, 17))
                                   : GeneratePlainIndex(context);
      return build::Binary(context.Percent(50) ? MIN : MAX, std::move(a), std::move(b));
    }
    case 4: {
      Expr condition =
          CompareAny(context, GeneratePlainIndex(context), context.IndexConst(context.Edge(0, 8)));
      return build::Select(std::move(condition), GenerateIndex(context, depth - 1),
                           GenerateIndex(context, depth - 1));
    }
    case 5:
      return Bits(context, GenerateIndex(context, depth - 1));
    default:
      return Affine(context);
  }
}

Expr FitIndex(Context& context, Expr index, const Extent& extent) {
  if (context.ranges().ProvesInBounds(index, extent.expr)) return index;
  const Interval range = context.ranges().Of(index);
  const int64_t span = range.hi - range.lo;
  const bool shifts = span < extent.size;
  const bool wraps = context.AllowsAll({kIndexMod, kFloorMod}) &&
                     (extent.expr.op() == CONST || context.Allows(kVariableDivisor));
  const bool clamps = context.AllowsAll({kIndexMinMax, kMinMax});
  switch (context.Pick({shifts ? 30 : 0, wraps ? 20 : 0, clamps ? 15 : 0})) {
    case 1:
      return build::Binary(FLOOR_MOD, std::move(index), extent.expr);
    case 2: {
      Expr last = extent.expr.op() == CONST
                      ? context.IndexConst(extent.size - 1)
                      : build::Binary(SUB, extent.expr, context.IndexConst(1));
      Expr zero = context.IndexConst(0);
      if (context.Percent(50)) {
        return build::Binary(MAX, build::Binary(MIN, std::move(index), std::move(last)),
                             std::move(zero));
      }
      return build::Binary(MIN, build::Binary(MAX, std::move(index), std::move(zero)),
                           std::move(last));
    }
    default:
      break;
  }
  if (shifts) {
    const int64_t target = context.Int(0, extent.size - 1 - span);
    return AddConstant(context, std::move(index), target - range.lo);
  }
  // What is left when the features that fit are off: a plain index that needs no fitting.
  std::vector<Expr> fitting;
  for (uint32_t variable : context.axis_variables) {
    Expr plain = context.VariableExpr(variable);
    if (context.ranges().ProvesInBounds(plain, extent.expr)) fitting.push_back(std::move(plain));
  }
  if (fitting.empty()) return context.IndexConst(context.Edge(0, extent.size - 1));
  return fitting[static_cast<size_t>(context.Int(0, static_cast<int64_t>(fitting.size()) - 1))];
}

}  // namespace irate
