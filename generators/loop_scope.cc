#include "generators/loop_scope.h"

#include <utility>

#include "generators/condition.h"
#include "ir/builder.h"

namespace irate {
namespace {

using enum Feature;

constexpr int64_t kMaxUnrolled = 8;
constexpr int64_t kMaxLanes = 32;

}  // namespace

LoopKind DrawLoopKind(Context& context, const LoopFacts& facts) {
  if (context.InLoop(VECTORIZED)) return SERIAL;
  const bool in_serial = context.InLoop(SERIAL);
  const bool in_parallel = context.InLoop(PARALLEL);
  const bool in_unrolled = context.InLoop(UNROLLED);
  const auto nests = [&](bool inside, Feature feature) { return !inside || context.Draw(feature); };
  const auto allocates = [&](Feature feature) {
    return !facts.body_allocates || context.Allows(feature);
  };
  const bool may_vectorize = facts.may_vectorize && facts.independent && facts.constant &&
                             facts.trips >= 1 && facts.trips <= kMaxLanes &&
                             (!facts.body_has_if || context.Allows(kIfInVectorized)) &&
                             (!facts.body_has_loops || context.Draw(kNestLoopInVectorized));
  if (may_vectorize && allocates(kLocalInVectorized) && context.Draw(kLoopVectorized) &&
      nests(in_serial, kNestVectorizedInSerial) && nests(in_parallel, kNestVectorizedInParallel) &&
      nests(in_unrolled, kNestVectorizedInUnrolled)) {
    return VECTORIZED;
  }
  if (facts.independent && !in_parallel && allocates(kLocalInParallel) &&
      context.Draw(kLoopParallel) && nests(in_serial, kNestParallelInSerial) &&
      nests(in_unrolled, kNestParallelInUnrolled)) {
    return PARALLEL;
  }
  if (facts.constant && facts.trips <= kMaxUnrolled && allocates(kLocalInUnrolled) &&
      context.Draw(kLoopUnrolled) && nests(in_serial, kNestUnrolledInSerial) &&
      nests(in_parallel, kNestUnrolledInParallel)) {
    return UNROLLED;
  }
  return SERIAL;
}

LoopScope::LoopScope(Context& context, std::string_view prefix, Expr min, Expr extent,
                     LoopKind kind)
    : context_(context),
      variable_(context.NewVariable(prefix, min.type())),
      min_(std::move(min)),
      extent_(std::move(extent)),
      kind_(kind) {
  const int64_t trips = std::max<int64_t>(context_.ranges().Of(extent_).hi, 0);
  context_.ranges().DefineLoop(variable_, min_, extent_);
  context_.enclosing.push_back({kind, trips});
  context_.axis_variables.push_back(variable_);
}

Stmt LoopScope::Close(std::vector<Stmt> body) {
  context_.enclosing.pop_back();
  context_.axis_variables.pop_back();
  return build::For(variable_, std::move(min_), std::move(extent_), kind_, std::move(body));
}

ArmScope::ArmScope(Context& context, const Expr& condition, bool holds)
    : context_(context), range_mark_(context.ranges().Mark()) {
  context_.ranges().Assume(condition, holds);
  context_.enclosing.push_back({SERIAL, 1, true});
}

ArmScope::~ArmScope() {
  context_.enclosing.pop_back();
  context_.ranges().Restore(range_mark_);
}

bool MayIf(const Context& context) {
  return context.Allows(kStmtIf) && CanCondition(context) &&
         (!context.InIf() || context.Allows(kStmtNestedIf)) &&
         (!context.InLoop(VECTORIZED) || context.Allows(kIfInVectorized));
}

}  // namespace irate
