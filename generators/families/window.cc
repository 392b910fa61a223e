#include "generators/families/window.h"

#include <algorithm>
#include <utility>

#include "generators/condition.h"
#include "generators/value_expr.h"
#include "ir/builder.h"

namespace irate {
namespace {

using enum Feature;
using build::Binary;

// output * stride + window * dilation - pad
Expr Position(Context& context, const WindowAxis& axis, const Expr& output, const Expr& window) {
  const auto scaled = [&](const Expr& e, int64_t factor) {
    return factor == 1 ? e : Binary(MUL, e, context.IndexConst(factor));
  };
  Expr position = Binary(ADD, scaled(output, axis.stride), scaled(window, axis.dilation));
  if (axis.pad == 0) return position;
  return Binary(SUB, std::move(position), context.IndexConst(axis.pad));
}

// The comparisons that `positions` need to be inside the input; provable ones are mostly left out.
std::vector<Expr> InsideConditions(Context& context, const Stencil& stencil,
                                   const std::vector<Expr>& positions) {
  std::vector<Expr> conditions;
  if (stencil.padding == Padding::kNone) return conditions;
  for (size_t d = 0; d < positions.size(); ++d) {
    const Extent& extent = stencil.InputExtent(d);
    if (!context.ranges().ProvesNonNegative(positions[d]) || context.Percent(10)) {
      conditions.push_back(CompareNonNegative(context, positions[d]));
    }
    const bool below = context.ranges().Of(positions[d]).hi < extent.size;
    if (!below || context.Percent(10)) {
      conditions.push_back(CompareLess(context, positions[d], extent.expr));
    }
  }
  return conditions;
}

Term LoadAt(Context& context, const BufferInfo& buffer, std::vector<Expr> indices) {
  Term result;
  result.range = context.ranges().Contents(buffer.id);
  result.expr = build::Load(context.function(), buffer.id, std::move(indices));
  return result;
}

}  // namespace

Padding DrawPadding(Context& context) {
  const bool guards = CanOrder(context);
  const bool lazy =
      guards && context.AllowsAll({kIfThenElse, kGuardedLoad, kIfThenElseInVectorized});
  const bool clamped = guards && context.Allows(kAnd) &&
                       context.AllowsAll({kSelect, kMinMax, kIndexMinMax, kSelectInVectorized});
  switch (context.Pick(
      {10, lazy ? 35 : 0, clamped ? 15 : 0, lazy && context.Allows(kLocalStage) ? 15 : 0})) {
    case 1:
      return Padding::kLazy;
    case 2:
      return Padding::kClamped;
    case 3:
      return Padding::kCopied;
    default:
      return Padding::kNone;
  }
}

WindowAxis DrawWindowAxis(Context& context, bool padded, int64_t budget) {
  WindowAxis axis;
  axis.output = context.DrawExtent(budget);
  axis.size = context.Allows(kLoopOneExtent) ? context.Int(1, 4) : context.Int(2, 4);
  if (context.Allows(kIndexScaled)) {
    if (context.Percent(25)) axis.stride = context.Int(2, 3);
    if (context.Percent(20)) axis.dilation = 2;
  }
  const int64_t reach = (axis.output.size - 1) * axis.stride + (axis.size - 1) * axis.dilation + 1;
  if (!padded) {
    axis.input = context.ConstantExtent(reach + (context.Percent(80) ? 0 : context.Int(1, 3)));
    return axis;
  }
  axis.pad = context.Int(0, std::min<int64_t>(axis.size, 3));
  const int64_t after = context.Int(axis.pad == 0 ? 1 : 0, 2);
  const int64_t inside = std::max<int64_t>(reach - axis.pad - after, 1);
  axis.input = context.ConstantExtent(inside);
  // As in a convolution that keeps the size: the same symbolic extent on both sides.
  if (axis.stride == 1 && context.Percent(60)) axis.input = axis.output;
  return axis;
}

Term LoadPadded(Context& context, const Stencil& stencil, const std::vector<Expr>& channel,
                std::vector<Expr> positions) {
  std::vector<Expr> conditions = InsideConditions(context, stencil, positions);
  const ScalarType type = stencil.input.type;
  const auto load = [&] {
    std::vector<Expr> indices = channel;
    indices.insert(indices.end(), positions.begin(), positions.end());
    return LoadAt(context, stencil.input, std::move(indices));
  };
  if (conditions.empty()) return load();
  if (conditions.size() > 1 && !context.Allows(kAnd) && stencil.padding != Padding::kClamped) {
    // Lazy choices around each other are a conjunction too.
    Term value = load();
    for (Expr& condition : conditions) {
      value = Choose(IF_THEN_ELSE, std::move(condition), std::move(value), Constant(type, 0));
    }
    return value;
  }
  Expr inside = MaybeLikely(context, Conjunction(std::move(conditions)));
  const int64_t pad = context.Percent(70) ? 0 : context.Int(0, 1);
  Term padding = Constant(type, pad);
  if (stencil.padding == Padding::kClamped) {
    for (size_t d = 0; d < positions.size(); ++d) {
      const Extent& extent = stencil.InputExtent(d);
      Expr last = extent.expr.op() == CONST ? context.IndexConst(extent.size - 1)
                                            : Binary(SUB, extent.expr, context.IndexConst(1));
      positions[d] =
          Binary(MAX, Binary(MIN, std::move(positions[d]), std::move(last)), context.IndexConst(0));
    }
    return Choose(SELECT, std::move(inside), load(), std::move(padding));
  }
  return Choose(IF_THEN_ELSE, std::move(inside), load(), std::move(padding));
}

Term WindowTerm(Context& context, const Stencil& stencil, ScalarType type,
                const std::vector<Expr>& output, const std::vector<Expr>& window, Limit limit) {
  const size_t leading = stencil.channels ? 1 : 0;
  std::vector<Expr> positions;
  positions.reserve(stencil.axes.size());
  for (size_t d = 0; d < stencil.axes.size(); ++d) {
    positions.push_back(
        Position(context, stencil.axes[d], output[d + leading], window[d + leading]));
  }
  std::vector<Expr> channel;
  std::vector<Expr> weight_indices;
  if (stencil.channels) {
    channel.push_back(window[0]);
    weight_indices.push_back(output[0]);
  }
  Term value = LoadPadded(context, stencil, channel, std::move(positions));
  if (stencil.weights) {
    weight_indices.insert(weight_indices.end(), window.begin(), window.end());
    Term product = Apply(MUL, value, LoadAt(context, *stencil.weights, std::move(weight_indices)));
    if (Fits(product.range, type, limit)) return product;
  }
  return Shrink(context, std::move(value), limit);
}

}  // namespace irate
