// A question made small.
#pragma once

#include <functional>

#include "absl/status/statusor.h"
#include "ir/analysis.pb.h"
#include "triage/analysis/judge.h"
#include "triage/analysis/session.h"

namespace irate::analysis {

struct Reduced {
  AnalysisQuestion question;
  Wrong wrong;
  int tests = 0;
};

struct ReduceLimits {
  int tests = 4'000;
  double seconds = 5;
  std::function<bool()> stop{};
};

// Greedy, to a fixed point or a limit: asks, constraint and options go, sub-expressions become
// their operands or constants, constants and ranges shrink, while the same function is wrong in the
// same way. `wrong` is what Judge said of `question`.
absl::StatusOr<Reduced> Reduce(const AnalysisQuestion& question, const Wrong& wrong,
                               const ReduceLimits& limits, Session* session);

}  // namespace irate::analysis
