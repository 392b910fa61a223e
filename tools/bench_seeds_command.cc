// irate bench seeds: programs that are right, at every tier and level of optimisation.
//
// The programs of corpus/seeds are a compiler's own operators, so a report about one is a live
// finding that was looked at (corpus/known) or a false alarm.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "execution/sanitized_tier.h"
#include "fmt/format.h"
#include "generators/seed_programs.h"
#include "ir/status_macros.h"
#include "nlohmann/json.hpp"
#include "oracles/oracle.h"
#include "tools/bench_command.h"
#include "tools/command.h"
#include "tools/environment.h"
#include "triage/known_findings.h"

namespace irate {
namespace {

using Json = nlohmann::ordered_json;

struct Arguments {
  EnvironmentOptions environment;
  std::string seeds = DefaultSeedsFolder();
  std::string known = DefaultKnownFolder();
  std::vector<int> levels = {0, 1, 2, 3};
  uint64_t first = 0;
  uint64_t count = 0;
  std::string json;
};

struct Totals {
  uint64_t runs = 0;
  uint64_t known = 0;
  std::vector<std::string> reports;  // "acos-1 at opt-level 2: SIGNATURE: summary"
  std::vector<std::string> faults;   // of irate, and what could not be looked at
};

class SeedRuns {
 public:
  static absl::StatusOr<SeedRuns> Create(const Arguments& arguments) {
    SeedRuns runs;
    IRATE_ASSIGN_OR_RETURN(runs.harness_, MakeHarness(arguments.environment));
    IRATE_ASSIGN_OR_RETURN(const WorkerOptions worker, FindAsanWorker(arguments.environment));
    IRATE_ASSIGN_OR_RETURN(runs.tier_, SanitizedTier::Create(runs.harness_.get(), worker));
    IRATE_ASSIGN_OR_RETURN(runs.known_, ReadKnownFindings(arguments.known));
    return runs;
  }

  absl::Status Add(Case program, int level) {
    const std::string place = fmt::format("{} at opt-level {}", program.generator(), level);
    program.clear_targets();
    TargetSpec* spec = program.add_targets();
    spec->set_target("tvm");
    spec->set_options(fmt::format("{{\"kind\":\"llvm\",\"opt-level\":{}}}", level));
    // Of these seeds both forms of the code run instrumented: what the compiler emits, and that
    // optimised.
    program.mutable_inputs()->set_seed(0);
    IRATE_ASSIGN_OR_RETURN(const Observation observation, tier_->Execute(program));
    ++totals_.runs;
    if (observation.reference().status() != Interpretation::DEFINED) {
      totals_.faults.push_back(place + ": not defined");
    }
    for (const std::string& fault : HarnessFaults(observation)) {
      totals_.faults.push_back(fmt::format("{}: {}", place, fault));
    }
    for (const VariantObservation& variant : observation.variants()) {
      if (!variant.not_sanitized().empty()) {
        totals_.faults.push_back(
            fmt::format("{}: not run instrumented: {}", place, variant.not_sanitized()));
      }
    }
    for (const Finding& finding : JudgeAll(program, observation)) {
      if (known_.contains(finding.signature())) {
        ++totals_.known;
      } else {
        totals_.reports.push_back(
            fmt::format("{}: {}: {}", place, finding.signature(), finding.summary()));
      }
    }
    return absl::OkStatus();
  }

  const Totals& totals() const { return totals_; }

 private:
  SeedRuns() = default;

  std::unique_ptr<Harness> harness_;
  std::unique_ptr<SanitizedTier> tier_;
  KnownFindings known_;
  Totals totals_;
};

absl::StatusOr<int> Run(const Arguments& arguments) {
  IRATE_ASSIGN_OR_RETURN(std::vector<Case> programs, LoadSeedPrograms(arguments.seeds));
  if (programs.empty()) {
    return absl::NotFoundError(fmt::format("there is no program in {}", arguments.seeds));
  }
  const uint64_t end = arguments.count == 0 ? programs.size() : arguments.first + arguments.count;
  IRATE_ASSIGN_OR_RETURN(SeedRuns runs, SeedRuns::Create(arguments));
  for (uint64_t i = arguments.first; i < end && i < programs.size(); ++i) {
    for (const int level : arguments.levels) {
      IRATE_RETURN_IF_ERROR(runs.Add(programs[i], level));
    }
    if (i % 25 == 24) fmt::print(stderr, "irate: {} programs\n", i + 1);
  }
  const Totals& totals = runs.totals();
  if (arguments.json != "-") {
    for (const std::string& report : totals.reports) fmt::print("{}\n", report);
    for (const std::string& fault : totals.faults) fmt::print("{}\n", fault);
    fmt::print("{} runs, {} reports, {} sightings of known findings, {} not looked at wholly\n",
               totals.runs, totals.reports.size(), totals.known, totals.faults.size());
  }
  if (!arguments.json.empty()) {
    const Json json = {{"runs", totals.runs},
                       {"reports", totals.reports},
                       {"known", totals.known},
                       {"not_looked_at", totals.faults}};
    IRATE_RETURN_IF_ERROR(WriteOutput(arguments.json, json.dump(2) + "\n"));
  }
  return totals.reports.empty() && totals.faults.empty() ? kExitOk : kExitFindings;
}

}  // namespace

void AddBenchSeedsCommand(CLI::App* bench, int* exit_code) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = bench->add_subcommand(
      "seeds", "The programs of corpus/seeds at every tier and level: nothing is to be reported");
  command->add_option("--seeds", arguments->seeds, "Folder of programs")->capture_default_str();
  command->add_option("--known", arguments->known, "Folder of known findings: counted apart")
      ->capture_default_str();
  command->add_option("--levels", arguments->levels, "Levels of optimisation")
      ->check(CLI::Range(0, 3))
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--first", arguments->first, "Number of the first program");
  command->add_option("--count", arguments->count, "How many programs; 0: all");
  command->add_option("--json", arguments->json, "Write the report to this file; - : stdout");
  command->add_option("--worker", arguments->environment.worker, "Path of irate-worker");
  command->add_option("--asan-worker", arguments->environment.asan_worker,
                      "Path of irate-worker-asan");
  command->footer(
      "Exit codes: 0 no report, 1 a report or a program that could not be looked at,\n"
      "2 usage error, 3 environment.");
  command->callback([arguments, exit_code] { *exit_code = ExitCode(Run(*arguments)); });
}

}  // namespace irate
