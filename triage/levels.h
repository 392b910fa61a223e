// Parts of a Case as sets of which some may go: what delta debugging works on.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ir/irate.pb.h"
#include "triage/delta_debugging.h"

namespace irate {

struct ReductionSet {
  std::string name;
  int (*count)(const Case& test_case, int level);
  // Leaves the elements of `kept` and takes away the others.
  void (*keep)(Case* test_case, int level, const KeptSet& kept);
  bool has_levels = false;  // else only level 0
};

// Passes, schedule steps, options, functions; statements and expressions by their nesting depth.
const std::vector<ReductionSet>& ReductionSets();

}  // namespace irate
