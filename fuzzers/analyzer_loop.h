// The fuzzing loop for integer analysers: questions from a seed, asked in batches, judged,
// recorded.
//
//  1. Question number i of a run is made from CaseSeed(seed, i): jobs and timing do not change
//  which
//     questions there are.
//  2. Each job is a thread with a worker of its own; batch b belongs to job b modulo jobs.
//  3. A wrong answer goes through triage (triage/analysis/triage.h). Wrong answers of a kind whose
//     reduced form was seen often before are counted only, so that known bugs do not take the run.
//  4. Ends at the time, the count, or when `stop` says so.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "execution/worker_client.h"
#include "oracles/analysis/check.h"
#include "triage/analysis/triage.h"

namespace irate {

struct AnalyzerFuzzOptions {
  uint64_t seed = 1;
  double seconds = 0;  // 0: no limit
  uint64_t count = 0;  // questions; 0: no limit
  int jobs = 1;
  WorkerOptions worker;
  analysis::TriageSettings triage;
};

struct AnalyzerFinding {
  Finding finding;
  uint64_t count = 0;
  bool known = false;
  std::string path;
  bool reproducer_verified = false;
};

struct AnalyzerSummary {
  uint64_t questions = 0;
  uint64_t expressions = 0;  // of the asks: what an expression is asked of one function is one
  uint64_t wrong = 0;        // answers
  uint64_t not_reduced = 0;  // of these, of a kind that was reduced often enough
  uint64_t not_reproduced = 0;
  uint64_t worker_deaths = 0;
  double seconds = 0;
  double triage_seconds = 0;    // of all jobs together
  double compiler_seconds = 0;  // TVM's own, in asks that were answered
  analysis::CheckStats checks;
  std::map<std::string, uint64_t> functions;        // asks by function
  std::map<std::string, AnalyzerFinding> findings;  // by signature
  bool interrupted = false;

  uint64_t NewFindings() const;
};

absl::StatusOr<AnalyzerSummary> RunAnalyzerLoop(
    const AnalyzerFuzzOptions& options, const std::function<void(const AnalyzerSummary&)>& progress,
    const std::function<bool()>& stop);

}  // namespace irate
