// The Cases that a worker must have served before a finding shows: state that the compiler keeps
// between compilations, memory that one of them corrupted.
#pragma once

#include <chrono>
#include <functional>
#include <span>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"

namespace irate {

struct EarlierOptions {
  int tests = 60;  // replays, each of a whole list of Cases
  std::chrono::seconds time{30};
  std::function<bool()> stop;  // empty: never
};

// Whether the finding shows in a fresh process that has served these first.
using ShowsAfter = std::function<absl::StatusOr<bool>(std::span<const Case>)>;

// A short part of `earlier`, in its order, after which the finding shows: a suffix found by
// doubling its length, then without what can be left out. Empty if it does not show after all of
// them. Errors: those of `shows`.
absl::StatusOr<std::vector<Case>> NeededEarlierCases(std::span<const Case> earlier,
                                                     const ShowsAfter& shows,
                                                     const EarlierOptions& options);

}  // namespace irate
