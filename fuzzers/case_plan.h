// What a Case of the fuzzing loop is put through beside the usual.
#pragma once

#include <string>
#include <vector>

#include "fuzzers/loop.h"
#include "ir/irate.pb.h"

namespace irate {

struct CasePlan {
  bool thorough = false;  // every step, build and run twice, with the compiler's own checks
  bool variants = false;  // `test_case` was given several targets
};

// Drawn from the Case's own seed: the same Case has the same plan in every job and every run with
// the same options. Gives variants to Cases of the TVM target that name no target: builds with
// other options, or devices.
CasePlan PlanCase(const FuzzOptions& options, Case* test_case);

// "x86-64-v2", "x86-64-v3": the levels above the base that this machine runs.
std::vector<std::string> MachineLevels();

}  // namespace irate
