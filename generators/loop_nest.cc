#include "generators/loop_nest.h"

#include <algorithm>
#include <utility>

#include "fmt/format.h"
#include "generators/condition.h"
#include "generators/loop_scope.h"
#include "ir/builder.h"

namespace irate {

using enum Feature;

LoopNest::LoopNest(Context& context, const std::vector<Axis>& axes, const NestOptions& options)
    : context_(context),
      axis_mark_(context.axis_variables.size()),
      enclosing_mark_(context.enclosing.size()),
      range_mark_(context.ranges().Mark()) {
  const bool structured = context.structured() && context.enclosing.empty();
  is_block_ = options.force_block ||
              (options.may_block && !axes.empty() && (structured || context_.Draw(kBlock)));
  PlanAxes(axes, options);
  if (!options.in_order) OrderLoops();
  DrawKinds(options);
  for (const Expr& guard : guards_) context_.ranges().Assume(guard);
  if (!is_block_ && !guards_.empty()) context_.enclosing.push_back({SERIAL, 1, true});
  if (is_block_) {
    EnterBlock(axes);
  } else {
    BindIndices();
  }
}

// Whether there is something to carry guards: the block's predicate, or a conditional statement.
bool LoopNest::MayGuard() const {
  if (is_block_) return context_.Allows(kBlockPredicate);
  if (context_.InIf() && !context_.Allows(kStmtNestedIf)) return false;
  if (context_.InLoop(VECTORIZED) && !context_.Allows(kIfInVectorized)) return false;
  return context_.Allows(kStmtIf);
}

void LoopNest::PlanAxes(const std::vector<Axis>& axes, const NestOptions& options) {
  const bool may_guard = MayGuard();
  for (size_t i = 0; i < axes.size(); ++i) {
    const bool fuses = i + 1 < axes.size() && axes[i].reduction == axes[i + 1].reduction &&
                       !options.in_order && CanFuse(context_) &&
                       context_.Percent(context_.structured() ? 2 : 10);
    if (fuses) {
      FusedPlan plan = PlanFused(context_, axes[i], axes[i + 1]);
      loops_.push_back(std::move(plan.loop));
      indices_.push_back(std::move(plan.outer));
      indices_.push_back(std::move(plan.inner));
      ++i;
      continue;
    }
    const bool guard_left = guards_.empty() || context_.Allows(kAnd);
    AxisOptions axis_options;
    axis_options.exact = options.exact || !may_guard || !guard_left;
    axis_options.ascending = options.in_order || (options.block_init && axes[i].reduction);
    AxisPlan plan = PlanAxis(context_, axes[i], axis_options);
    for (PlannedLoop& loop : plan.loops) loops_.push_back(std::move(loop));
    for (Expr& guard : plan.guards) guards_.push_back(std::move(guard));
    indices_.push_back(std::move(plan.index));
  }
}

// A random order in which every loop stays inside the one that its bounds name.
void LoopNest::OrderLoops() {
  if (!context_.Percent(context_.structured() ? 15 : 50)) return;
  std::vector<std::vector<PlannedLoop>> groups;
  for (PlannedLoop& loop : loops_) {
    if (!loop.follows_previous) groups.emplace_back();
    groups.back().push_back(std::move(loop));
  }
  loops_.clear();
  while (!groups.empty()) {
    const size_t picked =
        static_cast<size_t>(context_.Int(0, static_cast<int64_t>(groups.size()) - 1));
    loops_.push_back(std::move(groups[picked].front()));
    groups[picked].erase(groups[picked].begin());
    if (groups[picked].empty()) {
      groups.erase(groups.begin() + static_cast<std::ptrdiff_t>(picked));
    }
  }
}

void LoopNest::DrawKinds(const NestOptions& options) {
  for (size_t i = 0; i < loops_.size(); ++i) {
    const PlannedLoop& loop = loops_[i];
    LoopFacts facts;
    facts.trips = loop.trips;
    facts.constant = loop.extent.op() == CONST && loop.min.op() == CONST;
    facts.independent = !loop.reduction && options.may_be_parallel;
    facts.body_has_loops = i + 1 < loops_.size() || options.body_has_loops;
    facts.body_has_if = !guards_.empty() && !is_block_;
    facts.body_allocates = options.for_locals;
    facts.may_vectorize = options.may_vectorize;
    // Kinds are for the schedule to give.
    const bool plain = context_.structured() && context_.Percent(85);
    const LoopKind kind = plain ? SERIAL : DrawLoopKind(context_, facts);
    kinds_.push_back(kind);
    context_.enclosing.push_back({kind, loop.trips});
  }
}

void LoopNest::EnterBlock(const std::vector<Axis>& axes) {
  block_.set_name(fmt::format("b{}", context_.function().variables_size()));
  for (size_t i = 0; i < axes.size(); ++i) {
    const uint32_t variable =
        context_.NewVariable(axes[i].reduction ? "vk" : "v", context_.index_type());
    BlockIter* iter = block_.add_iters();
    iter->set_variable(variable);
    iter->set_kind(axes[i].reduction ? REDUCTION : SPATIAL);
    *iter->mutable_domain()->mutable_min() = context_.IndexConst(0);
    *iter->mutable_domain()->mutable_extent() = axes[i].extent.expr;
    *iter->mutable_binding() = std::move(indices_[i]);
    context_.ranges().DefineLoop(variable, iter->domain().min(), iter->domain().extent());
    indices_[i] = context_.VariableExpr(variable);
    context_.axis_variables.push_back(variable);
  }
  if (!guards_.empty()) *block_.mutable_predicate() = MaybeLikely(context_, Conjunction(guards_));
}

// The axes' indices as variables: the loops' own, or bound by statements, or written out each time.
void LoopNest::BindIndices() {
  for (Expr& index : indices_) {
    if (index.op() == VAR) {
      context_.axis_variables.push_back(index.id());
      continue;
    }
    if (context_.AllowsHere(kStmtBind, kBindInParallel, kBindInVectorized, kBindInUnrolled) &&
        context_.Percent(40)) {
      const uint32_t variable = context_.NewVariable("x", context_.index_type());
      context_.ranges().DefineLet(variable, index);
      prologue_.push_back(build::Bind(variable, std::move(index)));
      index = context_.VariableExpr(variable);
      context_.axis_variables.push_back(variable);
    }
  }
  if (context_.axis_variables.size() > axis_mark_) return;
  for (const PlannedLoop& loop : loops_) context_.axis_variables.push_back(loop.variable);
}

std::vector<Stmt> LoopNest::Close(std::vector<Stmt> body, std::vector<Stmt> init) {
  context_.axis_variables.resize(axis_mark_);
  context_.enclosing.resize(enclosing_mark_);
  context_.ranges().Restore(range_mark_);
  if (!prologue_.empty()) {
    prologue_.insert(prologue_.end(), std::make_move_iterator(body.begin()),
                     std::make_move_iterator(body.end()));
    body = std::move(prologue_);
  }
  if (is_block_) {
    Stmt stmt;
    stmt.set_kind(BLOCK);
    *stmt.mutable_block() = std::move(block_);
    for (Stmt& s : init) *stmt.mutable_block()->add_init() = std::move(s);
    for (Stmt& s : body) *stmt.add_body() = std::move(s);
    body.clear();
    body.push_back(std::move(stmt));
  } else if (!guards_.empty()) {
    Expr guard = MaybeLikely(context_, Conjunction(std::move(guards_)));
    Stmt stmt = build::If(std::move(guard), std::move(body));
    body.clear();
    body.push_back(std::move(stmt));
  }
  for (size_t i = loops_.size(); i-- > 0;) {
    PlannedLoop& loop = loops_[i];
    Stmt stmt = build::For(loop.variable, std::move(loop.min), std::move(loop.extent), kinds_[i],
                           std::move(body));
    if (loop.step != 1) *stmt.add_args() = context_.IndexConst(loop.step);
    body.clear();
    body.push_back(std::move(stmt));
  }
  return body;
}

}  // namespace irate
