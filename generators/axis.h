// How one logical axis, an index that runs over [0, extent), is carried out by loops.
//
// Every way visits each index exactly once, so a store at the index of every spatial axis is free
// of races whatever kinds the loops have. Ways that visit more give a condition that holds exactly
// where the index is in range.
#pragma once

#include <vector>

#include "generators/context.h"
#include "ir/irate.pb.h"

namespace irate {

struct Axis {
  Extent extent;
  bool reduction = false;
};

struct PlannedLoop {
  uint32_t variable = 0;
  Expr min;
  Expr extent;
  int64_t step = 1;
  int64_t trips = 1;  // upper bound
  bool reduction = false;
  // The loop's bounds name the variable of the planned loop before it.
  bool follows_previous = false;
};

struct AxisPlan {
  std::vector<PlannedLoop> loops;
  std::vector<Expr> guards;
  Expr index;
};

struct AxisOptions {
  // Only ways that visit the indices in ascending order.
  bool ascending = false;
  // Only ways without guards.
  bool exact = false;
};

// Plans one axis; the loops' variables become known to context.ranges() in the order of the list.
AxisPlan PlanAxis(Context& context, const Axis& axis, const AxisOptions& options);

// Two axes on one loop, indices by div and mod. Needs CanFuse.
bool CanFuse(const Context& context);
struct FusedPlan {
  PlannedLoop loop;
  Expr outer;
  Expr inner;
};
FusedPlan PlanFused(Context& context, const Axis& outer, const Axis& inner);

}  // namespace irate
