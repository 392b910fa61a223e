// irate bench throughput: Cases per second, and what they are spent on.
#include <memory>

#include "bench/throughput.h"
#include "fmt/format.h"
#include "tools/bench_command.h"
#include "tools/command.h"
#include "tools/environment.h"
#include "tools/generate_options.h"

namespace irate {
namespace {

struct Arguments {
  ThroughputOptions options;
  EnvironmentOptions environment;
  GenerateArguments generate;
  std::string json;
  bool no_peer = false;
};

void PrintTier(const char* name, const TierThroughput& tier) {
  fmt::print(
      "{}  {:7.1f} cases/s  TVM {:.2f} ms, ours {:.2f} ms ({:.0f} %, generator {:.1f} %)  "
      "{:.0f} nodes, {:.1f} passes, {:.1f} changed\n",
      name, tier.CasesPerSecond(), tier.compiler_ms, tier.own_ms, 100 * tier.OwnShare(),
      100 * tier.GeneratorShare(), tier.mean_nodes, tier.mean_passes, tier.mean_changed);
  for (const auto& [part, ms] : tier.own_parts) {
    fmt::print("          {:9}  {:7.3f} ms  {:5.1f} %\n", part, ms, 100 * ms / tier.compiler_ms);
  }
}

void PrintRest(const ThroughputReport& report) {
  PrintTier("tier 1", report.tier1);
  fmt::print("generator  {:.0f} cases/s\ntwo jobs   {:.2f} times one\n",
             report.generator_cases_per_s, report.two_jobs_over_one);
  if (report.peer_problem.empty()) {
    fmt::print(
        "Python     {:.1f} cases/s built and run, {:.1f} passes only ({} cases, {} refused)\n",
        report.peer_cases_per_s, report.peer_passes_per_s, report.peer_cases, report.peer_refused);
  } else {
    fmt::print("Python     {}\n", report.peer_problem);
  }
}

int RunThroughput(Arguments& arguments) {
  const absl::StatusOr<GenerateOptions> generate = MakeGenerateOptions(arguments.generate, "tvm");
  if (!generate.ok()) return FailUsage(std::string(generate.status().message()));
  arguments.options.generate = *generate;
  const absl::StatusOr<WorkerOptions> worker = FindWorker(arguments.environment);
  if (!worker.ok()) return FailEnvironment(worker.status());
  arguments.options.worker = *worker;
  if (!arguments.no_peer) arguments.options.python = FindPython(arguments.environment);
  const absl::StatusOr<ThroughputReport> report = MeasureThroughput(arguments.options);
  if (!report.ok()) return FailEnvironment(report.status());
  if (arguments.json != "-") {
    PrintTier("tier 0", report->tier0);
    if (arguments.options.only_tier0) {
      fmt::print("generator  {:.0f} cases/s\n", report->generator_cases_per_s);
    } else {
      PrintRest(*report);
    }
    fmt::print("load of the machine at the start: {:.1f}\n", report->load_average);
  }
  if (!arguments.json.empty()) {
    const absl::Status status = WriteOutput(arguments.json, ToJson(*report));
    if (!status.ok()) return FailEnvironment(status);
  }
  return kExitOk;
}

}  // namespace

void AddBenchThroughputCommand(CLI::App* bench, int* exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = bench->add_subcommand(
      "throughput", "Cases per second of each tier, our share of the time, and a Python peer");
  command->add_option("--count", arguments->options.count, "Cases for each tier")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--peer-count", arguments->options.peer_count, "Of these, for the Python peer")
      ->capture_default_str();
  command->add_option("--seed", arguments->options.seed, "Seed, as for fuzz")
      ->capture_default_str();
  AddGenerateOptions(command, &arguments->generate);
  command->add_flag("--only-tier0", arguments->options.only_tier0,
                    "Stop after tier 0: no build, no second job, no peer");
  command->add_flag("--no-peer", arguments->no_peer, "Leave out the Python peer");
  command->add_option("--python", arguments->environment.python, "Python that can import tvm");
  command->add_option("--worker", arguments->environment.worker, "Path of irate-worker");
  command->add_option("--json", arguments->json, "Write the report to this file; - : stdout");
  command->footer("Exit codes: 0 measured, 2 usage error, 3 environment.");
  command->callback([arguments, exit_code] { *exit_code = RunThroughput(*arguments); });
}

}  // namespace irate
