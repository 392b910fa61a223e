// irate bench reduce, irate bench buckets: findings of seeded faults, reduced and named.
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <memory>

#include "bench/faults/fault_text.h"
#include "bench/triage/triage_bench.h"
#include "fmt/format.h"
#include "ir/file.h"
#include "ir/status_macros.h"
#include "targets/pass_maps.h"
#include "tools/bench_command.h"
#include "tools/command.h"
#include "tools/environment.h"
#include "tools/status_line.h"

namespace irate {
namespace {

constexpr size_t kMaxRuleFile = size_t{4} << 20;
constexpr size_t kMaxReportFile = size_t{1} << 30;

struct Arguments {
  EnvironmentOptions environment;
  std::string faults;
  std::vector<std::string> only;
  uint64_t seed = 1;
  uint64_t per_fault = 3;
  uint64_t cases = 3'000;
  double budget = 60;
  int jobs = 1;
  bool full = true;
  bool alone = false;
  bool restart = false;
  std::string json;
};

std::atomic<int> signals_seen{0};
void OnSignal(int) {
  if (signals_seen.fetch_add(1) > 0) _exit(kExitInterrupted);
}

absl::StatusOr<std::vector<rewrite::Rule>> Rules(const std::string& text,
                                                 const std::vector<std::string>& only) {
  IRATE_ASSIGN_OR_RETURN(std::vector<rewrite::Rule> rules, rewrite::ParseRules(text));
  for (const std::string& name : only) {
    if (std::ranges::find(rules, name, &rewrite::Rule::name) == rules.end()) {
      return absl::InvalidArgumentError(
          fmt::format("there is no fault \"{}\"; `irate bench faults --list` shows them", name));
    }
  }
  if (only.empty()) return rules;
  std::erase_if(rules, [&](const rewrite::Rule& rule) {
    return std::ranges::find(only, rule.name) == only.end();
  });
  return rules;
}

// What the --json file holds of an interrupted run with the same arguments.
absl::StatusOr<TriageRecords> Earlier(const Arguments& arguments) {
  TriageRecords fresh;
  fresh.seed = arguments.seed;
  fresh.full = arguments.full;
  fresh.together = !arguments.alone;
  if (arguments.json.empty() || arguments.json == "-" || arguments.restart) return fresh;
  const absl::StatusOr<std::string> text = ReadFile(arguments.json, kMaxReportFile);
  if (absl::IsNotFound(text.status())) return fresh;
  if (!text.ok()) return text.status();
  absl::StatusOr<TriageRecords> records = TriageRecordsFromJson(*text);
  if (!records.ok()) {
    return absl::InvalidArgumentError(fmt::format("{}: {}; --restart replaces it", arguments.json,
                                                  std::string(records.status().message())));
  }
  if (records->seed != fresh.seed || records->full != fresh.full ||
      records->together != fresh.together) {
    return absl::InvalidArgumentError(
        fmt::format("{} is of a run with other arguments; --restart replaces it", arguments.json));
  }
  // What could not be reduced, for want of a worker say, is tried again.
  for (TriageRecord& record : records->records) record.done &= record.error.empty();
  return records;
}

std::string Progress(const TriageRecords& records) {
  size_t done = 0;
  for (const TriageRecord& record : records.records) done += record.done ? 1 : 0;
  return fmt::format("{} Cases searched, {} findings, {} of them reduced", records.cases,
                     records.records.size(), done);
}

absl::StatusOr<int> Run(const Arguments& arguments) {
  TriageBenchOptions options;
  options.rules_text = BuiltinFaultText();
  if (!arguments.faults.empty()) {
    IRATE_ASSIGN_OR_RETURN(options.rules_text, ReadFile(arguments.faults, kMaxRuleFile));
  }
  absl::StatusOr<std::vector<rewrite::Rule>> rules = Rules(options.rules_text, arguments.only);
  if (!rules.ok()) return FailUsage(std::string(rules.status().message()));
  options.rules = *std::move(rules);
  absl::StatusOr<TriageRecords> records = Earlier(arguments);
  if (!records.ok() && absl::IsInvalidArgument(records.status())) {
    return FailUsage(std::string(records.status().message()));
  }
  if (!records.ok()) return records.status();
  IRATE_ASSIGN_OR_RETURN(options.harness.worker, FindWorker(arguments.environment));
  if (const absl::StatusOr<WorkerOptions> asan = FindAsanWorker(arguments.environment); asan.ok()) {
    options.asan_worker = *asan;
  } else {
    fmt::print(stderr, "irate: faults of generated code are left out: {}\n",
               std::string(asan.status().message()));
  }
  IRATE_ASSIGN_OR_RETURN(options.generate.pass_map, PassMapOf(arguments.environment.target));
  options.generate.devices = arguments.environment.target == "tvm";
  options.per_fault = arguments.per_fault;
  options.cases = arguments.cases;
  options.full = arguments.full;
  options.budget = arguments.budget;
  options.jobs = arguments.jobs;
  options.stop = [] { return signals_seen.load() > 0; };
  StatusLine line;
  options.changed = [&](const TriageRecords& now) -> absl::Status {
    line.Show([&now] { return Progress(now); });
    if (arguments.json.empty() || arguments.json == "-") return absl::OkStatus();
    return WriteOutput(arguments.json, ToJson(now));
  };
  signal(SIGINT, OnSignal);
  signal(SIGTERM, OnSignal);
  const absl::Status status = RunTriageBench(options, &*records);
  line.Finish();
  IRATE_RETURN_IF_ERROR(status);
  if (!arguments.json.empty()) {
    IRATE_RETURN_IF_ERROR(WriteOutput(arguments.json, ToJson(*records)));
  }
  if (arguments.json != "-") fmt::print("{}", ToText(*records));
  if (signals_seen.load() > 0) return kExitInterrupted;
  const TriageSummary summary = Summarise(*records);
  return summary.slips + summary.lost + summary.errors == 0 ? kExitOk : kExitFindings;
}

void AddCommand(CLI::App* bench, int* exit_code, const char* name, const char* description,
                const Arguments& defaults) {
  auto arguments = std::make_shared<Arguments>(defaults);
  CLI::App* command = bench->add_subcommand(name, description);
  command->add_option("--faults", arguments->faults,
                      "File of faults (docs/faults.md) instead of the built-in ones");
  command->add_option("--only", arguments->only, "Only the fault of this name; may be repeated");
  command->add_option("--seed", arguments->seed, "Seed of the Cases")->capture_default_str();
  command->add_option("--per-fault", arguments->per_fault, "Findings of each fault, at most")
      ->capture_default_str()
      ->check(CLI::Range(1, 100'000));
  command->add_option("--cases", arguments->cases, "Cases to search, at most")
      ->capture_default_str();
  command->add_option("--budget", arguments->budget, "Seconds for one reduction")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_option("--jobs", arguments->jobs, "Reductions at the same time; 0: one a core")
      ->capture_default_str()
      ->check(CLI::Range(0, 256));
  command->add_flag("--alone", arguments->alone,
                    "One fault at a time, without the others of the same passes");
  command->add_option("--json", arguments->json,
                      "Write the records to this file, as they come, and go on with it where it is "
                      "there; - : stdout, at the end");
  command->add_flag("--restart", arguments->restart, "Do not go on with the --json file");
  command->add_option("--target", arguments->environment.target, "Compiler under test")
      ->capture_default_str();
  command->add_option("--deadline", arguments->environment.deadline, "Seconds for one Case")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_option("--worker", arguments->environment.worker, "Path of irate-worker");
  command->add_option("--asan-worker", arguments->environment.asan_worker,
                      "Path of irate-worker-asan");
  command->footer(
      "Exit codes: 0 measured, 1 a reduced Case lost its fault, 2 usage or a mistake in the "
      "faults,\n"
      "3 environment.");
  command->callback([arguments, exit_code] { *exit_code = ExitCode(Run(*arguments)); });
}

}  // namespace

void AddBenchTriageCommands(CLI::App* bench, int* exit_code) {
  Arguments reduce;
  // A hang must show several times before it counts.
  reduce.environment.deadline = 4;
  AddCommand(bench, exit_code, "reduce",
             "Findings of seeded faults, reduced fully: how small, how soon, of the same fault?",
             reduce);
  Arguments buckets = reduce;
  buckets.full = false;
  buckets.per_fault = 10;
  buckets.cases = 6'000;
  buckets.budget = 20;
  AddCommand(bench, exit_code, "buckets",
             "Findings of seeded faults, reduced as while fuzzing: one fault, one bucket?",
             buckets);
}

}  // namespace irate
