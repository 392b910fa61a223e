// A Case made smaller in seconds while it keeps its finding, so that what is left tells the cause.
//
//  1. The kinds of edits (triage/edits.h) are tried in order, position by position, until none of
//     them makes progress or the budget is used up.
//  2. A candidate is asked about only if it is smaller and verifies; `keeps` decides the rest (that
//     it is defined, and that it shows the same finding).
//  3. The order is fixed, so the result depends on the Case and the answers alone, as long as the
//     time limit is not what ends it.
//
// `keeps` may lie: the result is a Case that verifies and for which it said yes (or the original).
#pragma once

#include <chrono>
#include <functional>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"

namespace irate {

struct ReduceOptions {
  std::chrono::milliseconds time{20'000};
  int tests = 600;             // how often `keeps` may be asked
  std::function<bool()> stop;  // asked before each test; may be empty
};

struct ReduceResult {
  Case reduced;
  int tests = 0;
  int accepted = 0;
  bool finished = false;  // no edit makes progress any more
};

// An error of `keeps` ends the reduction and is returned.
using KeepsFinding = std::function<absl::StatusOr<bool>(const Case&)>;

absl::StatusOr<ReduceResult> ThinReduce(const Case& test_case, const KeepsFinding& keeps,
                                        const ReduceOptions& options = {});

}  // namespace irate
