// How often faults trigger: one run of Cases without any fault, on which every rule is tried.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "bench/faults/fault_trial.h"
#include "ir/rewrite/rule.h"

namespace irate {

struct FaultRate {
  uint64_t reached = 0;    // Cases in which the pass ran and its result was lifted
  uint64_t triggered = 0;  // and the rule matched
  std::string problem;     // the last
};

// Of each rule, over the Cases 0 to `cases` of `options.seed`.
absl::StatusOr<std::vector<FaultRate>> MeasureFaultRates(const std::vector<rewrite::Rule>& rules,
                                                         const FaultTrialOptions& options,
                                                         uint64_t cases);

}  // namespace irate
