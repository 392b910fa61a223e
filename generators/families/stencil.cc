// Windows that slide over an input: sums, maxima and weighted sums, with stride, dilation and
// padding, and convolutions over channels. Loads outside the input are avoided by if_then_else, by
// a select between clamped loads, by a conditional statement, by a padded copy, or there are none
// because the input is large enough.
#include <algorithm>
#include <optional>
#include <utility>

#include "generators/condition.h"
#include "generators/families/window.h"
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

// The window written out: a sum, minimum or maximum of its elements.
std::vector<Stmt> Unrolled(Context& context, const Stencil& stencil, Combiner combiner,
                           BufferInfo* output, int64_t trips) {
  LoopNest nest(context, SpatialAxes(output->shape), {});
  const Limit limit = TermLimit(combiner, output->type, trips);
  const auto term = [&](int64_t flat) {
    std::vector<Expr> window;
    for (const WindowAxis& axis : stencil.axes) {
      window.push_back(context.IndexConst(flat % axis.size));
      flat /= axis.size;
    }
    return WindowTerm(context, stencil, output->type, nest.indices(), window, limit);
  };
  const Op op = combiner == Combiner::kMin ? MIN : combiner == Combiner::kMax ? MAX : ADD;
  Term total = term(0);
  for (int64_t flat = 1; flat < trips; ++flat) total = Apply(op, std::move(total), term(flat));
  context.WidenContents(output, total.range);
  std::vector<Stmt> body;
  body.push_back(build::Store(output->id, std::move(total.expr), nest.indices()));
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
