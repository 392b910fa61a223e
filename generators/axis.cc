#include "generators/axis.h"

#include <utility>

#include "generators/condition.h"
#include "ir/builder.h"

namespace irate {
namespace {

using enum Feature;
using build::Binary;

enum Way : size_t {
  kPlain,
  kOffset,
  kBackward,
  kSplit,
  kSplitStrided,
  kSplitShortTail,
  kTooLong,
  kTooEarly,
  kStep,
  kStepSplit,
  kRotate,
  kFlipBits,
};

PlannedLoop Loop(Context& context, const Axis& axis, Expr min, Expr extent, int64_t trips) {
  PlannedLoop loop;
  loop.variable = context.NewVariable(axis.reduction ? "k" : "i", context.index_type());
  loop.min = std::move(min);
  loop.extent = std::move(extent);
  loop.trips = trips;
  loop.reduction = axis.reduction;
  return loop;
}

void Define(Context& context, const PlannedLoop& loop) {
  context.ranges().DefineLoop(loop.variable, loop.min, loop.extent, loop.step);
}

// ceil(extent / factor)
Expr CeilDiv(Context& context, const Extent& extent, int64_t factor) {
  if (extent.expr.op() == CONST) return context.IndexConst((extent.size + factor - 1) / factor);
  return Binary(FLOOR_DIV, Binary(ADD, extent.expr, context.IndexConst(factor - 1)),
                context.IndexConst(factor));
}

Expr PlusConstant(Context& context, const Expr& a, int64_t value) {
  if (a.op() == CONST) return context.IndexConst(a.int_value() + value);
  return Binary(ADD, a, context.IndexConst(value));
}

Way DrawWay(Context& context, const Axis& axis, const AxisOptions& options) {
  const Extent& extent = axis.extent;
  const bool constant = extent.expr.op() == CONST;
  const int64_t size = extent.size;
  const bool order = !options.ascending;
  const bool may_guard = !options.exact && CanOrder(context);
  const bool scaled =
      context.Allows(kIndexScaled) && size >= 2 && (constant || context.Allows(kFloorDiv));
  const bool power = constant && size >= 2 && (size & (size - 1)) == 0;
  const bool divides = context.AllowsAll({kFloorDiv, kIndexDiv});
  const auto weight = [](bool allowed, int value) { return allowed ? value : 0; };
  return static_cast<Way>(context.Pick({
      60,
      weight(context.Allows(kLoopNonzeroMin), 8),
      weight(order && context.Allows(kIndexNegative), 8),
      weight(scaled && (may_guard || (constant && size % 2 == 0)), 12),
      weight(scaled && order && constant && (may_guard || size % 2 == 0), 4),
      weight(scaled && context.AllowsAll({kMinMax, kLoopTriangular}), 4),
      weight(may_guard, 6),
      weight(may_guard && context.Allows(kLoopNonzeroMin), 4),
      weight(constant && divides && context.Allows(kLoopStep), 4),
      weight(constant && size >= 2 && context.AllowsAll({kLoopStep, kLoopTriangular, kMinMax}), 4),
      weight(order && context.AllowsAll({kIndexMod, kFloorMod}) &&
                 (constant || context.Allows(kVariableDivisor)),
             5),
      weight(order && power && context.AllowsAll({kIndexBits, kBitXor}), 3),
  }));
}

AxisPlan PlanPlain(Context& context, const Axis& axis, const Extent& extent) {
  AxisPlan plan;
  plan.loops.push_back(Loop(context, axis, context.IndexConst(0), extent.expr, extent.size));
  plan.index = context.VariableExpr(plan.loops[0].variable);
  Define(context, plan.loops[0]);
  return plan;
}

// outer * factor + inner, or inner * count + outer.
AxisPlan PlanSplit(Context& context, const Axis& axis, const Extent& extent, bool strided,
                   bool may_guard) {
  const bool constant = extent.expr.op() == CONST;
  const int64_t size = extent.size;
  int64_t factor = context.Percent(60) ? context.Int(2, 4) : context.Edge(2, 16);
  // A factor of at least the size leaves an outer loop of one iteration.
  if (factor >= size && !context.Allows(kLoopOneExtent)) factor = 2;
  const bool exact = constant && size % factor == 0;
  if (!exact && !may_guard) factor = 2;
  const int64_t count = (size + factor - 1) / factor;
  if (constant && count == 1 && !context.Allows(kLoopOneExtent)) {
    return PlanPlain(context, axis, extent);
  }
  AxisPlan plan;
  Expr count_expr = CeilDiv(context, extent, factor);
  plan.loops.push_back(Loop(context, axis, context.IndexConst(0), count_expr, count));
  plan.loops.push_back(
      Loop(context, axis, context.IndexConst(0), context.IndexConst(factor), factor));
  for (const PlannedLoop& loop : plan.loops) Define(context, loop);
  Expr outer = context.VariableExpr(plan.loops[0].variable);
  Expr inner = context.VariableExpr(plan.loops[1].variable);
  plan.index =
      strided ? Binary(ADD, Binary(MUL, std::move(inner), std::move(count_expr)), std::move(outer))
              : Binary(ADD, Binary(MUL, std::move(outer), context.IndexConst(factor)),
                       std::move(inner));
  if (!(constant && size % factor == 0)) {
    plan.guards.push_back(CompareLess(context, plan.index, extent.expr));
  }
  return plan;
}

// The inner loop ends where the axis does.
AxisPlan PlanShortTail(Context& context, const Axis& axis, const Extent& extent, bool by_step) {
  const int64_t size = extent.size;
  const int64_t factor = context.Int(2, 5);
  const int64_t count = (size + factor - 1) / factor;
  if (count == 1 && !by_step && !context.Allows(kLoopOneExtent)) {
    return PlanPlain(context, axis, extent);
  }
  AxisPlan plan;
  if (by_step) {
    plan.loops.push_back(Loop(context, axis, context.IndexConst(0), extent.expr, count));
    plan.loops[0].step = factor;
  } else {
    plan.loops.push_back(
        Loop(context, axis, context.IndexConst(0), CeilDiv(context, extent, factor), count));
  }
  Define(context, plan.loops[0]);
  Expr start = context.VariableExpr(plan.loops[0].variable);
  if (!by_step) start = Binary(MUL, std::move(start), context.IndexConst(factor));
  Expr length = Binary(MIN, context.IndexConst(factor), Binary(SUB, extent.expr, start));
  plan.loops.push_back(Loop(context, axis, context.IndexConst(0), std::move(length), factor));
  plan.loops[1].follows_previous = true;
  Define(context, plan.loops[1]);
  plan.index = Binary(ADD, std::move(start), context.VariableExpr(plan.loops[1].variable));
  return plan;
}

AxisPlan PlanSingle(Context& context, const Axis& axis, const Extent& extent, Way way) {
  const int64_t size = extent.size;
  AxisPlan plan;
  Expr min = context.IndexConst(0);
  Expr length = extent.expr;
  int64_t trips = size;
  int64_t step = 1;
  int64_t amount = context.Int(1, 3);
  switch (way) {
    case kOffset:
      amount = context.Edge(-5, 8);
      if (amount == 0) amount = 1;
      min = context.IndexConst(amount);
      break;
    case kTooLong:
      length = PlusConstant(context, length, amount);
      trips += amount;
      break;
    case kTooEarly:
      min = context.IndexConst(-amount);
      length = PlusConstant(context, length, amount);
      trips += amount;
      break;
    case kStep:
      step = context.Int(2, 4);
      // Any length with the same number of iterations will do.
      length = context.IndexConst(size * step - (context.Percent(50) ? 0 : step - 1));
      break;
    default:
      break;
  }
  plan.loops.push_back(Loop(context, axis, std::move(min), std::move(length), trips));
  plan.loops[0].step = step;
  Define(context, plan.loops[0]);
  Expr variable = context.VariableExpr(plan.loops[0].variable);
  switch (way) {
    case kOffset:
      plan.index = amount > 0 ? Binary(SUB, std::move(variable), context.IndexConst(amount))
                              : Binary(ADD, std::move(variable), context.IndexConst(-amount));
      break;
    case kBackward:
      plan.index = Binary(SUB, PlusConstant(context, extent.expr, -1), std::move(variable));
      break;
    case kTooLong:
      plan.index = std::move(variable);
      plan.guards.push_back(CompareLess(context, plan.index, extent.expr));
      break;
    case kTooEarly:
      plan.index = std::move(variable);
      plan.guards.push_back(CompareNonNegative(context, plan.index));
      break;
    case kStep:
      plan.index = Binary(FLOOR_DIV, std::move(variable), context.IndexConst(step));
      break;
    case kRotate:
      plan.index =
          Binary(FLOOR_MOD, Binary(ADD, std::move(variable), context.IndexConst(context.Int(1, 5))),
                 extent.expr);
      break;
    case kFlipBits:
      plan.index =
          Binary(BIT_XOR, std::move(variable), context.IndexConst(context.Int(1, size - 1)));
      break;
    default:
      plan.index = std::move(variable);
      break;
  }
  return plan;
}

}  // namespace

AxisPlan PlanAxis(Context& context, const Axis& axis, const AxisOptions& options) {
  const Extent extent = context.LoopExtent(axis.extent);
  const bool plain = context.structured() && context.Percent(88);
  const Way way = plain ? kPlain : DrawWay(context, {extent, axis.reduction}, options);
  switch (way) {
    case kSplit:
    case kSplitStrided:
      return PlanSplit(context, axis, extent, way == kSplitStrided,
                       !options.exact && CanOrder(context));
    case kSplitShortTail:
      return PlanShortTail(context, axis, extent, false);
    case kStepSplit:
      return PlanShortTail(context, axis, extent, true);
    default:
      return PlanSingle(context, axis, extent, way);
  }
}

bool CanFuse(const Context& context) {
  return context.AllowsAll({kIndexDiv, kIndexMod}) &&
         (context.AllowsAll({kFloorDiv, kFloorMod}) || context.AllowsAll({kTruncDiv, kTruncMod}));
}

FusedPlan PlanFused(Context& context, const Axis& outer, const Axis& inner) {
  const Extent a = context.LoopExtent(outer.extent);
  Extent b = context.LoopExtent(inner.extent);
  if (b.expr.op() != CONST && !context.Allows(kVariableDivisor)) b = context.ConstantExtent(b.size);
  const int64_t size = a.size * b.size;
  Expr length = a.expr.op() == CONST && b.expr.op() == CONST ? context.IndexConst(size)
                                                             : Binary(MUL, a.expr, b.expr);
  FusedPlan plan;
  plan.loop = Loop(context, outer, context.IndexConst(0), std::move(length), size);
  Define(context, plan.loop);
  const bool floors = context.AllowsAll({kFloorDiv, kFloorMod});
  const bool truncates = context.AllowsAll({kTruncDiv, kTruncMod});
  const bool floor = floors && (!truncates || context.Percent(70));
  const Expr variable = context.VariableExpr(plan.loop.variable);
  plan.outer = Binary(floor ? FLOOR_DIV : TRUNC_DIV, variable, b.expr);
  plan.inner = Binary(floor ? FLOOR_MOD : TRUNC_MOD, variable, b.expr);
  return plan;
}

}  // namespace irate
