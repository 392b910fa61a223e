// A Case reduced as far as it goes, for the reproducer that a maintainer reads.
//
// Rounds until nothing makes progress or the budget is used up:
//  1. Delta debugging of whole lists: passes, schedule steps, options of the pass context,
//     functions.
//  2. Hierarchical delta debugging of the statements, level by level from the outside, and of the
//     expressions (to zero), level by level.
//  3. The single edits of triage/edits.h to a fixed point.
//  4. Where none of these makes progress any more: two edits at once, drawn at random but always in
//     the same way. Some steps only work together, and some bugs show by chance in a given program.
//
// A candidate is asked about only if it is lighter (Weight) and verifies. Of the candidates that
// are asked at a time the first in order counts, so the result depends on the Case and the answers
// alone, not on the number of workers, as long as the time limit is not what ends it. Answers are
// remembered and, with a state folder, kept on disk: a reduction that was ended goes on where it
// was.
//
// The tester may lie: the result is a Case that verifies and for which it said yes, or the
// original.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"
#include "triage/case_tester.h"

namespace irate {

// What is counted in reports.
struct CaseMeasure {
  int64_t nodes = 0;  // expressions and statements
  int64_t statements = 0;
  int64_t passes = 0;
};
CaseMeasure MeasureForReport(const Case& test_case);

struct FullReduceProgress {
  std::string phase;
  CaseMeasure size;
  int64_t weight = 0;
  int tests = 0;   // asked of the tester
  int cached = 0;  // answered from memory
  int accepted = 0;
  double seconds = 0;
};

struct FullReduceOptions {
  std::chrono::milliseconds time{60'000};
  int tests = 100'000;
  std::function<bool()> stop;
  std::function<void(const FullReduceProgress&)> progress;
  // Where answers and the smallest Case so far are kept; empty: nowhere. One reduction at a time.
  std::string state_folder;
};

struct FullReduceResult {
  Case reduced;
  FullReduceProgress progress;
  bool finished = false;  // nothing makes progress any more
  // The accepted Cases, the original first, the result last: for falling back if the result does
  // not reproduce in a fresh worker.
  std::vector<Case> history;
};

absl::StatusOr<FullReduceResult> FullReduce(const Case& test_case, CaseTester* tester,
                                            const FullReduceOptions& options = {});

}  // namespace irate
