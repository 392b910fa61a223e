// An Observation as counters for coverage-guided fuzzing: which passes changed the module and how,
// after which others, and how a run ended.
//
//   for (uint32_t index : FeedbackCounters(observation)) ++extra_counters[index];
//
// For libFuzzer, `extra_counters` is an array of kFeedbackCounters bytes in the section
// __libfuzzer_extra_counters.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/observation.pb.h"

namespace irate {

inline constexpr uint32_t kFeedbackCounters = 1 << 16;

// Sorted, without doubles, each below kFeedbackCounters. Equal Observations (but for times) give
// equal counters, on every machine.
std::vector<uint32_t> FeedbackCounters(const Observation& observation);

}  // namespace irate
