// Values carried from one iteration to the next: prefix sums and minima, recurrences, distances
// larger than one, exclusive scans, the carry in the output or in a local.
#include <algorithm>
#include <utility>

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

struct Scan {
  BufferInfo output;
  std::vector<Extent> shape;  // the scanned axis comes last
  Combiner combiner = Combiner::kSum;
  Limit limit;  // of one term
};

Term Combine(Combiner combiner, Term carry, Term term) {
  const Op op = combiner == Combiner::kMin ? MIN : combiner == Combiner::kMax ? MAX : ADD;
  return Apply(op, std::move(carry), std::move(term));
}

// What the carry may be after all terms.
Interval CarryRange(const Scan& scan, const Interval& start, const Interval& term) {
  if (scan.combiner != Combiner::kSum) return Join(start, term);
  int64_t size = 0;
  if (__builtin_mul_overflow(scan.shape.back().size, term.magnitude, &size) ||
      __builtin_add_overflow(size, start.magnitude, &size)) {
    size = kIntervalMax;
  }
  return Interval::Bounds(start.lo >= 0 && term.lo >= 0 ? 0 : -size, size);
}

Term ScanTerm(Context& context, const Scan& scan) {
  return GenerateValue(context, scan.output.type, scan.limit, 2);
}

// C[.., 0 .. d - 1] = term; for i from d: C[.., i] = C[.., i - d] + term.
std::vector<Stmt> CarryInOutput(Context& context, Scan& scan, const std::vector<Expr>& row) {
  const Extent& extent = scan.shape.back();
  const int64_t distance =
      std::min<int64_t>(context.Percent(70) ? 1 : context.Int(2, 3), extent.size);
  std::vector<Stmt> body;
  const auto at = [&row](Expr index) {
    std::vector<Expr> indices = row;
    indices.push_back(std::move(index));
    return indices;
  };
  Interval start = Interval::Point(0);
  for (int64_t i = 0; i < distance; ++i) {
    Term first = GenerateLeaf(context, scan.output.type, scan.limit);
    start = Join(start, first.range);
    body.push_back(build::Store(scan.output.id, std::move(first.expr), at(context.IndexConst(i))));
  }
  if (extent.size == distance) {
    context.WidenContents(&scan.output, start);
    return body;
  }
  // With the loop's minimum at 0 the indices are shifted instead.
  const bool offset = context.Draw(kLoopNonzeroMin) || !context.Allows(kLoopNonzeroMin)
                          ? context.Allows(kLoopNonzeroMin)
                          : context.Percent(50);
  const int64_t count = extent.size - distance;
  if (count == 1 && !context.Allows(kLoopOneExtent)) {
    context.WidenContents(&scan.output, start);
    return body;
  }
  LoopFacts facts;
  facts.trips = count;
  LoopScope loop(context, "t", context.IndexConst(offset ? distance : 0), context.IndexConst(count),
                 DrawLoopKind(context, facts));
  const Expr variable = loop.Variable();
  Expr here = offset ? variable : Binary(ADD, variable, context.IndexConst(distance));
  Expr before = offset ? Binary(SUB, variable, context.IndexConst(distance)) : variable;
  Term term = ScanTerm(context, scan);
  const Interval range = CarryRange(scan, start, term.range);
  Term carry = {build::Load(context.function(), scan.output.id, at(std::move(before))), range};
  Term next = Combine(scan.combiner, std::move(carry), std::move(term));
  std::vector<Stmt> update;
  update.push_back(build::Store(scan.output.id, std::move(next.expr), at(std::move(here))));
  body.push_back(loop.Close(std::move(update)));
  context.WidenContents(&scan.output, range);
  return body;
}

// carry[0] = 0; for i: C[.., i] = carry[0]; carry[0] = carry[0] + term, in either order.
std::vector<Stmt> CarryInLocal(Context& context, Scan& scan, const std::vector<Expr>& row) {
  const Extent extent = context.LoopExtent(scan.shape.back());
  const ScalarType type = scan.output.type;
  LocalBuffer local = MakeLocal(context, type, 1);
  const std::vector<Expr> zero = {context.IndexConst(0)};
  Term first = GenerateLeaf(context, type, scan.limit);
  const Interval start = first.range;
  std::vector<Stmt> body;
  body.push_back(std::move(local.allocation));
  body.push_back(build::Store(local.info.id, std::move(first.expr), zero));
  const bool backward = context.Allows(kIndexNegative) && context.Percent(25);
  LoopFacts facts;
  facts.trips = extent.size;
  facts.constant = extent.expr.op() == CONST;
  LoopScope loop(context, "t", context.IndexConst(0), extent.expr, DrawLoopKind(context, facts));
  std::vector<Expr> indices = row;
  indices.push_back(
      backward ? Binary(SUB, Binary(SUB, extent.expr, context.IndexConst(1)), loop.Variable())
               : loop.Variable());
  Term term = ScanTerm(context, scan);
  const Interval range = CarryRange(scan, start, term.range);
  const Expr carry = build::Load(context.function(), local.info.id, zero);
  Term next = Combine(scan.combiner, {carry, range}, std::move(term));
  Stmt emit = build::Store(scan.output.id, carry, std::move(indices));
  Stmt advance = build::Store(local.info.id, std::move(next.expr), zero);
  // An exclusive scan stores the carry before it advances.
  if (!context.Percent(40)) std::swap(emit, advance);
  std::vector<Stmt> update;
  update.push_back(std::move(emit));
  update.push_back(std::move(advance));
  body.push_back(loop.Close(std::move(update)));
  context.WidenContents(&scan.output, range);
  return body;
}

// C[.., i] = (C[.., i - 1] * a + term) mod m: a recurrence that stays bounded.
std::vector<Stmt> Recurrence(Context& context, Scan& scan, const std::vector<Expr>& row) {
  const Extent extent = context.LoopExtent(scan.shape.back());
  const ScalarType type = scan.output.type;
  const int64_t modulus = context.Int(2, 17);
  LocalBuffer local = MakeLocal(context, type, 1);
  const std::vector<Expr> zero = {context.IndexConst(0)};
  std::vector<Stmt> body;
  body.push_back(std::move(local.allocation));
  body.push_back(
      build::Store(local.info.id, Constant(type, context.Int(0, modulus - 1)).expr, zero));
  LoopFacts facts;
  facts.trips = extent.size;
  facts.constant = extent.expr.op() == CONST;
  LoopScope loop(context, "t", context.IndexConst(0), extent.expr, DrawLoopKind(context, facts));
  Term carry = {build::Load(context.function(), local.info.id, zero),
                Interval::Bounds(0, modulus - 1)};
  Term term = GenerateValue(context, type, {64}, 2);
  Term next =
      Apply(ADD, Apply(MUL, std::move(carry), Constant(type, context.Int(1, 3))), std::move(term));
  next = Apply(FLOOR_MOD, std::move(next), Constant(type, modulus));
  const Interval range = next.range;
  std::vector<Expr> indices = row;
  indices.push_back(loop.Variable());
  std::vector<Stmt> update;
  update.push_back(build::Store(local.info.id, std::move(next.expr), zero));
  update.push_back(build::Store(
      scan.output.id, build::Load(context.function(), local.info.id, zero), std::move(indices)));
  body.push_back(loop.Close(std::move(update)));
  context.WidenContents(&scan.output, range);
  return body;
}

}  // namespace

Case GenerateScanCase(Context& context) {
  Program program(context);
  Scan scan;
  const bool rows = context.Percent(55);
  if (rows) scan.shape = DrawShape(context, 1, 8);
  scan.shape.push_back(context.DrawExtent(17));
  if (context.Draw(kParamScalar)) context.AddScalarParam();
  ScalarType type = context.DrawType();
  const int64_t length = scan.shape.back().size;
  if (type == BOOL || TermLimit(Combiner::kSum, type, length).magnitude < 2) type = I32;
  scan.combiner = context.Allows(kMinMax) && context.Percent(30)
                      ? (context.Percent(50) ? Combiner::kMin : Combiner::kMax)
                      : Combiner::kSum;
  scan.limit = TermLimit(scan.combiner, type, length);
  scan.output = program.AddOutput(type, scan.shape);

  const bool locals = context.Allows(kLocalScalar);
  const bool recurs = locals && context.Allows(kFloorMod) && IsInteger(type) && BitWidth(type) > 8;
  const auto generate = [&](const std::vector<Expr>& row) {
    switch (context.Pick({40, locals ? 35 : 0, recurs ? 20 : 0})) {
      case 1:
        return CarryInLocal(context, scan, row);
      case 2:
        return Recurrence(context, scan, row);
      default:
        return CarryInOutput(context, scan, row);
    }
  };
  if (rows) {
    NestOptions options;
    options.body_has_loops = true;
    options.for_locals = true;
    LoopNest nest(context, SpatialAxes({scan.shape[0]}), options);
    program.Append(nest.Close(generate(nest.indices())));
  } else {
    program.Append(generate({}));
  }
  if (context.Percent(30)) {
    program.Publish(scan.output);
    BufferInfo last = program.AddOutput(context.DrawType(), scan.shape);
    program.Append(GenerateElementwise(context, &last, true, 2));
  }
  return program.Finish();
}

}  // namespace irate
