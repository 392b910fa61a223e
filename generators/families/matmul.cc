// Matrix products: operands in either layout, batched or not, accumulated in the output, in a local
// or in a wider type, with something done to the result.
#include <utility>

#include "generators/family.h"
#include "generators/loop_nest.h"
#include "generators/program.h"
#include "generators/reduce.h"
#include "generators/value_expr.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using enum Feature;

// Element types of the operands for an accumulator type, as tensor programs pair them.
ScalarType DrawOperandType(Context& context, ScalarType accumulator) {
  if (context.Percent(75)) return accumulator;
  const ScalarType narrow = accumulator == I32   ? (context.Percent(50) ? I8 : U8)
                            : accumulator == F32 ? (context.Percent(50) ? F16 : BF16)
                            : accumulator == I64 ? I32
                                                 : accumulator;
  return context.AllowsType(narrow) && context.AllowsCast(accumulator, narrow) ? narrow
                                                                               : accumulator;
}

// The order of the two matrix dimensions in memory.
std::vector<Expr> Arrange(bool transposed, const std::vector<Expr>& batch, const Expr& a,
                          const Expr& b) {
  std::vector<Expr> indices = batch;
  indices.push_back(transposed ? b : a);
  indices.push_back(transposed ? a : b);
  return indices;
}

// C = T + bias, the bias of the last dimension or of all: what comes after a product most often.
void AppendBias(Context& context, Program& program, const BufferInfo& product,
                const std::vector<Extent>& shape) {
  const ScalarType type = product.type;
  const bool whole = context.Percent(50);
  const std::vector<Extent> bias_shape = whole ? shape : std::vector<Extent>{shape.back()};
  const BufferInfo bias =
      context.AddParam("B", type, bias_shape, Interval::Bounds(IsUnsigned(type) ? 0 : -2, 2));
  BufferInfo last = program.AddOutput(type, shape);
  LoopNest nest(context, SpatialAxes(shape), {});
  Term left = {build::Load(context.function(), product.id, nest.indices()), product.contents};
  Term right = {build::Load(context.function(), bias.id,
                            whole ? nest.indices() : std::vector<Expr>{nest.indices().back()}),
                bias.contents};
  if (context.Percent(30)) std::swap(left, right);
  Term sum = Shrink(context, Apply(ADD, std::move(left), std::move(right)), TypeLimit(type));
  context.WidenContents(&last, sum.range);
  program.Append(nest.Close({build::Store(last.id, std::move(sum.expr), nest.indices())}));
}

}  // namespace

Case GenerateMatmulCase(Context& context) {
  Program program(context);
  const bool batched = context.Percent(20);
  const int64_t budget = batched ? 4 : 8;
  const std::vector<Extent> batch = batched ? DrawShape(context, 1, 4) : std::vector<Extent>();
  const Extent rows = context.DrawExtent(budget);
  const Extent columns = context.DrawExtent(context.Percent(30) ? 17 : budget);
  const Extent inner = context.DrawExtent(context.Percent(20) ? 17 : budget);
  ScalarType type = context.DrawType();
  if (type == BOOL || TermLimit(Combiner::kSum, type, inner.size).magnitude < 16) type = I32;
  const ScalarType operand = DrawOperandType(context, type);

  const bool transpose_a = context.Percent(30);
  const bool transpose_b = context.Percent(40);
  const auto shape_of = [&batch](bool transposed, const Extent& a, const Extent& b) {
    std::vector<Extent> shape = batch;
    shape.push_back(transposed ? b : a);
    shape.push_back(transposed ? a : b);
    return shape;
  };
  const auto contents = [&] {
    return IsUnsigned(operand) ? Interval::Bounds(0, 3) : Interval::Bounds(-context.Int(1, 3), 3);
  };
  const BufferInfo a =
      context.AddParam("A", operand, shape_of(transpose_a, rows, inner), contents());
  const BufferInfo b =
      context.AddParam("B", operand, shape_of(transpose_b, inner, columns), contents());
  const bool post = context.Percent(context.structured() ? 50 : 25);
  std::vector<Extent> out_shape = shape_of(false, rows, columns);
  BufferInfo output = post ? program.AddStage(type, out_shape) : program.AddOutput(type, out_shape);

  Reduction reduction;
  reduction.output = &output;
  reduction.reduced = {inner};
  reduction.keep_initial =
      program.IsInitialised(output) && context.Percent(20) &&
      output.contents.magnitude <= TermLimit(Combiner::kSum, type, inner.size).magnitude;
  reduction.term = [&](const std::vector<Expr>& spatial, const std::vector<Expr>& reduced,
                       Limit limit) {
    const std::vector<Expr> batch_indices(spatial.begin(), spatial.end() - 2);
    const Expr& i = spatial[spatial.size() - 2];
    const Expr& j = spatial.back();
    Term left = {
        build::Load(context.function(), a.id, Arrange(transpose_a, batch_indices, i, reduced[0])),
        a.contents};
    Term right = {
        build::Load(context.function(), b.id, Arrange(transpose_b, batch_indices, reduced[0], j)),
        b.contents};
    Term product = Apply(MUL, Convert(type, std::move(left)), Convert(type, std::move(right)));
    return Shrink(context, std::move(product), limit);
  };
  if (context.Percent(30)) {
    reduction.epilogue = [&](Term result) {
      context.values.push_back(std::move(result));
      Term value = GenerateValue(context, type, TypeLimit(type), 2);
      context.values.pop_back();
      return value;
    };
  }
  program.Append(GenerateReduction(context, reduction));
  if (post) {
    const Limit rest = {TypeLimit(type).magnitude - 2};
    if (context.structured() && Fits(output.contents, type, rest) && context.Percent(60)) {
      AppendBias(context, program, output, out_shape);
      return program.Finish();
    }
    program.Publish(output);
    BufferInfo last = program.AddOutput(context.DrawType(), out_shape);
    program.Append(GenerateElementwise(context, &last, true, 2));
  }
  return program.Finish();
}

}  // namespace irate
