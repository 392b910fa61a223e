// Conditions: nested conditionals around stores, conjunctions and negations, loads that are in
// bounds only where the guard holds, and triangular loops.
#include <utility>

#include "generators/condition.h"
#include "generators/family.h"
#include "generators/loop_nest.h"
#include "generators/loop_scope.h"
#include "generators/program.h"
#include "generators/value_expr.h"
#include "ir/builder.h"

namespace irate {
namespace {

using enum Feature;
using build::Binary;

std::vector<Stmt> GuardedElement(Context& context, const Element& element, int nesting) {
  if (nesting <= 0 || !MayIf(context)) return GenerateElement(context, element, 2);
  Expr condition = GenerateCondition(context, 2);
  std::vector<Stmt> then_body;
  std::vector<Stmt> else_body;
  {
    ArmScope arm(context, condition, true);
    then_body = GuardedElement(context, element, nesting - 1);
  }
  if (context.Draw(kStmtElse)) {
    ArmScope arm(context, condition, false);
    else_body = GuardedElement(context, element, nesting - 1);
  }
  std::vector<Stmt> body;
  body.push_back(build::If(MaybeLikely(context, std::move(condition)), std::move(then_body),
                           std::move(else_body)));
  return body;
}

// The bounds of an inner loop in terms of the outer variable `i` in [0, size).
struct Bounds {
  Expr min;
  Expr extent;
  bool triangular = false;
};

Bounds DrawTriangle(Context& context, const Expr& i, const Extent& extent) {
  const auto plus_one = [&](Expr e) { return Binary(ADD, std::move(e), context.IndexConst(1)); };
  const bool offset = context.Allows(kLoopNonzeroMin);
  switch (context.Pick({30, 20, offset ? 30 : 0, offset ? 10 : 0})) {
    case 1:
      return {context.IndexConst(0), Binary(SUB, extent.expr, i), true};
    case 2:
      return {i, Binary(SUB, extent.expr, i), true};
    case 3:
      // Strictly above the diagonal: empty for the last i.
      return {plus_one(i), Binary(SUB, Binary(SUB, extent.expr, i), context.IndexConst(1)), true};
    default:
      return {context.IndexConst(0), plus_one(i), true};
  }
}

// for i: for j in a triangle: guarded store to C[i, j]; perhaps a store per row as well.
std::vector<Stmt> Triangle(Context& context, Program& program) {
  const Extent extent = context.LoopExtent(context.DrawExtent(17));
  BufferInfo output = program.AddOutput(context.DrawType(), {extent, extent});
  LoopFacts facts;
  facts.trips = extent.size;
  facts.constant = extent.expr.op() == CONST;
  facts.independent = true;
  facts.body_has_loops = true;
  LoopScope outer(context, "i", context.IndexConst(0), extent.expr, DrawLoopKind(context, facts));
  std::vector<Stmt> body;
  if (context.Percent(25)) {
    BufferInfo row = program.AddOutput(context.DrawType(), {extent});
    Element element;
    element.buffer = &row;
    element.indices = {outer.Variable()};
    element.initialised = true;
    body = GuardedElement(context, element, 1);
  }
  Bounds bounds = DrawTriangle(context, outer.Variable(), extent);
  LoopFacts inner_facts;
  inner_facts.trips = extent.size;
  inner_facts.constant = false;
  inner_facts.independent = true;
  LoopScope inner(context, "j", std::move(bounds.min), std::move(bounds.extent),
                  DrawLoopKind(context, inner_facts));
  Element element;
  element.buffer = &output;
  element.indices = {outer.Variable(), inner.Variable()};
  element.initialised = true;
  body.push_back(inner.Close(GuardedElement(context, element, 2)));
  std::vector<Stmt> stmts;
  stmts.push_back(outer.Close(std::move(body)));
  return stmts;
}

std::vector<Stmt> Rectangle(Context& context, Program& program) {
  const std::vector<Extent> shape = DrawShape(context, context.Int(1, 3), context.TripBudget());
  const bool several = context.Draw(kStmtSeveralStores);
  BufferInfo output = program.AddOutput(context.DrawType(), shape);
  std::vector<BufferInfo> more;
  if (several) more.push_back(program.AddOutput(context.DrawType(), shape));
  LoopNest nest(context, SpatialAxes(shape), {});
  Element element;
  element.buffer = &output;
  element.indices = nest.indices();
  element.initialised = true;
  std::vector<Stmt> body = GuardedElement(context, element, static_cast<int>(context.Int(1, 3)));
  for (BufferInfo& buffer : more) {
    element.buffer = &buffer;
    AppendTo(&body, GuardedElement(context, element, 2));
  }
  AppendIdle(context, element, &body);
  return nest.Close(std::move(body));
}

}  // namespace

Case GenerateGuardsCase(Context& context) {
  Program program(context);
  if (context.Draw(kParamScalar)) context.AddScalarParam();
  const int64_t nests = context.Int(1, 2);
  for (int64_t i = 0; i < nests; ++i) {
    const bool triangle = context.Allows(kLoopTriangular) && context.Percent(35);
    program.Append(triangle ? Triangle(context, program) : Rectangle(context, program));
  }
  return program.Finish();
}

}  // namespace irate
