// Values that live in loops: binds and lets, one-element buffers, arrays that one inner loop fills
// and another reads, in loops of every kind and nesting.
#include <utility>

#include "generators/family.h"
#include "generators/loop_nest.h"
#include "generators/loop_scope.h"
#include "generators/program.h"
#include "generators/value_expr.h"
#include "ir/builder.h"

namespace irate {
namespace {

using enum Feature;

std::vector<Axis> Part(const std::vector<Axis>& axes, size_t begin, size_t end) {
  return {axes.begin() + static_cast<std::ptrdiff_t>(begin),
          axes.begin() + static_cast<std::ptrdiff_t>(end)};
}

// for outer: allocate a row; for inner: fill it; for inner: use any of it.
std::vector<Stmt> RowInLoop(Context& context, Program& program) {
  const std::vector<Extent> shape = DrawShape(context, 2, context.TripBudget());
  BufferInfo output = program.AddOutput(context.DrawType(), shape);
  const std::vector<Axis> axes = SpatialAxes(shape);
  NestOptions outer_options;
  outer_options.body_has_loops = true;
  outer_options.for_locals = true;
  LoopNest outer(context, Part(axes, 0, 1), outer_options);

  const ScalarType type = context.DrawType();
  BufferInfo row = context.AddLocal("R", type, {context.ConstantExtent(shape[1].size)});
  context.ranges().SetContents(row.id, row.contents);
  NestOptions inner_options;
  inner_options.may_block = false;
  std::vector<Stmt> body;
  body.push_back(build::Alloc(row.id));
  {
    LoopNest fill(context, Part(axes, 1, 2), inner_options);
    Element element;
    element.buffer = &row;
    element.indices = fill.indices();
    AppendTo(&body, fill.Close(GenerateElement(context, element, 2)));
  }
  context.readable.push_back(row);
  {
    LoopNest use(context, Part(axes, 1, 2), inner_options);
    context.values.push_back(GenerateLoadOf(context, row));
    Element element;
    element.buffer = &output;
    element.indices = {outer.Index(0), use.Index(0)};
    element.initialised = true;
    std::vector<Stmt> stores = GenerateElement(context, element, 3);
    context.values.pop_back();
    AppendTo(&body, use.Close(std::move(stores)));
  }
  std::erase_if(context.readable, [&](const BufferInfo& b) { return b.id == row.id; });
  return outer.Close(std::move(body));
}

std::vector<Stmt> ElementsWithLocals(Context& context, Program& program) {
  const std::vector<Extent> shape = DrawShape(context, context.Int(1, 3), context.TripBudget());
  BufferInfo output = program.AddOutput(context.DrawType(), shape);
  NestOptions options;
  options.body_has_loops = context.Percent(30);
  options.for_locals = true;
  LoopNest nest(context, SpatialAxes(shape), options);
  Element element;
  element.buffer = &output;
  element.indices = nest.indices();
  element.initialised = true;
  return nest.Close(GenerateElement(context, element, 4));
}

}  // namespace

Case GenerateLocalsCase(Context& context) {
  Program program(context);
  context.local_bias = 5;
  if (context.Draw(kParamScalar)) context.AddScalarParam();
  const int64_t nests = context.Int(1, 2);
  for (int64_t i = 0; i < nests; ++i) {
    const bool row = context.AllowsAll({kLocalArray, kLocalScalar}) && context.Percent(30);
    program.Append(row ? RowInLoop(context, program) : ElementsWithLocals(context, program));
  }
  return program.Finish();
}

}  // namespace irate
