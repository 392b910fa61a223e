// Loops whose end is found on the way: while loops over a local counter, serial loops left by break
// or cut short by continue.
#include <utility>

#include "generators/condition.h"
#include "generators/family.h"
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

Stmt Jump(StmtKind kind) {
  Stmt stmt;
  stmt.set_kind(kind);
  return stmt;
}

// The accumulation that happens in each iteration, within `element`'s limit for `trips` of them.
struct Accumulation {
  Element element;
  ScalarType type = I32;
  int64_t trips = 1;
};

Stmt Accumulate(Context& context, const Accumulation& sum) {
  const Limit limit = TermLimit(Combiner::kSum, sum.type, sum.trips);
  Term term = GenerateValue(context, sum.type, limit, 2);
  Term self = LoadElement(context, sum.element);
  const int64_t most = TypeLimit(sum.type).magnitude;
  Term next = Apply(ADD, std::move(self), std::move(term));
  context.WidenContents(sum.element.buffer,
                        Interval::Bounds(IsUnsigned(sum.type) ? 0 : -most, most));
  return build::Store(sum.element.buffer->id, std::move(next.expr), sum.element.indices);
}

Stmt StartAtZero(Context& context, const Element& element) {
  context.WidenContents(element.buffer, Interval::Point(0));
  return build::Store(element.buffer->id, Constant(element.buffer->type, 0).expr, element.indices);
}

// c = 0; while c < n [and more]: acc += term; c = c + step
std::vector<Stmt> CountingWhile(Context& context, Accumulation& sum, const Expr& limit,
                                int64_t most) {
  LocalBuffer counter = MakeLocal(context, context.index_type(), 1);
  const std::vector<Expr> zero = {context.IndexConst(0)};
  const int64_t step = context.Percent(70) ? 1 : context.Int(2, 3);
  const Expr count = build::Load(context.function(), counter.info.id, zero);
  context.ranges().SetContents(counter.info.id, Interval::Bounds(0, most + step - 1));
  sum.trips = most;
  std::vector<Stmt> body;
  body.push_back(std::move(counter.allocation));
  body.push_back(build::Store(counter.info.id, context.IndexConst(0), zero));
  Expr condition = CompareLess(context, count, limit);
  if (context.Allows(kAnd) && context.Percent(25)) {
    condition = Binary(AND, std::move(condition), GenerateCondition(context, 1));
  }
  std::vector<Stmt> loop;
  context.enclosing.push_back({SERIAL, most});
  // Inside, the counter is below the limit.
  const uint32_t seen = context.NewVariable("w", context.index_type());
  context.ranges().DefineInterval(seen, Interval::Bounds(0, std::max<int64_t>(most - 1, 0)));
  const bool bind =
      context.AllowsHere(kStmtBind, kBindInParallel, kBindInVectorized, kBindInUnrolled);
  if (bind) {
    loop.push_back(build::Bind(seen, count));
    context.axis_variables.push_back(seen);
  }
  loop.push_back(Accumulate(context, sum));
  if (bind) context.axis_variables.pop_back();
  context.enclosing.pop_back();
  loop.push_back(build::Store(counter.info.id, Binary(ADD, count, context.IndexConst(step)), zero));
  body.push_back(build::While(std::move(condition), std::move(loop)));
  return body;
}

// for k: if condition: break or continue; acc += term
std::vector<Stmt> JumpingLoop(Context& context, Accumulation& sum, const Extent& extent) {
  sum.trips = extent.size;
  LoopScope loop(context, "k", context.IndexConst(0), extent.expr, SERIAL);
  std::vector<Stmt> body;
  if (context.Percent(30)) body.push_back(Accumulate(context, sum));
  // Two accumulations an iteration at most.
  sum.trips *= 2;
  const StmtKind kind =
      context.Pick({context.Weight(kStmtBreak), context.Weight(kStmtContinue)}) == 0 ? BREAK
                                                                                     : CONTINUE;
  std::vector<Stmt> jump;
  if (context.Percent(30)) jump.push_back(Accumulate(context, sum));
  jump.push_back(Jump(kind));
  body.push_back(build::If(GenerateCondition(context, 1), std::move(jump)));
  body.push_back(Accumulate(context, sum));
  std::vector<Stmt> stmts;
  stmts.push_back(loop.Close(std::move(body)));
  return stmts;
}

}  // namespace

Case GenerateWhileCase(Context& context) {
  context.UseStorableIndices();
  Program program(context);
  const std::vector<Extent> shape = DrawShape(context, context.Int(1, 2), 32);
  if (context.Draw(kParamScalar)) context.AddScalarParam();
  ScalarType type = context.DrawType();
  const Extent extent = context.LoopExtent(context.DrawExtent(17));
  if (type == BOOL || TermLimit(Combiner::kSum, type, 4 * extent.size).magnitude < 1) type = I32;
  BufferInfo output = program.AddOutput(type, shape);
  NestOptions options;
  options.body_has_loops = true;
  options.for_locals = true;
  // TVM refuses while loops inside vectorized ones.
  options.may_vectorize = false;
  LoopNest nest(context, SpatialAxes(shape), options);
  Accumulation sum;
  sum.type = type;
  sum.element.buffer = &output;
  sum.element.indices = nest.indices();
  std::vector<Stmt> body;
  body.push_back(StartAtZero(context, sum.element));
  const bool jumps =
      MayIf(context) && (context.Allows(kStmtBreak) || context.Allows(kStmtContinue));
  if (jumps && context.Percent(50)) {
    AppendTo(&body, JumpingLoop(context, sum, extent));
  } else {
    AppendTo(&body, CountingWhile(context, sum, extent.expr, extent.size));
  }
  program.Append(nest.Close(std::move(body)));
  return program.Finish();
}

}  // namespace irate
