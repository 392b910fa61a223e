// How fast the loop is, and where the time goes.
//
//  * tier 0: every pass lifted and interpreted, no code generation; tier 1: built and run as well.
//  The
//    same Cases, one job. `own_ms` is everything of ours (generate, reference, lower, lift,
//    transport, interpret, judge), `compiler_ms` what TVM takes for passes and code; both per Case.
//    What the compiled functions take themselves is in neither.
//  * generator: Cases made and nothing else.
//  * two jobs against one, each with a worker of its own, on tier 0.
//  * the peer: a persistent Python process that takes the same Cases through the same passes of the
//    wheel, looks after each whether the module changed (structural equality), builds, runs and
//    reads the results: what a Python fuzzer has to do for a Case, with neither oracle nor
//    interpreter.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "execution/worker_client.h"
#include "generators/generator.h"

namespace irate {

struct ThroughputOptions {
  uint64_t seed = 1;
  uint64_t count = 400;      // Cases for each tier
  uint64_t peer_count = 60;  // of these, for the Python peer
  GenerateOptions generate;
  WorkerOptions worker;
  std::string python;  // empty: no peer
  bool only_tier0 = false;
};

struct TierThroughput {
  uint64_t cases = 0;
  double seconds = 0;
  double mean_nodes = 0;    // expressions and statements of a Case
  double mean_passes = 0;   // applied
  double mean_changed = 0;  // of these, that changed the module
  double compiler_ms = 0;   // per Case
  double own_ms = 0;        // per Case
  double generate_ms = 0;   // of own_ms
  // Of a worker's answer, per Case: lifted modules, and tensors (none in tier 0).
  double module_bytes = 0;
  double tensor_bytes = 0;
  // What own_ms consists of, per Case, by name; "wire" is what no other part holds: messages made,
  // written, read and freed at both ends, and dispatch.
  std::map<std::string, double> own_parts;
  double CasesPerSecond() const { return seconds <= 0 ? 0 : static_cast<double>(cases) / seconds; }
  // Of the compiler's time.
  double OwnShare() const { return compiler_ms <= 0 ? 0 : own_ms / compiler_ms; }
  double GeneratorShare() const { return compiler_ms <= 0 ? 0 : generate_ms / compiler_ms; }
};

struct ThroughputReport {
  TierThroughput tier0;
  TierThroughput tier1;
  double generator_cases_per_s = 0;
  double two_jobs_over_one = 0;
  double peer_cases_per_s = 0;   // 0: there was no peer, `peer_problem` says why
  double peer_passes_per_s = 0;  // Cases per second without building and running
  uint64_t peer_cases = 0;
  uint64_t peer_refused = 0;  // TVMScript that TVM does not read back, for the most part
  std::string peer_problem;
  double load_average = 0;  // of the machine at the start: what else was running
};

absl::StatusOr<ThroughputReport> MeasureThroughput(const ThroughputOptions& options);

// {"tier0": {"cases_per_s", "mean_nodes", "mean_passes", "mean_changed", "compiler_ms", "own_ms"},
// "tier1": {...}, "generator": {"cases_per_s"}, "python_peer": {"cases_per_s"}} and more.
std::string ToJson(const ThroughputReport& report);

}  // namespace irate
