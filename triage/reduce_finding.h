// A finding reduced from beginning to end: found again, measured, reduced, checked.
//
//  1. Runs the Case in a fresh worker and takes the finding that is asked for.
//  2. Runs it some more times: a finding that does not show every time is reduced with as many
//     trials for each candidate as show it with 95 % probability.
//  3. Reduces (triage/full_reducer.h) with `jobs` workers.
//  4. Checks the result in a fresh worker; where it does not show there, the accepted Case before
//     it, and so on.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "execution/harness.h"
#include "triage/full_reducer.h"

namespace irate {

struct ReduceFindingOptions {
  HarnessOptions harness;
  FullReduceOptions reduce;
  int jobs = 1;
  const PassMap* pass_map = nullptr;  // of the target: see FindingProbe
};

struct ReducedFinding {
  Finding finding;  // as it shows in `reduced`, with its final signature
  Case original;    // with the finding's target only
  Case reduced;
  CaseMeasure before;
  CaseMeasure after;
  FullReduceProgress progress;
  bool finished = false;
  int shown = 0;  // of `runs` of the original
  int runs = 0;
  int trials = 1;     // of each candidate
  int fallbacks = 0;  // accepted Cases that did not show in a fresh worker
};

// `signature`: which finding of the Case; empty: the first. NotFound if the Case does not show it.
absl::StatusOr<ReducedFinding> ReduceFinding(const Case& test_case, const std::string& signature,
                                             const ReduceFindingOptions& options);

// How many trials show, with 95 % probability, a finding that showed in `shown` of `runs`: 1 if it
// always did, at most 20.
int TrialsFor(int shown, int runs);

}  // namespace irate
