// One search for one seeded fault: Cases from a seed until an oracle sees it or the time is over.
//
//  1. A Case is generated and runs through the passes up to the last one that the fault concerns,
//     without the fault; the rule is tried on what these passes returned. Where it does not match,
//     the fault could make no difference, and the next Case is taken.
//  2. Where it does, the whole way is gone with the fault on: first the passes only, then with
//     everything that irate checks. What the oracles say then counts for the fault if they do not
//     say it with the fault off, and if a fresh worker shows it again.
//  3. A null fault is tried until the time is over; a finding is a false alarm.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "execution/harness.h"
#include "generators/generator.h"
#include "ir/rewrite/rule.h"

namespace irate {

struct FaultTrialOptions {
  HarnessOptions harness;       // `target` is what the thorough run asks for
  WorkerOptions asan_worker{};  // of the sanitized run; without executable: there is none
  std::string rules;            // text that has the rule
  uint64_t seed = 1;
  GenerateOptions generate;
  double seconds = 120;        // of one core
  uint64_t max_triggered = 0;  // Cases that trigger, then the search ends; 0: no limit
};

struct FaultTrial {
  bool reached = false;    // the pass ran and its result was lifted
  bool triggered = false;  // and the rule matched, in some Case
  bool detected = false;
  std::string oracle;
  std::string culprit;
  // The pass after which the fault triggered in the Case that shows it (or in the first).
  std::string pass;
  uint64_t cases = 0;
  uint64_t triggered_cases = 0;
  double seconds = 0;  // of one core: processor time of the search and its workers
  double wall_seconds = 0;
  std::string problem;  // why the rule could not be applied somewhere, the last time
  std::string summary;  // of the finding
  std::string shown;    // the Case that shows it (or, of a null fault, the last that triggered)
};

// Errors are those of the harness: no worker.
absl::StatusOr<FaultTrial> RunFaultTrial(const rewrite::Rule& rule,
                                         const FaultTrialOptions& options);

}  // namespace irate
