// Conversions: chains through every pair of element types, the bits of one type read as another,
// truth values counted and numbers tested.
#include <utility>

#include "generators/family.h"
#include "generators/loop_nest.h"
#include "generators/program.h"
#include "generators/value_expr.h"
#include "ir/builder.h"

namespace irate {

using enum Feature;

Case GenerateCastsCase(Context& context) {
  Program program(context);
  const std::vector<Extent> shape = DrawShape(context, context.Int(1, 2), context.TripBudget());
  const int64_t stages = context.Int(1, 3);
  ScalarType type = context.DrawElementType();
  BufferInfo previous = context.AddParam("A", type, shape, context.DrawContents(type));
  for (int64_t s = 0; s < stages; ++s) {
    const ScalarType to = context.DrawElementType();
    BufferInfo output =
        s + 1 == stages ? program.AddOutput(to, shape) : program.AddStage(to, shape);
    LoopNest nest(context, SpatialAxes(shape), {});
    Element element;
    element.buffer = &output;
    element.indices = nest.indices();
    element.initialised = program.IsInitialised(output);
    std::vector<Expr> from = nest.indices();
    Term value = {build::Load(context.function(), previous.id, std::move(from)),
                  context.ranges().Contents(previous.id)};
    // Through a third type on the way, now and then.
    if (context.Percent(40)) {
      const ScalarType between = context.DrawElementType();
      std::optional<Term> converted = TryConvert(context, value, between, TypeLimit(between));
      if (converted) value = std::move(*converted);
    }
    std::optional<Term> converted = TryConvert(context, value, to, TypeLimit(to));
    std::vector<Stmt> body;
    if (converted && context.Percent(65)) {
      body.push_back(StoreElement(context, element, std::move(*converted)));
    } else {
      context.values.push_back(converted ? std::move(*converted) : std::move(value));
      body = GenerateElement(context, element, 3);
      context.values.pop_back();
    }
    program.Append(nest.Close(std::move(body)));
    program.Publish(output);
    previous = output;
  }
  return program.Finish();
}

}  // namespace irate
