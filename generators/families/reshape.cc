// One shape read as another: a row-major position computed from the indices of one side and taken
// apart by div and mod for the other.
#include <utility>

#include "generators/family.h"
#include "generators/loop_nest.h"
#include "generators/program.h"
#include "ir/builder.h"

namespace irate {
namespace {

using enum Feature;
using build::Binary;

// Extents whose product is `size`.
std::vector<Extent> DrawFactors(Context& context, int64_t size) {
  std::vector<Extent> shape;
  const int64_t parts = context.Int(1, 3);
  for (int64_t p = 1; p < parts; ++p) {
    int64_t factor = 1;
    for (int64_t candidate : {2, 3, 4, 5, 7, 8}) {
      if (size % candidate == 0 && size > candidate && context.Percent(40)) factor = candidate;
    }
    if (factor == 1) continue;
    shape.push_back(context.ConstantExtent(factor));
    size /= factor;
  }
  shape.push_back(context.ConstantExtent(size));
  if (context.Percent(50)) std::swap(shape.front(), shape.back());
  return shape;
}

Expr Flatten(Context& context, const std::vector<Extent>& shape, const std::vector<Expr>& indices) {
  Expr flat = indices[0];
  for (size_t d = 1; d < shape.size(); ++d) {
    flat = Binary(ADD, Binary(MUL, std::move(flat), context.IndexConst(shape[d].size)), indices[d]);
  }
  return flat;
}

std::vector<Expr> TakeApart(Context& context, const std::vector<Extent>& shape, const Expr& flat) {
  const bool floors = context.AllowsAll({kFloorDiv, kFloorMod});
  const bool truncates = context.AllowsAll({kTruncDiv, kTruncMod});
  const bool floor = floors && (!truncates || context.Percent(75));
  const Op div = floor ? FLOOR_DIV : TRUNC_DIV;
  const Op mod = floor ? FLOOR_MOD : TRUNC_MOD;
  std::vector<Expr> indices(shape.size());
  int64_t below = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    Expr part = below == 1 ? flat : Binary(div, flat, context.IndexConst(below));
    // The first index needs no remainder, and has one all the same now and then.
    if (d > 0 || context.Percent(20)) {
      part = Binary(mod, std::move(part), context.IndexConst(shape[d].size));
    }
    indices[d] = std::move(part);
    below *= shape[d].size;
  }
  return indices;
}

}  // namespace

Case GenerateReshapeCase(Context& context) {
  Program program(context);
  const std::vector<Extent> from = DrawShape(context, context.Int(1, 3), context.TripBudget());
  std::vector<Extent> fixed;
  int64_t size = 1;
  for (const Extent& extent : from) {
    fixed.push_back(context.ConstantExtent(extent.size));
    size *= extent.size;
  }
  const bool possible = CanFuse(context) && context.Allows(kIndexScaled);
  const std::vector<Extent> to = possible ? DrawFactors(context, size) : fixed;
  // Loops over one side; the other side's indices are computed.
  const bool over_source = context.Percent(50);
  const std::vector<Extent>& looped = over_source ? fixed : to;
  const std::vector<Extent>& computed = over_source ? to : fixed;

  const ScalarType type = context.DrawType();
  const BufferInfo input = context.AddParam("A", type, fixed, context.DrawContents(type));
  BufferInfo output = program.AddOutput(type, to);
  LoopNest nest(context, SpatialAxes(looped), {});
  std::vector<Expr> other = nest.indices();
  if (possible) other = TakeApart(context, computed, Flatten(context, looped, nest.indices()));
  Element element;
  element.buffer = &output;
  element.initialised = true;
  element.indices = over_source ? other : nest.indices();
  Term value = {build::Load(context.function(), input.id, over_source ? nest.indices() : other),
                input.contents};
  std::vector<Stmt> body;
  if (context.Percent(60)) {
    body.push_back(StoreElement(context, element, std::move(value)));
  } else {
    context.values.push_back(std::move(value));
    body = GenerateElement(context, element, 2);
    context.values.pop_back();
  }
  program.Append(nest.Close(std::move(body)));
  if (context.Percent(35)) {
    program.Publish(output);
    BufferInfo last = program.AddOutput(context.DrawType(), to);
    program.Append(GenerateElementwise(context, &last, true, 2));
  }
  return program.Finish();
}

}  // namespace irate
