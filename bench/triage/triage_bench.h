// Findings of seeded faults made by fuzzing, reduced and put into buckets.
//
//  1. Cases are generated as `irate fuzz` does. Each runs once without faults; every rule is tried
//     on what its passes returned. Where one matches, the fault and its siblings are switched on
//     (fault_truth.h); a finding that is the fault's own is written down, up to `per_fault`.
//  2. Each finding is reduced, with all siblings still on: by the full reducer or by the thin one.
//  3. The reduced Case gets its signature, and is asked which fault it shows now.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "bench/triage/triage_record.h"
#include "execution/harness.h"
#include "generators/generator.h"
#include "ir/pass_map.h"
#include "ir/rewrite/rule.h"

namespace irate {

struct TriageBenchOptions {
  HarnessOptions harness;
  WorkerOptions asan_worker{};  // without executable: faults of that tier are left out
  std::vector<rewrite::Rule> rules;
  std::string rules_text;
  GenerateOptions generate;
  uint64_t per_fault = 3;
  uint64_t cases = 3'000;  // searched at most
  bool full = true;
  double budget = 60;  // seconds of one reduction
  int jobs = 1;
  std::function<bool()> stop = [] { return false; };
  // After each finding, reduction and, while searching, each 50 Cases.
  std::function<absl::Status(const TriageRecords&)> changed;
};

// Goes on where `records` stands.
absl::Status RunTriageBench(const TriageBenchOptions& options, TriageRecords* records);

}  // namespace irate
