// Loads and stores through index buffers: gathers, guarded gathers of indices that may be out of
// range, scatters and histograms, two levels of indirection.
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

// An element of an index buffer, in the index type.
Expr LoadIndex(Context& context, const BufferInfo& buffer, std::vector<Expr> indices) {
  Expr loaded = build::Load(context.function(), buffer.id, std::move(indices));
  if (buffer.type == context.index_type()) return loaded;
  return build::Cast(context.index_type(), std::move(loaded));
}

// I32, or the index type where no conversion may stand in an index.
ScalarType IndexBufferType(const Context& context) {
  const ScalarType index = context.index_type();
  const bool casts = context.Allows(kIndexCast) && context.AllowsCast(index, I32);
  return casts || index == I32 ? I32 : index;
}

// What a gather reads or a scatter writes: more than one element, as a range of 0 alone cannot be
// asked for.
Extent DrawTarget(Context& context) {
  Extent extent = context.DrawExtent(17);
  return extent.size > 1 ? extent : context.ConstantExtent(2);
}

// Indices at these positions, of values in [lo, hi].
BufferInfo AddIndices(Context& context, const std::vector<Extent>& shape, int64_t lo, int64_t hi) {
  return context.AddParam("I", IndexBufferType(context), shape, Interval::Bounds(lo, hi));
}

std::vector<Stmt> Gather(Context& context, Program& program) {
  const std::vector<Extent> shape = DrawShape(context, context.Int(1, 2), context.TripBudget());
  const Extent source = DrawTarget(context);
  const ScalarType type = context.DrawType();
  const bool guard =
      CanOrder(context) &&
      context.AllowsAll({kIfThenElse, kGuardedLoad, kAnd, kIfThenElseInVectorized}) &&
      context.Percent(35);
  const BufferInfo data = context.AddParam("A", type, {source}, context.DrawContents(type));
  const bool strays = guard || context.AllowsAll({kIndexMod, kFloorMod}) ||
                      context.AllowsAll({kIndexMinMax, kMinMax});
  const bool stray = strays && (guard || context.Percent(30));
  const BufferInfo indices =
      AddIndices(context, shape, stray ? -4 : 0, source.size - 1 + (stray ? 4 : 0));
  BufferInfo output = program.AddOutput(type, shape);
  LoopNest nest(context, SpatialAxes(shape), {});
  std::vector<Expr> position;
  position.reserve(shape.size());
  for (size_t d = 0; d < shape.size(); ++d) {
    position.push_back(FitIndex(context, nest.Index(d), indices.shape[d]));
  }
  Expr index = LoadIndex(context, indices, std::move(position));
  Term value;
  if (guard) {
    Expr inside =
        Conjunction({CompareNonNegative(context, index), CompareLess(context, index, source.expr)});
    Term load = {build::Load(context.function(), data.id, {std::move(index)}), data.contents};
    if (type == BOOL && !context.Allows(kBoolConstant)) {
      value = Choose(IF_THEN_ELSE, std::move(inside), std::move(load), GenerateLoad(context, BOOL));
    } else {
      value = Choose(IF_THEN_ELSE, std::move(inside), std::move(load), Constant(type, 0));
    }
  } else {
    index = FitIndex(context, std::move(index), data.shape[0]);
    value = {build::Load(context.function(), data.id, {std::move(index)}), data.contents};
  }
  Element element;
  element.buffer = &output;
  element.indices = nest.indices();
  element.initialised = true;
  std::vector<Stmt> body;
  if (context.Percent(60)) {
    body.push_back(StoreElement(context, element, std::move(value)));
  } else {
    context.values.push_back(std::move(value));
    body = GenerateElement(context, element, 2);
    context.values.pop_back();
  }
  return nest.Close(std::move(body));
}

// out[I[i]] = value or out[I[i]] += value: iterations may meet, so their order is kept.
std::vector<Stmt> Scatter(Context& context, Program& program) {
  const std::vector<Extent> shape = DrawShape(context, 1, context.TripBudget());
  const Extent target = DrawTarget(context);
  ScalarType type = context.DrawType();
  const bool adds = type != BOOL && context.Percent(55) &&
                    TermLimit(Combiner::kSum, type, shape[0].size).magnitude >= 8;
  const BufferInfo indices = AddIndices(context, shape, 0, target.size - 1);
  BufferInfo output = program.AddOutput(type, {target});
  NestOptions options;
  options.may_be_parallel = false;
  options.may_block = false;
  LoopNest nest(context, SpatialAxes(shape), options);
  Expr index = FitIndex(context, LoadIndex(context, indices, nest.indices()), output.shape[0]);
  Limit limit = TypeLimit(type);
  Interval range;
  Term value;
  if (adds) {
    limit = {(limit.magnitude - output.contents.magnitude) / (shape[0].size + 1)};
    Term term = GenerateValue(context, type, limit, 2);
    const int64_t size =
        MagnitudeOfSum(output.contents.magnitude, shape[0].size, term.range.magnitude);
    range = Interval::Bounds(IsUnsigned(type) ? 0 : -size, size);
    Term self = {build::Load(context.function(), output.id, {index}), output.contents};
    value = Apply(ADD, std::move(self), std::move(term));
  } else {
    value = GenerateValue(context, type, limit, 2);
    range = value.range;
  }
  context.WidenContents(&output, range);
  std::vector<Stmt> body;
  body.push_back(build::Store(output.id, std::move(value.expr), {std::move(index)}));
  return nest.Close(std::move(body));
}

// out[i] = A[I[J[i]]]
std::vector<Stmt> TwoLevels(Context& context, Program& program) {
  const std::vector<Extent> shape = DrawShape(context, 1, context.TripBudget());
  const Extent middle = DrawTarget(context);
  const Extent source = DrawTarget(context);
  const ScalarType type = context.DrawType();
  const BufferInfo data = context.AddParam("A", type, {source}, context.DrawContents(type));
  const BufferInfo inner = AddIndices(context, shape, 0, middle.size - 1);
  const BufferInfo outer = AddIndices(context, {middle}, 0, source.size - 1);
  BufferInfo output = program.AddOutput(type, shape);
  LoopNest nest(context, SpatialAxes(shape), {});
  Expr index = LoadIndex(context, outer, {LoadIndex(context, inner, nest.indices())});
  Element element;
  element.buffer = &output;
  element.indices = nest.indices();
  std::vector<Stmt> body;
  body.push_back(
      StoreElement(context, element,
                   {build::Load(context.function(), data.id, {std::move(index)}), data.contents}));
  return nest.Close(std::move(body));
}

}  // namespace

Case GenerateGatherCase(Context& context) {
  context.UseStorableIndices();
  Program program(context);
  switch (context.Pick({50, 30, 20})) {
    case 1:
      program.Append(Scatter(context, program));
      break;
    case 2:
      program.Append(TwoLevels(context, program));
      break;
    default:
      program.Append(Gather(context, program));
      break;
  }
  return program.Finish();
}

}  // namespace irate
