#include "bench/throughput.h"

#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "bench/python_peer.h"
#include "execution/harness.h"
#include "execution/timer.h"
#include "ir/status_macros.h"
#include "ir/visit.h"
#include "nlohmann/json.hpp"
#include "oracles/oracle.h"

namespace irate {
namespace {

constexpr double kMsPerSecond = 1000;
// Cases before the clock starts: the first ones touch what later ones find in the caches.
constexpr uint64_t kWarmUp = 20;

void CountCase(const Case& test_case, const Observation& observation, TierThroughput* tier) {
  ++tier->cases;
  tier->mean_nodes += static_cast<double>(CountNodes(test_case.module()));
  for (const VariantObservation& variant : observation.variants()) {
    for (const Tensor& tensor : variant.outputs()) {
      tier->tensor_bytes += static_cast<double>(tensor.data().size());
    }
    for (const StepObservation& step : variant.steps()) {
      tier->module_bytes += static_cast<double>(step.lifted().ByteSizeLong());
      if (step.index() < 0) continue;
      ++tier->mean_passes;
      tier->mean_changed += step.outcome() == StepObservation::CHANGED ? 1 : 0;
    }
  }
}

absl::StatusOr<TierThroughput> MeasureTier(const ThroughputOptions& options, bool run_native,
                                           uint64_t first, uint64_t stride) {
  HarnessOptions harness_options{.worker = options.worker};
  harness_options.target.run_native = run_native;
  IRATE_ASSIGN_OR_RETURN(std::unique_ptr<Harness> harness, Harness::Create(harness_options));
  for (uint64_t i = 0; i < kWarmUp; ++i) {
    const Case test_case = GenerateCase(CaseSeed(~options.seed, i), options.generate);
    IRATE_RETURN_IF_ERROR(harness->Execute(test_case).status());
  }
  const HarnessStats harness_before = harness->stats();
  const WorkerStats worker_before = harness->worker().stats();
  TierThroughput tier;
  double judge_ms = 0;
  double measuring_ms = 0;
  const Timer timer;
  const CpuTimer cpu;
  for (uint64_t i = first; i < options.count; i += stride) {
    const CpuTimer generating;
    const Case test_case = GenerateCase(CaseSeed(options.seed, i), options.generate);
    tier.generate_ms += generating.Ms();
    IRATE_ASSIGN_OR_RETURN(const Observation observation, harness->Execute(test_case));
    const CpuTimer judging;
    JudgeAll(test_case, observation);
    judge_ms += judging.Ms();
    const CpuTimer measuring;
    CountCase(test_case, observation, &tier);
    measuring_ms += measuring.Ms();
  }
  tier.seconds = timer.Ms() / kMsPerSecond;
  const double harness_ms = cpu.Ms() - measuring_ms;
  const HarnessStats& after = harness->stats();
  const WorkerStats& worker = harness->worker().stats();
  const auto count = static_cast<double>(std::max<uint64_t>(1, tier.cases));
  const auto add = [&](const char* part, double ms) { tier.own_parts[part] = ms / count; };
  add("generate", tier.generate_ms);
  add("reference", after.reference_ms - harness_before.reference_ms);
  add("interpret", after.interpret_ms - harness_before.interpret_ms);
  add("features", after.features_ms - harness_before.features_ms);
  add("judge", judge_ms);
  add("lower", worker.lower_ms - worker_before.lower_ms);
  add("lift", worker.lift_ms - worker_before.lift_ms);
  tier.compiler_ms = (worker.compiler_ms - worker_before.compiler_ms) / count;
  const double run_ms = (worker.run_ms - worker_before.run_ms) / count;
  const double all_ms = (harness_ms + worker.worker_ms - worker_before.worker_ms) / count;
  tier.own_ms = all_ms - tier.compiler_ms - run_ms;
  double named_ms = 0;
  for (const auto& [name, ms] : tier.own_parts) named_ms += ms;
  tier.own_parts["wire"] = tier.own_ms - named_ms;
  tier.generate_ms /= count;
  tier.module_bytes /= count;
  tier.tensor_bytes /= count;
  tier.mean_nodes /= count;
  tier.mean_passes /= count;
  tier.mean_changed /= count;
  return tier;
}

double MeasureGenerator(const ThroughputOptions& options) {
  // Often enough for a clock that others share.
  constexpr int kRounds = 3;
  const Timer timer;
  for (int round = 0; round < kRounds; ++round) {
    for (uint64_t i = 0; i < options.count; ++i) {
      GenerateCase(CaseSeed(options.seed, i), options.generate);
    }
  }
  return kRounds * static_cast<double>(options.count) * kMsPerSecond / timer.Ms();
}

// Cases per second of `jobs` together.
absl::StatusOr<double> MeasureJobs(const ThroughputOptions& options, uint64_t jobs) {
  std::vector<absl::StatusOr<TierThroughput>> results(jobs, absl::UnknownError("not run"));
  std::vector<std::thread> threads;
  threads.reserve(jobs);
  for (uint64_t job = 0; job < jobs; ++job) {
    threads.emplace_back([&, job] { results[job] = MeasureTier(options, false, job, jobs); });
  }
  for (std::thread& thread : threads) thread.join();
  double rate = 0;
  for (const absl::StatusOr<TierThroughput>& result : results) {
    if (!result.ok()) return result.status();
    rate += result->CasesPerSecond();
  }
  return rate;
}

nlohmann::json TierJson(const TierThroughput& tier) {
  return {{"cases", tier.cases},
          {"cases_per_s", tier.CasesPerSecond()},
          {"mean_nodes", tier.mean_nodes},
          {"mean_passes", tier.mean_passes},
          {"mean_changed", tier.mean_changed},
          {"compiler_ms", tier.compiler_ms},
          {"own_ms", tier.own_ms},
          {"generate_ms", tier.generate_ms},
          {"own_parts_ms", tier.own_parts},
          {"module_bytes", tier.module_bytes},
          {"tensor_bytes", tier.tensor_bytes},
          {"own_share", tier.OwnShare()},
          {"generator_share", tier.GeneratorShare()}};
}

}  // namespace

absl::StatusOr<ThroughputReport> MeasureThroughput(const ThroughputOptions& options) {
  ThroughputReport report;
  if (getloadavg(&report.load_average, 1) != 1) report.load_average = -1;
  report.generator_cases_per_s = MeasureGenerator(options);
  IRATE_ASSIGN_OR_RETURN(report.tier0, MeasureTier(options, false, 0, 1));
  if (options.only_tier0) return report;
  IRATE_ASSIGN_OR_RETURN(report.tier1, MeasureTier(options, true, 0, 1));
  IRATE_ASSIGN_OR_RETURN(const double two, MeasureJobs(options, 2));
  report.two_jobs_over_one = two / report.tier0.CasesPerSecond();
  if (options.python.empty()) {
    report.peer_problem = "no Python that can import the compiler";
    return report;
  }
  std::vector<Case> cases;
  cases.reserve(std::min(options.peer_count, options.count));
  for (uint64_t i = 0; i < std::min(options.peer_count, options.count); ++i) {
    cases.push_back(GenerateCase(CaseSeed(options.seed, i), options.generate));
  }
  IRATE_ASSIGN_OR_RETURN(std::unique_ptr<WorkerClient> worker, WorkerClient::Start(options.worker));
  const absl::StatusOr<PeerResult> peer = RunPythonPeer(cases, options.python, worker.get());
  if (!peer.ok()) {
    report.peer_problem = std::string(peer.status().message());
    return report;
  }
  report.peer_cases = peer->cases;
  report.peer_refused = peer->refused;
  if (peer->cases == 0) report.peer_problem = "it takes no Case: " + peer->first_error;
  if (peer->seconds > 0) {
    report.peer_cases_per_s = static_cast<double>(peer->cases) / peer->seconds;
    report.peer_passes_per_s = static_cast<double>(peer->cases) / peer->pass_seconds;
  }
  return report;
}

std::string ToJson(const ThroughputReport& report) {
  nlohmann::json json;
  json["tier0"] = TierJson(report.tier0);
  json["tier1"] = TierJson(report.tier1);
  json["generator"] = {{"cases_per_s", report.generator_cases_per_s}};
  json["two_jobs_over_one"] = report.two_jobs_over_one;
  json["python_peer"] = {{"cases_per_s", report.peer_cases_per_s},
                         {"passes_only_cases_per_s", report.peer_passes_per_s},
                         {"cases", report.peer_cases},
                         {"refused", report.peer_refused}};
  if (!report.peer_problem.empty()) json["python_peer"]["problem"] = report.peer_problem;
  json["load_average"] = report.load_average;
  return json.dump(2) + "\n";
}

}  // namespace irate
