// Math intrinsics, nested and in elementwise stages: on whole numbers, where those that round are
// exact, or on reals, where all carry bounds.
#include <array>
#include <utility>

#include "generators/family.h"
#include "generators/loop_nest.h"
#include "generators/program.h"
#include "generators/value_expr.h"
#include "ir/builder.h"

namespace irate {

using enum Feature;

Case GenerateMathCase(Context& context) {
  if (context.Percent(70)) context.UseRealFloats();
  Program program(context);
  const std::vector<Extent> shape = DrawShape(context, context.Int(1, 2), context.TripBudget());
  const auto draw_type = [&context] {
    switch (context.Pick({context.Weight(kTypeF32), context.Weight(kTypeF64), 20})) {
      case 1:
        return F64;
      case 2:
        return I32;
      default:
        return context.Allows(kTypeF32) ? F32 : I32;
    }
  };
  context.math_bias = 6;
  const ScalarType in_type = draw_type();
  BufferInfo input = context.AddParam("A", in_type, shape, context.DrawContents(in_type));
  const int64_t stages = context.Int(1, 2);
  for (int64_t s = 0; s < stages; ++s) {
    BufferInfo output = program.AddOutput(draw_type(), shape);
    LoopNest nest(context, SpatialAxes(shape), {});
    Element element;
    element.buffer = &output;
    element.indices = nest.indices();
    element.initialised = true;
    std::vector<Expr> at = nest.indices();
    context.values.push_back({build::Load(context.function(), input.id, std::move(at)),
                              context.ranges().Contents(input.id)});
    std::vector<Stmt> body;
    body.push_back(StoreElement(context, element,
                                GenerateValue(context, output.type, TypeLimit(output.type), 4)));
    context.values.pop_back();
    program.Append(nest.Close(std::move(body)));
    program.Publish(output);
    input = output;
  }
  return program.Finish();
}

}  // namespace irate
