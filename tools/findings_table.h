// The result of a fuzzing run for people and for scripts.
#pragma once

#include <string>

#include "fuzzers/fuzz_summary.h"

namespace irate {

// Signature, oracle, culprit, count and path of the reproducer, then totals. Known findings come
// last.
std::string SummaryText(const FuzzSummary& summary);

// {"cases", "dropped_undefined", "seconds", "findings": [{"signature", "oracle", "culprit",
// "count", "path"}]} and more; docs/cli.md has all keys. Known findings are listed under "known".
std::string SummaryJson(const FuzzSummary& summary, uint64_t seed, int jobs);

}  // namespace irate
