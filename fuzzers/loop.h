// The fuzzing loop: Cases from a seed, through harness and oracles, to recorded findings.
//
//  1. Forks `jobs` processes. Job j runs the Cases number j, j + jobs, j + 2 jobs, ...: which
//     generated Cases a run with a seed consists of depends on neither jobs nor timing, only how
//     far it gets does. For those that are made by mutation see fuzzers/case_source.h.
//  2. Each job has a Harness with workers of its own. A job that dies (a fault of ours) is reported
//     with the number of the Case and replaced; it goes on behind that Case.
//  3. Findings go through triage (triage/triager.h) in the job and are recorded by it.
//  4. Ends at the time (counted from when the first job is ready) or count, or when `stop` says so;
//  a triage under way is finished at the end
//     of the time and given up on `stop`. All processes are gone when it returns.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "execution/harness.h"
#include "fuzzers/case_source.h"
#include "fuzzers/fuzz_summary.h"
#include "generators/generator.h"
#include "triage/triager.h"

namespace irate {

struct FuzzOptions {
  uint64_t seed = 1;
  double seconds = 0;  // 0: no limit
  uint64_t count = 0;  // Cases in all jobs together, from `first` on; 0: no limit
  int jobs = 1;
  std::string findings;  // folder
  uint64_t first = 0;    // the number of the first Case
  GenerateOptions generate;
  CaseSourceOptions source;
  std::vector<TargetSpec> targets;  // given to every Case; empty: the target's defaults
  HarnessOptions harness;
  // Shares of the Cases, drawn by their seeds: built in several variants (generators/variants.h),
  // and done twice with the compiler's own checks after every step (TargetOptions::repeat).
  double variants_share = 1.0 / 16;
  double thorough_share = 1.0 / 32;
  // Devices (ir/device_spec.h) that a share of the Cases is run on as well, beside the processor.
  std::vector<TargetSpec> devices;
  double device_share = 1.0 / 4;
  TriageOptions triage;
  // The share of the Cases that run instrumented as well (execution/sanitized_tier.h), if lower
  // tiers found nothing in them; four times that of those that showed something new. Which ones
  // depends on seed and number. 0: none.
  double sanitize_share = 0;
  WorkerOptions asan_worker;
  std::vector<std::string> faults;  // seeded faults that every Case names
};

// `progress` is called about five times a second. An error means that fuzzing cannot go on (no
// worker, no folder, full disk); what was found until then is in the findings folder.
absl::StatusOr<FuzzSummary> RunFuzzLoop(const FuzzOptions& options,
                                        const std::function<void(const FuzzSummary&)>& progress,
                                        const std::function<bool()>& stop);

}  // namespace irate
