// Windows that slide over an input: sums, maxima and weighted sums, with stride, dilation and
// padding, and convolutions over channels. Loads outside the input are avoided by if_then_else, by
// a select between clamped loads, by a conditional statement, by a padded copy, or there are none
// because the input is large enough.
#include <algorithm>
#include <optional>
#include <utility>

#include "generators/condition.h"
#include "generators/family.h"
#include "generators/index_expr.h"
#include "generators/loop_nest.h"
#include "generators/loop_scope.h"
#include "generators/program.h"
#include "generators/reduce.h"
#include "generators/value_expr.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using enum Feature;
using build::Binary;

struct WindowAxis {
  Extent output;
  Extent input;
  int64_t size = 1;  // of the window
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t pad = 0;
};

enum class Padding { kNone, kLazy, kClamped, kCopied };

struct Stencil {
  std::vector<WindowAxis> axes;
  Padding padding = Padding::kNone;
  // [channel,] position...; padded already where padding is kCopied.
  BufferInfo input;
  std::optional<BufferInfo> weights;  // [output channel, channel,] window...
  bool channels = false;

  // The input's extent along window axis `d`.
  const Extent& InputExtent(size_t d) const { return input.shape[d + (channels ? 1 : 0)]; }
};

// How loads outside the input can be avoided here.
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

// The input at `positions`, of one channel where there are channels, or a padding value.
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

// Copies the input into a larger buffer with a margin, by a lazy choice.
void CopyPadded(Context& context, Program& program, Stencil* stencil) {
  std::vector<Extent> shape;
  const size_t leading = stencil->channels ? 1 : 0;
  if (stencil->channels) shape.push_back(stencil->input.shape[0]);
  for (WindowAxis& axis : stencil->axes) {
    const int64_t reach =
        (axis.output.size - 1) * axis.stride + (axis.size - 1) * axis.dilation + 1;
    shape.push_back(context.ConstantExtent(reach));
  }
  BufferInfo padded = program.AddStage(stencil->input.type, shape);
  LoopNest nest(context, SpatialAxes(shape), {});
  std::vector<Expr> positions;
  for (size_t d = 0; d < stencil->axes.size(); ++d) {
    const int64_t pad = stencil->axes[d].pad;
    const Expr& index = nest.Index(d + leading);
    positions.push_back(pad == 0 ? index : Binary(SUB, index, context.IndexConst(pad)));
    stencil->axes[d].pad = 0;
  }
  std::vector<Expr> channel;
  if (stencil->channels) channel.push_back(nest.Index(0));
  Term value = LoadPadded(context, *stencil, channel, std::move(positions));
  context.WidenContents(&padded, value.range);
  std::vector<Stmt> body;
  body.push_back(build::Store(padded.id, std::move(value.expr), nest.indices()));
  program.Append(nest.Close(std::move(body)));
  program.Publish(padded);
  stencil->input = padded;
  stencil->padding = Padding::kNone;
}

// `output` and `window` start with their channel where there are channels.
Term WindowTerm(Context& context, const Stencil& stencil, ScalarType type,
                const std::vector<Expr>& output, const std::vector<Expr>& window, Limit limit) {
  const size_t leading = stencil.channels ? 1 : 0;
  std::vector<Expr> positions;
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

// The window written out: a sum, minimum or maximum of its elements.
std::vector<Stmt> Unrolled(Context& context, const Stencil& stencil, Combiner combiner,
                           BufferInfo* output, int64_t trips) {
  LoopNest nest(context, SpatialAxes(output->shape), {});
  const Limit limit = TermLimit(combiner, output->type, trips);
  std::optional<Term> total;
  for (int64_t flat = 0; flat < trips; ++flat) {
    std::vector<Expr> window;
    int64_t rest = flat;
    for (const WindowAxis& axis : stencil.axes) {
      window.push_back(context.IndexConst(rest % axis.size));
      rest /= axis.size;
    }
    Term term = WindowTerm(context, stencil, output->type, nest.indices(), window, limit);
    if (!total) {
      total = std::move(term);
      continue;
    }
    const Op op = combiner == Combiner::kMin ? MIN : combiner == Combiner::kMax ? MAX : ADD;
    total = Apply(op, std::move(*total), std::move(term));
  }
  context.WidenContents(output, total->range);
  std::vector<Stmt> body;
  body.push_back(build::Store(output->id, std::move(total->expr), nest.indices()));
  return nest.Close(std::move(body));
}

}  // namespace

Case GenerateStencilCase(Context& context) {
  Program program(context);
  Stencil stencil;
  stencil.padding = DrawPadding(context);
  stencil.channels = context.Percent(25);
  const bool padded = stencil.padding != Padding::kNone;
  std::vector<Extent> out_shape;
  std::vector<Extent> in_shape;
  std::vector<Extent> window_shape;
  std::vector<Extent> weight_shape;
  int64_t trips = 1;
  if (stencil.channels) {
    out_shape.push_back(context.ConstantExtent(context.DrawSize(3)));
    in_shape.push_back(context.ConstantExtent(context.DrawSize(3)));
    window_shape = in_shape;
    weight_shape = out_shape;
    trips = in_shape[0].size;
  }
  const int64_t rank = context.Int(1, 2);
  const int64_t budget = (rank == 1 ? 64 : 12) / (stencil.channels ? 3 : 1);
  for (int64_t d = 0; d < rank; ++d) {
    stencil.axes.push_back(DrawWindowAxis(context, padded, budget));
    const WindowAxis& axis = stencil.axes.back();
    out_shape.push_back(axis.output);
    in_shape.push_back(axis.input);
    window_shape.push_back(context.ConstantExtent(axis.size));
    trips *= axis.size;
  }
  ScalarType type = context.DrawType();
  if (type == BOOL || TermLimit(Combiner::kSum, type, trips).magnitude < 1) type = I32;
  stencil.input = context.AddParam("A", type, in_shape, context.DrawContents(type));
  program.Publish(stencil.input);
  if (stencil.padding == Padding::kCopied) CopyPadded(context, program, &stencil);
  Combiner combiner = DrawCombiner(context, type, trips);
  if (combiner == Combiner::kProduct || stencil.channels) combiner = Combiner::kSum;
  if (combiner == Combiner::kSum && (stencil.channels || context.Percent(40))) {
    weight_shape.insert(weight_shape.end(), window_shape.begin(), window_shape.end());
    stencil.weights =
        context.AddParam("W", type, weight_shape, Interval::Bounds(IsUnsigned(type) ? 0 : -2, 2));
  }
  BufferInfo output = program.AddOutput(type, out_shape);
  if (trips <= 6 && !stencil.channels && context.Percent(50)) {
    program.Append(Unrolled(context, stencil, combiner, &output, trips));
    return program.Finish();
  }
  Reduction reduction;
  reduction.output = &output;
  reduction.reduced = window_shape;
  reduction.combiner = combiner;
  reduction.term = [&](const std::vector<Expr>& spatial, const std::vector<Expr>& window,
                       Limit limit) {
    return WindowTerm(context, stencil, type, spatial, window, limit);
  };
  program.Append(GenerateReduction(context, reduction));
  return program.Finish();
}

}  // namespace irate
