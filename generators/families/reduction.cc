// Sums, products, minima and maxima over one or more axes, perhaps of several inputs, perhaps with
// an elementwise stage before or after.
#include <utility>

#include "generators/family.h"
#include "generators/index_expr.h"
#include "generators/program.h"
#include "generators/reduce.h"
#include "generators/value_expr.h"
#include "ir/builder.h"

namespace irate {
namespace {

using enum Feature;

// A type in which `trips` terms can be reduced at all.
ScalarType DrawAccumulatorType(Context& context, int64_t trips) {
  const ScalarType type = context.DrawType();
  if (type == BOOL || TermLimit(Combiner::kSum, type, trips).magnitude < 1) return I32;
  return type;
}

}  // namespace

Case GenerateReductionCase(Context& context) {
  Program program(context);
  const std::vector<Extent> shape = DrawShape(context, context.Int(0, 2), context.TripBudget() / 4);
  int64_t points = 1;
  for (const Extent& extent : shape) points *= extent.size;
  const std::vector<Extent> reduced =
      DrawShape(context, context.Int(1, 2), std::max<int64_t>(context.TripBudget() / points, 2));
  int64_t trips = 1;
  for (const Extent& extent : reduced) trips *= extent.size;
  if (context.Draw(kParamScalar)) context.AddScalarParam();
  std::vector<Extent> out_shape = shape;
  // A full reduction has one element, of one dimension.
  if (out_shape.empty()) {
    out_shape.push_back(context.ConstantExtent(context.Allows(kLoopOneExtent) ? 1 : 2));
  }

  const ScalarType type = DrawAccumulatorType(context, trips);
  std::vector<Extent> in_shape = out_shape;
  in_shape.insert(in_shape.end(), reduced.begin(), reduced.end());
  const ScalarType in_type = context.Percent(70) ? type : context.DrawType();
  BufferInfo input = context.AddParam("A", in_type, in_shape, context.DrawContents(in_type));
  program.Publish(input);
  if (context.Percent(25)) {
    BufferInfo staged = program.AddStage(in_type, in_shape);
    program.Append(GenerateElementwise(context, &staged, program.IsInitialised(staged), 2));
    program.Publish(staged);
    input = staged;
  }

  const bool post = context.Percent(30);
  BufferInfo output = post ? program.AddStage(type, out_shape) : program.AddOutput(type, out_shape);
  Reduction reduction;
  reduction.output = &output;
  reduction.reduced = reduced;
  reduction.combiner = DrawCombiner(context, type, trips);
  reduction.keep_initial =
      program.IsInitialised(output) && reduction.combiner == Combiner::kSum &&
      output.contents.magnitude <= TermLimit(reduction.combiner, type, trips).magnitude &&
      context.Percent(15);
  reduction.term = [&](const std::vector<Expr>& spatial, const std::vector<Expr>& inner,
                       Limit limit) {
    std::vector<Expr> indices = spatial;
    indices.insert(indices.end(), inner.begin(), inner.end());
    Term own;
    own.expr = build::Load(context.function(), input.id, std::move(indices));
    own.range = context.ranges().Contents(input.id);
    context.values.push_back(own);
    Term term = context.Percent(40) && own.expr.type() == type
                    ? Shrink(context, std::move(own), limit)
                    : GenerateValue(context, type, limit, 2);
    context.values.pop_back();
    return term;
  };
  program.Append(GenerateReduction(context, reduction));
  program.Publish(output);
  if (post) {
    BufferInfo last = program.AddOutput(context.DrawType(), out_shape);
    program.Append(GenerateElementwise(context, &last, true, 2));
  }
  return program.Finish();
}

}  // namespace irate
