// irate bench faults: how long irate takes to find each seeded fault.
#include <algorithm>
#include <memory>
#include <set>

#include "bench/faults/fault_bench.h"
#include "bench/faults/fault_rates.h"
#include "bench/faults/fault_text.h"
#include "fmt/format.h"
#include "ir/file.h"
#include "ir/status_macros.h"
#include "tools/bench_command.h"
#include "tools/command.h"
#include "tools/environment.h"

namespace irate {
namespace {

constexpr size_t kMaxRuleFile = size_t{4} << 20;
constexpr size_t kMaxReportFile = size_t{256} << 20;

struct FaultsArguments {
  EnvironmentOptions environment;
  std::string faults;
  std::vector<std::string> only;
  int trials = 1;
  double seconds = 120;
  int jobs = 1;
  uint64_t seed = 1;
  std::string json;
  std::string save_cases;
  bool resume = false;
  bool list = false;
  uint64_t rates = 0;
};

absl::StatusOr<std::string> RuleText(const FaultsArguments& arguments) {
  if (arguments.faults.empty()) return BuiltinFaultText();
  return ReadFile(arguments.faults, kMaxRuleFile);
}

// Reports of an earlier run that are not to be done again.
absl::StatusOr<std::vector<FaultReport>> Earlier(const FaultsArguments& arguments) {
  if (!arguments.resume || arguments.json.empty() || arguments.json == "-") {
    return std::vector<FaultReport>();
  }
  const absl::StatusOr<std::string> text = ReadFile(arguments.json, kMaxReportFile);
  if (absl::IsNotFound(text.status())) return std::vector<FaultReport>();
  if (!text.ok()) return text.status();
  absl::StatusOr<std::vector<FaultReport>> reports = ReportsFromJson(*text);
  if (!reports.ok()) {
    return absl::InvalidArgumentError(
        fmt::format("{}: {}", arguments.json, std::string(reports.status().message())));
  }
  std::erase_if(*reports, [](const FaultReport& report) { return !report.error.empty(); });
  return reports;
}

absl::Status SaveCase(const std::string& folder, const FaultReport& report) {
  // The shortest of those that show it.
  const FaultTrial* best = nullptr;
  for (const FaultTrial& trial : report.trials) {
    if (trial.shown.empty()) continue;
    if (best == nullptr || trial.shown.size() < best->shown.size()) best = &trial;
  }
  if (best == nullptr) return absl::OkStatus();
  return WriteFileAtomically(fmt::format("{}/{}.irate", folder, report.name), best->shown);
}

int PrintRates(const FaultBenchOptions& options, uint64_t cases) {
  const absl::StatusOr<std::vector<FaultRate>> rates =
      MeasureFaultRates(options.rules, options.trial, cases);
  if (!rates.ok()) return FailEnvironment(rates.status());
  fmt::print("{:<44} {:>8} {:>9}\n", "fault", "reached", "triggered");
  for (size_t i = 0; i < rates->size(); ++i) {
    const FaultRate& rate = (*rates)[i];
    fmt::print("{:<44} {:>6.1f} % {:>7.2f} %  {}\n", options.rules[i].name,
               100.0 * static_cast<double>(rate.reached) / static_cast<double>(cases),
               100.0 * static_cast<double>(rate.triggered) / static_cast<double>(cases),
               rate.problem);
  }
  return kExitOk;
}

int RunBenchFaults(const FaultsArguments& arguments) {
  const absl::StatusOr<std::string> text = RuleText(arguments);
  if (!text.ok()) return FailEnvironment(text.status());
  const absl::StatusOr<std::vector<rewrite::Rule>> rules = rewrite::ParseRules(*text);
  if (!rules.ok()) {
    return FailUsage(fmt::format("{}: {}",
                                 arguments.faults.empty() ? "built-in faults" : arguments.faults,
                                 std::string(rules.status().message())));
  }
  if (arguments.list) {
    for (const rewrite::Rule& rule : *rules) {
      fmt::print("{:<44} {}{}\n", rule.name, rule.is_null ? "(null) " : "", rule.description);
    }
    return kExitOk;
  }
  absl::StatusOr<std::vector<FaultReport>> earlier = Earlier(arguments);
  if (!earlier.ok()) return FailEnvironment(earlier.status());
  std::vector<FaultReport> reports = *std::move(earlier);
  std::set<std::string> skip;
  for (const FaultReport& report : reports) skip.insert(report.name);
  FaultBenchOptions options;
  options.trials = arguments.trials;
  options.jobs = arguments.jobs;
  for (const std::string& name : arguments.only) {
    if (std::ranges::find(*rules, name, &rewrite::Rule::name) == rules->end()) {
      return FailUsage(fmt::format("there is no fault \"{}\"; --list shows them", name));
    }
  }
  for (const rewrite::Rule& rule : *rules) {
    const bool wanted = arguments.only.empty() ||
                        std::ranges::find(arguments.only, rule.name) != arguments.only.end();
    if (wanted && !skip.contains(rule.name)) options.rules.push_back(rule);
  }
  absl::StatusOr<WorkerOptions> worker = FindWorker(arguments.environment);
  if (!worker.ok()) return FailEnvironment(worker.status());
  options.trial.harness.worker = *worker;
  // Without it faults of generated code's surroundings are not seen; the rest is.
  if (const absl::StatusOr<WorkerOptions> asan = FindAsanWorker(arguments.environment); asan.ok()) {
    options.trial.asan_worker = *asan;
  }
  options.trial.generate.devices = arguments.environment.target == "tvm";
  options.trial.harness.target.repeat = true;
  options.trial.harness.target.check_well_formed = true;
  options.trial.rules = *text;
  options.trial.seed = arguments.seed;
  options.trial.seconds = arguments.seconds;
  if (arguments.rates != 0) return PrintRates(options, arguments.rates);
  absl::Status failed;
  options.done = [&](const FaultReport& report) {
    reports.push_back(report);
    fmt::print(stderr, "irate: {}/{}  {}: {}{}, {} cases, {:.1f} s{}\n", reports.size(),
               options.rules.size() + skip.size(), report.name,
               report.is_null    ? (report.detected ? "FALSE ALARM" : "silent")
               : report.detected ? (report.IsAsExpected() ? "found" : "found otherwise")
                                 : "not found",
               report.triggered ? ""
               : report.reached ? " (no match)"
                                : " (not reached)",
               report.cases, report.seconds,
               report.error.empty() ? "" : fmt::format(", error: {}", report.error));
    if (!arguments.json.empty() && arguments.json != "-") {
      failed.Update(WriteOutput(arguments.json, ToJson(reports)));
    }
    if (!arguments.save_cases.empty()) failed.Update(SaveCase(arguments.save_cases, report));
  };
  if (absl::Status status = RunFaultBench(options); !status.ok()) return FailEnvironment(status);
  // In the order of the file.
  std::ranges::sort(reports, {}, [&](const FaultReport& report) {
    return std::ranges::find(*rules, report.name, &rewrite::Rule::name) - rules->begin();
  });
  if (!arguments.json.empty()) failed.Update(WriteOutput(arguments.json, ToJson(reports)));
  if (!failed.ok()) return FailEnvironment(failed);
  if (arguments.json != "-") fmt::print("{}", ToTable(reports));
  bool all = true;
  for (const FaultReport& report : reports) {
    if (!report.error.empty()) return FailEnvironment(absl::UnavailableError(report.error));
    all &= report.IsAsExpected();
  }
  return all ? kExitOk : kExitFindings;
}

}  // namespace

void AddBenchFaultsCommand(CLI::App* bench, int* exit_code) {
  auto arguments = std::make_shared<FaultsArguments>();
  // A hang must show several times before it counts.
  arguments->environment.deadline = 4;
  CLI::App* command = bench->add_subcommand(
      "faults", "Seeded faults: is each found, how soon, by which oracle, with which culprit");
  command->add_option("--faults", arguments->faults,
                      "File of faults (docs/faults.md) instead of the built-in ones");
  command->add_option("--only", arguments->only, "Only the fault of this name; may be repeated");
  command
      ->add_option("--trials", arguments->trials,
                   "Searches for each fault, with seeds of their own")
      ->capture_default_str()
      ->check(CLI::Range(1, 1000));
  command->add_option("--seconds", arguments->seconds, "Of one search at most, in processor time")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_option("--jobs", arguments->jobs, "Searches at the same time; 0: one for each core")
      ->capture_default_str()
      ->check(CLI::Range(0, 1024));
  command->add_option("--seed", arguments->seed, "Seed of the first search")->capture_default_str();
  command->add_option("--json", arguments->json,
                      "Write the reports to this file, after each fault; - : stdout, at the end");
  command->add_flag("--resume", arguments->resume, "Keep what the --json file has already");
  command->add_option("--save-cases", arguments->save_cases,
                      "Folder for a Case that shows each fault");
  command->add_flag("--list", arguments->list, "Print the faults and stop");
  command->add_option("--rates", arguments->rates,
                      "Only measure in how many of so many Cases each fault triggers");
  command->add_option("--target", arguments->environment.target, "Compiler under test")
      ->capture_default_str();
  command->add_option("--deadline", arguments->environment.deadline, "Seconds for one Case")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_option("--worker", arguments->environment.worker, "Path of irate-worker");
  command->footer(
      "Exit codes: 0 every fault found as expected and null faults silent, 1 not so, 2 usage or a\n"
      "mistake in the faults, 3 environment.");
  command->callback([arguments, exit_code] { *exit_code = RunBenchFaults(*arguments); });
}

}  // namespace irate
