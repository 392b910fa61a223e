// Leaves of data expressions: constants, variables, loads, and what makes them fit.
#include <algorithm>
#include <utility>

#include "generators/index_expr.h"
#include "generators/math_expr.h"
#include "generators/value_expr.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using enum Feature;

// Extents of parameters that are made to fit an index.
constexpr int64_t kMaxFittedExtent = 48;

// Index and shape of one dimension of a new parameter: the shape is what the index needs.
Extent FittedExtent(Context& context, Expr* index) {
  const Interval range = context.ranges().Of(*index);
  const int64_t span = range.hi - range.lo;
  if (span >= kMaxFittedExtent || context.Percent(15)) {
    const Extent extent = context.DrawExtent(17);
    *index = FitIndex(context, std::move(*index), extent);
    return extent;
  }
  const int64_t slack = context.Percent(70) ? 0 : context.Int(1, 3);
  const int64_t shift = (slack == 0 ? 0 : context.Int(0, slack)) - range.lo;
  if (shift > 0 || range.lo > 0) {
    // An index that is large already may stay as it is where the buffer is long enough.
    if (range.lo > 0 && range.hi < kMaxFittedExtent) {
      return context.ConstantExtent(range.hi + 1 + slack);
    }
    *index = build::Binary(shift < 0 ? SUB : ADD, std::move(*index),
                           context.IndexConst(std::abs(shift)));
  }
  return context.ConstantExtent(span + 1 + slack);
}

Expr DrawIndex(Context& context) {
  if (context.Percent(55)) return GeneratePlainIndex(context);
  return GenerateIndex(context, context.Percent(70) ? 1 : 2);
}

Term LoadFromNewParam(Context& context, ScalarType type) {
  const int64_t axes = static_cast<int64_t>(context.axis_variables.size());
  const int64_t rank = context.Int(1, std::clamp<int64_t>(axes, 1, 3));
  std::vector<Expr> indices;
  std::vector<Extent> shape;
  int64_t elements = 1;
  for (int64_t d = 0; d < rank; ++d) {
    Expr index = axes == rank && context.Percent(40)
                     ? context.VariableExpr(context.axis_variables[static_cast<size_t>(d)])
                     : DrawIndex(context);
    Extent extent = FittedExtent(context, &index);
    if (elements * extent.size > 4096) {
      extent = context.ConstantExtent(1);
      index = context.IndexConst(0);
    }
    elements *= extent.size;
    indices.push_back(std::move(index));
    shape.push_back(std::move(extent));
  }
  BufferInfo buffer = context.AddParam("A", type, std::move(shape), context.DrawContents(type));
  Term result;
  result.range = buffer.contents;
  result.expr = build::Load(context.function(), buffer.id, std::move(indices));
  context.readable.push_back(std::move(buffer));
  return result;
}

Term AxisValue(Context& context) {
  const int64_t last = static_cast<int64_t>(context.axis_variables.size()) - 1;
  return context.VariableTerm(context.axis_variables[static_cast<size_t>(context.Int(0, last))]);
}

// One of context.values that is, or converts to, a fitting value of `type`.
std::optional<Term> VisibleValue(Context& context, ScalarType type, Limit limit) {
  if (context.values.empty()) return std::nullopt;
  const int64_t count = static_cast<int64_t>(context.values.size());
  // What was made last is most likely meant to be used.
  const int64_t start = context.Percent(50) ? count - 1 : context.Int(0, count - 1);
  for (int64_t i = 0; i < count; ++i) {
    Term value = context.values[static_cast<size_t>((start + i) % count)];
    // Stores since the value was listed may have widened what the buffer holds.
    if (value.expr.op() == LOAD) value.range = context.ranges().Contents(value.expr.id());
    if (value.expr.type() != type && i % 3 != 0) continue;
    std::optional<Term> converted = TryConvert(context, value, type, limit);
    if (converted) return converted;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Term> TryConvert(Context& context, const Term& a, ScalarType type, Limit limit) {
  if (!context.AllowsCast(type, a.expr.type())) return std::nullopt;
  if (type == BOOL && a.expr.type() != BOOL) return Convert(type, a);
  if (!Fits(a.range, type, limit) || !Fits(a.range, type, TypeLimit(type))) return std::nullopt;
  return Convert(type, a);
}

Term GenerateLoadOf(Context& context, const BufferInfo& buffer) {
  std::vector<Expr> indices;
  // Indices add no parameters, so `buffer` may be one of context.readable.
  for (size_t d = 0; d < buffer.shape.size(); ++d) {
    const bool same_position = d < context.axis_variables.size() && context.Percent(40);
    Expr index =
        same_position ? context.VariableExpr(context.axis_variables[d]) : DrawIndex(context);
    indices.push_back(FitIndex(context, std::move(index), buffer.shape[d]));
  }
  Term result;
  result.range = context.ranges().Contents(buffer.id);
  result.expr = build::Load(context.function(), buffer.id, std::move(indices));
  return result;
}

Term GenerateLoad(Context& context, ScalarType type) {
  context.node_budget -= 2;
  absl::InlinedVector<size_t, 8> candidates;
  for (size_t i = 0; i < context.readable.size(); ++i) {
    if (context.readable[i].type == type) candidates.push_back(i);
  }
  if (candidates.empty() || (context.MayAddParam() && context.Percent(25))) {
    return LoadFromNewParam(context, type);
  }
  const int64_t picked = context.Int(0, static_cast<int64_t>(candidates.size()) - 1);
  return GenerateLoadOf(context, context.readable[candidates[static_cast<size_t>(picked)]]);
}

Term Shrink(Context& context, Term a, Limit limit) {
  const ScalarType type = a.expr.type();
  if (type == BOOL || Fits(a.range, type, limit)) return a;
  if (IsFloat(type)) {
    if (!context.Allows(kMinMax)) return Constant(type, context.Edge(0, limit.magnitude));
    const int64_t bound = context.Edge(1, limit.magnitude);
    a = Apply(MIN, std::move(a), Constant(type, bound));
    return Apply(MAX, std::move(a), Constant(type, -context.Edge(0, bound)));
  }
  if (IsInteger(type) && limit.magnitude >= 1) {
    const int64_t most = std::min<int64_t>(limit.magnitude, 64);
    switch (
        context.Pick({0, context.Weight(kFloorMod), a.range.lo >= 0 ? context.Weight(kTruncMod) : 0,
                      context.Weight(kBitAnd)})) {
      case 1:
        return Apply(FLOOR_MOD, std::move(a), Constant(type, context.Edge(1, most)));
      case 2:
        return Apply(TRUNC_MOD, std::move(a), Constant(type, context.Edge(1, most)));
      case 3: {
        int64_t mask = 1;
        while (mask * 2 + 1 <= most && context.Percent(70)) mask = mask * 2 + 1;
        return Apply(BIT_AND, std::move(a), Constant(type, mask));
      }
      default:
        break;
    }
  }
  return Constant(type, context.Edge(0, limit.magnitude));
}

Term GenerateLeaf(Context& context, ScalarType type, Limit limit) {
  context.node_budget -= 1;
  const bool has_axis = !context.axis_variables.empty() && type != BOOL &&
                        context.AllowsCast(type, context.index_type());
  const bool may_load =
      context.MayAddParam() ||
      std::any_of(context.readable.begin(), context.readable.end(),
                  [type](const BufferInfo& buffer) { return buffer.type == type; });
  const bool constant = type != BOOL || context.Allows(kBoolConstant);
  switch (context.Pick(
      {constant ? 14 : 0, context.values.empty() ? 0 : 40, may_load ? 40 : 0, has_axis ? 8 : 0})) {
    case 1: {
      std::optional<Term> value = VisibleValue(context, type, limit);
      if (value) return std::move(*value);
      break;
    }
    case 2:
      return Shrink(context, GenerateLoad(context, type), limit);
    case 3: {
      std::optional<Term> value = TryConvert(context, AxisValue(context), type, limit);
      if (value) return std::move(*value);
      break;
    }
    default:
      break;
  }
  if (type == BOOL) {
    if (context.Allows(kBoolConstant)) return Constant(BOOL, context.Int(0, 1));
    return GenerateLoad(context, BOOL);
  }
  if (IsFloat(type) && context.real_floats() && context.Percent(60)) {
    return RealConstant(context, type, limit);
  }
  const int64_t magnitude = std::min<int64_t>(limit.magnitude, 100);
  return Constant(type, context.Edge(IsUnsigned(type) ? 0 : -magnitude, magnitude));
}

}  // namespace irate
