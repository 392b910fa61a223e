#include "generators/element.h"

#include <algorithm>
#include <utility>

#include "generators/condition.h"
#include "generators/index_expr.h"
#include "generators/loop_scope.h"
#include "generators/value_expr.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using enum Feature;

Limit LimitOf(const Element& element) {
  const Limit most = TypeLimit(element.buffer->type);
  return element.limit.magnitude == 0 ? most
                                      : Limit{std::min(element.limit.magnitude, most.magnitude)};
}

bool MayLoop(const Context& context) {
  return !context.InLoop(VECTORIZED) || context.Allows(kNestLoopInVectorized);
}

void Append(std::vector<Stmt>* body, std::vector<Stmt> more) {
  body->insert(body->end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
}

std::vector<Stmt> Plain(Context& context, const Element& element, int depth) {
  std::vector<Stmt> body;
  body.push_back(StoreElement(
      context, element, GenerateValue(context, element.buffer->type, LimitOf(element), depth)));
  return body;
}

// v = value; what follows may use v.
std::vector<Stmt> Bound(Context& context, const Element& element, int depth) {
  const ScalarType type = context.Percent(60) ? element.buffer->type : context.DrawType();
  Term value = GenerateValue(context, type, TypeLimit(type), depth - 1);
  const uint32_t variable = context.NewVariable("v", type);
  context.ranges().DefineLet(variable, value.expr, value.range);
  std::vector<Stmt> body;
  body.push_back(build::Bind(variable, std::move(value.expr)));
  Term visible;
  visible.expr = context.VariableExpr(variable);
  visible.range = value.range;
  context.values.push_back(std::move(visible));
  Append(&body, GenerateElement(context, element, depth - 1));
  context.values.pop_back();
  return body;
}

std::vector<Stmt> Conditional(Context& context, const Element& element, int depth) {
  Expr condition = GenerateCondition(context, 2);
  std::vector<Stmt> then_body;
  std::vector<Stmt> else_body;
  const bool has_else = context.Allows(kStmtElse) && (!element.initialised || context.Percent(60));
  std::vector<Stmt> before;
  // Without a second arm something has to be stored in any case.
  if (!has_else && !element.initialised) before = Plain(context, element, 1);
  {
    ArmScope arm(context, condition, true);
    then_body = GenerateElement(context, element, depth - 1);
  }
  if (has_else) {
    ArmScope arm(context, condition, false);
    else_body = GenerateElement(context, element, depth - 1);
  }
  before.push_back(build::If(MaybeLikely(context, std::move(condition)), std::move(then_body),
                             std::move(else_body)));
  return before;
}

// A one-element buffer, stored once or twice and read.
std::vector<Stmt> ThroughScalar(Context& context, const Element& element, int depth) {
  const ScalarType type = context.Percent(70) ? element.buffer->type : context.DrawType();
  LocalBuffer local = MakeLocal(context, type, 1);
  Element inner;
  inner.buffer = &local.info;
  inner.indices = {context.IndexConst(0)};
  inner.limit = {TypeLimit(type).magnitude / 2};
  std::vector<Stmt> body;
  body.push_back(std::move(local.allocation));
  body.push_back(
      StoreElement(context, inner, GenerateValue(context, type, inner.limit, depth - 1)));
  if (MayIf(context) && context.Percent(40)) {
    inner.initialised = true;
    context.values.push_back(LoadElement(context, inner));
    Append(&body, Conditional(context, inner, 1));
    context.values.pop_back();
  }
  context.values.push_back(LoadElement(context, inner));
  Append(&body, GenerateElement(context, element, depth - 1));
  context.values.pop_back();
  return body;
}

// A small array filled by one loop and read at any place.
std::vector<Stmt> ThroughArray(Context& context, const Element& element, int depth) {
  const ScalarType type = context.Percent(70) ? element.buffer->type : context.DrawType();
  const int64_t length = context.Int(2, 5);
  LocalBuffer local = MakeLocal(context, type, length);
  std::vector<Stmt> body;
  body.push_back(std::move(local.allocation));
  LoopFacts facts;
  facts.trips = length;
  facts.independent = true;
  LoopScope loop(context, "u", context.IndexConst(0), context.IndexConst(length),
                 DrawLoopKind(context, facts));
  Element inner;
  inner.buffer = &local.info;
  inner.indices = {loop.Variable()};
  inner.limit = {TypeLimit(type).magnitude / 2};
  std::vector<Stmt> fill;
  fill.push_back(
      StoreElement(context, inner, GenerateValue(context, type, inner.limit, depth - 1)));
  body.push_back(loop.Close(std::move(fill)));
  context.readable.push_back(local.info);
  context.values.push_back(GenerateLoadOf(context, local.info));
  Append(&body, GenerateElement(context, element, depth - 1));
  context.values.pop_back();
  const auto same = [&](const BufferInfo& buffer) { return buffer.id == local.info.id; };
  context.readable.erase(std::find_if(context.readable.begin(), context.readable.end(), same));
  return body;
}

// element = value; for ...: element = element + value, or min, or max.
std::vector<Stmt> Accumulated(Context& context, const Element& element, int depth) {
  const ScalarType type = element.buffer->type;
  const int64_t trips = context.DrawSize(std::min<int64_t>(context.TripBudget(), 9));
  const Limit limit = LimitOf(element);
  const Limit part = {limit.magnitude / (trips + 1)};
  std::vector<Stmt> body = {StoreElement(context, element, GenerateLeaf(context, type, part))};
  LoopFacts facts;
  facts.trips = trips;
  LoopScope loop(context, "k", context.IndexConst(0), context.IndexConst(trips),
                 DrawLoopKind(context, facts));
  const bool adds = !context.Allows(kMinMax) || context.Percent(60);
  // A sum whose terms grow with the sum has no bound.
  std::vector<Term> visible = context.values;
  std::erase_if(context.values, [&](const Term& term) {
    return term.expr.op() == LOAD && term.expr.id() == element.buffer->id;
  });
  Term value = GenerateValue(context, type, part, depth - 1);
  context.values = std::move(visible);
  Term self = LoadElement(context, element);
  Term next = Apply(adds ? ADD : (context.Percent(50) ? MIN : MAX), std::move(self), value);
  // The sum of all iterations, not of one.
  next.range = adds ? Interval::Bounds(IsUnsigned(type) ? 0 : -limit.magnitude, limit.magnitude)
                    : Join(element.buffer->contents, value.range);
  std::vector<Stmt> update;
  update.push_back(build::Store(element.buffer->id, std::move(next.expr), element.indices));
  body.push_back(loop.Close(std::move(update)));
  context.WidenContents(element.buffer, next.range);
  return body;
}

// A first value, then one computed from it.
std::vector<Stmt> Rewritten(Context& context, const Element& element, int depth) {
  std::vector<Stmt> body;
  if (!element.initialised) body = Plain(context, element, depth - 1);
  context.values.push_back(LoadElement(context, element));
  Element again = element;
  again.initialised = true;
  Append(&body, GenerateElement(context, again, depth - 1));
  context.values.pop_back();
  return body;
}

}  // namespace

bool MayLocal(const Context& context, Feature feature) {
  return context.AllowsHere(feature, kLocalInParallel, kLocalInVectorized, kLocalInUnrolled);
}

LocalBuffer MakeLocal(Context& context, ScalarType type, int64_t elements) {
  LocalBuffer local;
  local.info = context.AddLocal("L", type, {context.ConstantExtent(elements)});
  if (context.Percent(60)) {
    context.function().mutable_buffers(static_cast<int>(local.info.id))->set_scope("local");
  }
  context.ranges().SetContents(local.info.id, local.info.contents);
  local.allocation = build::Alloc(local.info.id);
  return local;
}

Stmt StoreElement(Context& context, const Element& element, Term value) {
  value = Shrink(context, std::move(value), LimitOf(element));
  context.WidenContents(element.buffer, value.range);
  return build::Store(element.buffer->id, std::move(value.expr), element.indices);
}

Term LoadElement(Context& context, const Element& element) {
  Term result;
  result.range = element.buffer->contents;
  result.expr = build::Load(context.function(), element.buffer->id, element.indices);
  return result;
}

void AppendIdle(Context& context, const Element& element, std::vector<Stmt>* body) {
  const bool serial = !context.InLoop(PARALLEL) && !context.InLoop(VECTORIZED);
  if (!context.InLoop(VECTORIZED) && context.Draw(kLoopZeroExtent)) {
    LoopScope loop(context, "z", context.IndexConst(0), context.IndexConst(0), SERIAL);
    std::vector<Stmt> inner;
    inner.push_back(StoreElement(context, element,
                                 GenerateLeaf(context, element.buffer->type, LimitOf(element))));
    body->push_back(loop.Close(std::move(inner)));
  }
  if (!serial || context.axis_variables.empty() || !CanOrder(context)) return;
  const Expr index = GenerateIndex(context, 1);
  const Interval range = context.ranges().Of(index);
  if (context.Draw(kStmtAssert)) {
    Stmt stmt;
    stmt.set_kind(ASSERT);
    stmt.set_name("RuntimeError");
    stmt.add_strings("an index is larger than it can be");
    *stmt.add_args() = CompareLess(context, index, context.IndexConst(range.hi + 1));
    body->push_back(std::move(stmt));
  }
  if (context.Draw(kStmtAssume)) {
    Expr condition = CompareLess(context, index, context.IndexConst(range.hi + 1));
    body->push_back(build::Evaluate(build::Call("assume", BOOL, {std::move(condition)})));
  }
}

std::vector<Stmt> GenerateElement(Context& context, const Element& element, int depth) {
  if (depth <= 0 || context.node_budget <= 0) return Plain(context, element, std::max(depth, 0));
  const bool conditional = MayIf(context);
  const bool accumulates = MayLoop(context) && LimitOf(element).magnitude >= 32 &&
                           element.buffer->type != BOOL && context.TripBudget() >= 2;
  switch (context.Pick({
      context.structured() ? 250 : 40,
      context.AllowsHere(kStmtBind, kBindInParallel, kBindInVectorized, kBindInUnrolled)
          ? context.local_bias * context.Weight(kStmtBind)
          : 0,
      conditional ? context.Weight(kStmtIf) : 0,
      MayLocal(context, kLocalScalar) ? context.local_bias * context.Weight(kLocalScalar) : 0,
      MayLocal(context, kLocalArray) && context.InAnyLoop() && MayLoop(context)
          ? context.local_bias * context.Weight(kLocalArray)
          : 0,
      accumulates ? 6 : 0,
      4,
  })) {
    case 1:
      return Bound(context, element, depth);
    case 2:
      return Conditional(context, element, depth);
    case 3:
      return ThroughScalar(context, element, depth);
    case 4:
      return ThroughArray(context, element, depth);
    case 5:
      return Accumulated(context, element, depth);
    case 6:
      return Rewritten(context, element, depth);
    default:
      return Plain(context, element, depth);
  }
}

}  // namespace irate
