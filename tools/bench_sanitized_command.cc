// irate bench sanitized: what tier 2 costs, and what it says about correct code.
#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "execution/sanitized_tier.h"
#include "execution/timer.h"
#include "fmt/format.h"
#include "generators/generator.h"
#include "ir/status_macros.h"
#include "nlohmann/json.hpp"
#include "oracles/oracle.h"
#include "tools/bench_command.h"
#include "tools/command.h"
#include "tools/environment.h"

namespace irate {
namespace {

using Json = nlohmann::ordered_json;

struct Arguments {
  EnvironmentOptions environment;
  uint64_t count = 100;
  uint64_t seed = 1;
  std::string json;
};

// Of one variant, in milliseconds.
struct Sample {
  double build = 0;   // the compiler's own: code generation and its JIT
  double tier = 0;    // tier 2 as a whole, passes and transport included
  double checks = 0;  // of it: instrumenting, compiling, running, wrong calls
};

double Quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  const auto at = static_cast<size_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
  return values[at];
}

std::vector<double> Column(const std::vector<Sample>& samples, double Sample::* field) {
  std::vector<double> column;
  column.reserve(samples.size());
  for (const Sample& sample : samples) column.push_back(sample.*field);
  return column;
}

absl::StatusOr<int> Run(const Arguments& arguments) {
  IRATE_ASSIGN_OR_RETURN(const std::unique_ptr<Harness> harness,
                         MakeHarness(arguments.environment));
  IRATE_ASSIGN_OR_RETURN(const WorkerOptions worker, FindAsanWorker(arguments.environment));
  IRATE_ASSIGN_OR_RETURN(const std::unique_ptr<SanitizedTier> tier,
                         SanitizedTier::Create(harness.get(), worker));
  std::vector<Sample> samples;
  std::map<std::string, uint64_t> findings;  // of tier 2, by signature
  for (uint64_t index = 0; index < arguments.count; ++index) {
    const Case test_case = GenerateCase(CaseSeed(arguments.seed, index));
    IRATE_ASSIGN_OR_RETURN(Observation observation, harness->Execute(test_case));
    if (!JudgeAll(test_case, observation).empty()) continue;
    const SanitizedStats before = tier->sanitized_stats();
    IRATE_RETURN_IF_ERROR(tier->Add(test_case, &observation));
    const SanitizedStats& after = tier->sanitized_stats();
    if (after.variants == before.variants) continue;
    samples.push_back({.build = observation.variants(0).build_ms(),
                       .tier = after.cpu_ms - before.cpu_ms,
                       .checks = after.run_ms - before.run_ms});
    for (const Finding& finding : JudgeAll(test_case, observation)) {
      ++findings[finding.signature()];
    }
    if (samples.size() % 50 == 0) fmt::print(stderr, "irate: {} cases\n", samples.size());
  }
  const double build = Quantile(Column(samples, &Sample::build), 0.5);
  const double tier2 = Quantile(Column(samples, &Sample::tier), 0.5);
  const Json json = {
      {"cases", arguments.count},
      {"sanitized", samples.size()},
      {"not_sanitized", tier->sanitized_stats().not_sanitized},
      {"build_ms", build},
      {"tier2", build > 0 ? tier2 / build : 0},
      {"tier2_ms", tier2},
      {"tier2_ms_p90", Quantile(Column(samples, &Sample::tier), 0.9)},
      {"checks_ms", Quantile(Column(samples, &Sample::checks), 0.5)},
      {"findings", findings},
  };
  if (arguments.json != "-") {
    fmt::print(
        "{} of {} cases ran instrumented, {} of them not wholly\n"
        "the compiler builds one in {:.1f} ms (median), tier 2 takes {:.1f} ms ({:.1f} at the "
        "90th\n"
        "percentile), {:.1f} ms of it the checks: {:.2f} times the build\n",
        samples.size(), arguments.count, tier->sanitized_stats().not_sanitized, build, tier2,
        json["tier2_ms_p90"].get<double>(), json["checks_ms"].get<double>(),
        json["tier2"].get<double>());
    for (const auto& [signature, count] : findings) fmt::print("{:>7}  {}\n", count, signature);
  }
  if (!arguments.json.empty()) {
    IRATE_RETURN_IF_ERROR(WriteOutput(arguments.json, json.dump(2) + "\n"));
  }
  return kExitOk;
}

}  // namespace

void AddBenchSanitizedCommand(CLI::App* bench, int* exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = bench->add_subcommand(
      "sanitized", "Sound Cases instrumented: what it costs, and what is said about them");
  command->add_option("--count", arguments->count, "How many Cases")->capture_default_str();
  command->add_option("--seed", arguments->seed, "Seed, as for fuzz")->capture_default_str();
  command->add_option("--json", arguments->json, "Write the report to this file; - : stdout");
  command->add_option("--worker", arguments->environment.worker, "Path of irate-worker");
  command->add_option("--asan-worker", arguments->environment.asan_worker,
                      "Path of irate-worker-asan");
  command->footer("Exit codes: 0 measured, 2 usage error, 3 environment.");
  command->callback([arguments, exit_code] { *exit_code = ExitCode(Run(*arguments)); });
}

}  // namespace irate
