// The place of a minimum or maximum together with its value: two results that are updated together,
// by a conditional statement or by two choices, in locals or in the outputs.
#include <utility>

#include "generators/condition.h"
#include "generators/family.h"
#include "generators/loop_nest.h"
#include "generators/loop_scope.h"
#include "generators/program.h"
#include "generators/value_expr.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using enum Feature;
using build::Binary;

// Where the running best is kept.
struct Pair {
  BufferInfo place;
  BufferInfo value;
  std::vector<Expr> indices;
};

Expr LoadOf(Context& context, const BufferInfo& buffer, const std::vector<Expr>& indices) {
  return build::Load(context.function(), buffer.id, indices);
}

// Whether `candidate` beats `best`: strictly, or also on a tie, so that the first or the last wins.
Expr Beats(Context& context, bool is_min, Expr candidate, Expr best) {
  if (is_min) std::swap(candidate, best);
  switch (context.Pick({context.Weight(kGreater), context.Weight(kLess),
                        context.Weight(kGreaterEqual), context.Weight(kLessEqual)})) {
    case 1:
      return Binary(LT, std::move(best), std::move(candidate));
    case 2:
      return Binary(GE, std::move(candidate), std::move(best));
    case 3:
      return Binary(LE, std::move(best), std::move(candidate));
    default:
      return Binary(GT, std::move(candidate), std::move(best));
  }
}

std::vector<Stmt> Update(Context& context, const Pair& pair, bool is_min, bool by_if, Expr here,
                         Expr candidate) {
  const Expr value = LoadOf(context, pair.value, pair.indices);
  const Expr place = LoadOf(context, pair.place, pair.indices);
  Expr beats = Beats(context, is_min, candidate, value);
  std::vector<Stmt> body;
  if (by_if) {
    std::vector<Stmt> stores;
    stores.push_back(build::Store(pair.place.id, std::move(here), pair.indices));
    stores.push_back(build::Store(pair.value.id, std::move(candidate), pair.indices));
    if (context.Percent(50)) std::swap(stores[0], stores[1]);
    body.push_back(build::If(std::move(beats), std::move(stores)));
    return body;
  }
  // The place first: the comparison reads the value.
  body.push_back(
      build::Store(pair.place.id, build::Select(beats, std::move(here), place), pair.indices));
  body.push_back(build::Store(
      pair.value.id, build::Select(std::move(beats), std::move(candidate), value), pair.indices));
  return body;
}

}  // namespace

Case GenerateArgReduceCase(Context& context) {
  context.UseStorableIndices();
  Program program(context);
  ScalarType type = context.DrawType();
  if (type == BOOL) type = I32;
  const std::vector<Extent> shape = DrawShape(context, 1, 16);
  const Extent reduced = context.DrawExtent(17);
  const BufferInfo input =
      context.AddParam("A", type, {shape[0], reduced}, context.DrawContents(type));
  program.Publish(input);
  const ScalarType place_type = context.index_type();
  const bool is_min = context.Percent(50);
  const bool local = context.Allows(kLocalScalar) && context.Percent(50);
  BufferInfo place = program.AddOutput(place_type, shape);
  BufferInfo value = program.AddOutput(type, shape);

  NestOptions options;
  options.body_has_loops = true;
  options.for_locals = local;
  LoopNest nest(context, SpatialAxes(shape), options);
  std::vector<Stmt> body;
  Pair pair = {place, value, nest.indices()};
  if (local) {
    LocalBuffer local_place = MakeLocal(context, place_type, 1);
    LocalBuffer local_value = MakeLocal(context, type, 1);
    body.push_back(std::move(local_place.allocation));
    body.push_back(std::move(local_value.allocation));
    pair = {local_place.info, local_value.info, {context.IndexConst(0)}};
  }
  const int64_t worst = TypeLimit(type).magnitude;
  const int64_t start = is_min ? worst : (IsUnsigned(type) ? 0 : -worst);
  body.push_back(build::Store(pair.place.id, context.IndexConst(0), pair.indices));
  body.push_back(build::Store(pair.value.id, Constant(type, start).expr, pair.indices));

  LoopFacts facts;
  const Extent extent = context.LoopExtent(reduced);
  facts.trips = extent.size;
  facts.constant = extent.expr.op() == CONST;
  const bool by_if = MayIf(context) && context.Percent(50);
  LoopScope loop(context, "k", context.IndexConst(0), extent.expr, DrawLoopKind(context, facts));
  Term candidate = {LoadOf(context, input, {nest.Index(0), loop.Variable()}), input.contents};
  body.push_back(
      loop.Close(Update(context, pair, is_min, by_if, loop.Variable(), std::move(candidate.expr))));
  if (local) {
    body.push_back(
        build::Store(place.id, LoadOf(context, pair.place, pair.indices), nest.indices()));
    body.push_back(
        build::Store(value.id, LoadOf(context, pair.value, pair.indices), nest.indices()));
  }
  context.WidenContents(&place, Interval::Bounds(0, reduced.size - 1));
  context.WidenContents(&value, Join(input.contents, Interval::Point(start)));
  program.Append(nest.Close(std::move(body)));
  return program.Finish();
}

}  // namespace irate
