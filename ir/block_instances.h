// What the instances of a function's blocks do, found by going through them: loops and iterators
// take their values, data stays unknown. For the contract of schedules (ir/schedule_validity.h);
// what it says holds for the given values of the dimension variables.
//
// Conditions that take no data are followed; of others both sides count as executed.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"

namespace irate {

// Of all blocks of one name together.
struct BlockInstances {
  // An iterator's value, or the block's condition, takes data.
  bool opaque_binding = false;
  // An iterator leaves its domain.
  bool outside_domain = false;
  // Between two entries of the scope around it: an instance of the domain that is not executed; one
  // that is executed again.
  bool skips = false;
  bool repeats = false;
  // With init: an instance with reduction iterators past their beginning is the first of its kind.
  bool late_init = false;
  // Two instances that differ in a spatial iterator touch the same element, and one writes it.
  bool dependent = false;
  // It writes where data decides, or through a view or a pointer.
  bool opaque_write = false;
  // A read or a write leaves the buffer if no condition inside of the block held it back.
  bool read_leaves = false;
  bool write_leaves = false;
  // An instance does not write all of a write region that the block states.
  bool writes_less = false;
  // An element that is touched is not in the regions that the block states.
  bool outside_regions = false;
};

// By the blocks' names. `loop` bounds that take data, and more steps than `fuel`, are errors:
// FailedPrecondition, ResourceExhausted. The function is to be verified.
absl::StatusOr<std::map<std::string, BlockInstances>> WalkBlockInstances(const Function& function,
                                                                         const Inputs& inputs,
                                                                         int64_t fuel = 2'000'000);

}  // namespace irate
