// A nest of loops over logical axes: how the axes are carried out, the loops' order and kinds,
// guards, and the block around the body.
//
//   LoopNest nest(context, axes, options);   // loops are entered: variables are in scope
//   ... statements that use nest.Index(0) ...
//   std::vector<Stmt> stmts = nest.Close(std::move(body));
//
// Between the two, context.axis_variables has the axes' variables and context.enclosing the loops.
#pragma once

#include <utility>
#include <vector>

#include "generators/axis.h"
#include "generators/context.h"
#include "ir/irate.pb.h"

namespace irate {

struct NestOptions {
  bool may_block = true;
  bool force_block = false;
  // Reduction axes ascend, so that a block's init comes before the updates.
  bool block_init = false;
  // Spatial axes may be parallel and vectorized (not where iterations depend on each other).
  bool may_be_parallel = true;
  bool may_vectorize = true;
  // Every iteration of the loops runs the body: no guards.
  bool exact = false;
  // Loops keep the order of the axes and every axis is ascending.
  bool in_order = false;
  // The body will contain loops.
  bool body_has_loops = false;
  // The body will allocate: only kinds of loops in which allocations are switched on.
  bool for_locals = false;
};

class LoopNest {
 public:
  LoopNest(Context& context, const std::vector<Axis>& axes, const NestOptions& options);
  LoopNest(const LoopNest&) = delete;
  LoopNest& operator=(const LoopNest&) = delete;

  const Expr& Index(size_t axis) const { return indices_[axis]; }
  const std::vector<Expr>& indices() const { return indices_; }
  bool is_block() const { return is_block_; }
  // Adds to the block; only where is_block().
  void Match(MatchBuffer match) { *block_.add_match_buffers() = std::move(match); }

  // `init` only where is_block() and options.block_init. Leaves the scope.
  std::vector<Stmt> Close(std::vector<Stmt> body, std::vector<Stmt> init = {});

 private:
  void PlanAxes(const std::vector<Axis>& axes, const NestOptions& options);
  void OrderLoops();
  bool MayGuard() const;
  void DrawKinds(const NestOptions& options);
  void EnterBlock(const std::vector<Axis>& axes);
  void BindIndices();

  Context& context_;
  std::vector<PlannedLoop> loops_;
  std::vector<LoopKind> kinds_;
  std::vector<Expr> guards_;
  std::vector<Expr> indices_;
  std::vector<Stmt> prologue_;
  Block block_;
  bool is_block_ = false;
  size_t axis_mark_ = 0;
  size_t enclosing_mark_ = 0;
  size_t range_mark_ = 0;
};

}  // namespace irate
