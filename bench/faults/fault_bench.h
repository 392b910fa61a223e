// Every fault of a list searched for, with several seeds, in several processes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "bench/faults/fault_trial.h"
#include "ir/rewrite/rule.h"

namespace irate {

// Of all trials of one fault. Numbers are medians; a trial that found nothing counts as the
// longest. `detected` is what more than half of the trials say.
struct FaultReport {
  std::string name;
  bool is_null = false;
  bool reached = false;
  bool triggered = false;
  bool detected = false;
  std::string oracle;
  std::string expected_oracle;
  std::string culprit;
  std::string expected_culprit;
  uint64_t cases = 0;
  double seconds = 0;
  std::vector<FaultTrial> trials;
  std::string error;  // of the environment

  // Detected as the rule asks, or, of a null fault, silent.
  bool IsAsExpected() const;
};

struct FaultBenchOptions {
  std::vector<rewrite::Rule> rules;
  FaultTrialOptions trial;  // `seed` is that of the first
  int trials = 1;
  int jobs = 1;
  // After each fault, in the order in which they end.
  std::function<void(const FaultReport&)> done;
};

absl::Status RunFaultBench(const FaultBenchOptions& options);

// The array that `irate bench faults --json` writes.
std::string ToJson(const std::vector<FaultReport>& reports);
// Reports that such an array holds, as far as it says; InvalidArgument if it is none.
absl::StatusOr<std::vector<FaultReport>> ReportsFromJson(const std::string& text);
std::string ToTable(const std::vector<FaultReport>& reports);

}  // namespace irate
