// irate reduce: the smallest Case that shows the same finding.
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <memory>
#include <thread>

#include "execution/find_worker.h"
#include "fmt/format.h"
#include "ir/status_macros.h"
#include "ir/text.h"
#include "nlohmann/json.hpp"
#include "targets/pass_maps.h"
#include "tools/case_argument.h"
#include "tools/command.h"
#include "tools/environment.h"
#include "tools/status_line.h"
#include "tools/worker_options.h"
#include "triage/reduce_finding.h"
#include "triage/retriage.h"

namespace irate {
namespace {

using Json = nlohmann::ordered_json;

struct ReduceArguments {
  EnvironmentOptions environment;
  std::string path;
  std::string signature;
  std::string out;
  std::string state;
  std::string json;
  double budget = 60;
  int tests = 100'000;
  int jobs = 0;
  bool restart = false;
};

std::atomic<int> signals_seen{0};
void OnSignal(int) {
  if (signals_seen.fetch_add(1) > 0) _exit(kExitInterrupted);
}

Json SizeJson(const CaseMeasure& size) {
  return {{"nodes", size.nodes}, {"statements", size.statements}, {"passes", size.passes}};
}

std::string ResultJson(const ReducedFinding& reduced, const std::string& out) {
  const Json json = {{"signature", reduced.finding.signature()},
                     {"summary", reduced.finding.summary()},
                     {"before", SizeJson(reduced.before)},
                     {"after", SizeJson(reduced.after)},
                     {"tests", reduced.progress.tests},
                     {"cached", reduced.progress.cached},
                     {"accepted", reduced.progress.accepted},
                     {"seconds", reduced.progress.seconds},
                     {"finished", reduced.finished},
                     {"shown", reduced.shown},
                     {"runs", reduced.runs},
                     {"trials", reduced.trials},
                     {"fallbacks", reduced.fallbacks},
                     {"out", out}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string ProgressText(const FullReduceProgress& progress) {
  return fmt::format("{:.0f} s  {} nodes, {} statements, {} passes  {} tests ({} remembered)  {}",
                     progress.seconds, progress.size.nodes, progress.size.statements,
                     progress.size.passes, progress.tests, progress.cached, progress.phase);
}

absl::StatusOr<int> Reduce(ReduceArguments arguments) {
  IRATE_ASSIGN_OR_RETURN(const CaseArgument given, ReadCaseArgument(arguments.path));
  if (arguments.signature.empty()) arguments.signature = given.signature;
  if (arguments.jobs == 0) {
    arguments.jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  }
  if (arguments.state.empty()) {
    arguments.state =
        given.folder.empty() ? given.case_path + ".reduce" : given.folder + "/.reduce";
  }
  std::error_code error;
  if (arguments.restart) std::filesystem::remove_all(arguments.state, error);
  ReduceFindingOptions options;
  IRATE_ASSIGN_OR_RETURN(options.harness.worker, FindWorker(arguments.environment));
  options.jobs = arguments.jobs;
  if (const auto map = PassMapOf(arguments.environment.target); map.ok()) options.pass_map = *map;
  options.reduce.time = std::chrono::milliseconds(static_cast<int64_t>(arguments.budget * 1000));
  options.reduce.tests = arguments.tests;
  options.reduce.state_folder = arguments.state;
  options.reduce.stop = [] { return signals_seen.load() > 0; };
  StatusLine line;
  options.reduce.progress = [&line](const FullReduceProgress& progress) {
    line.Show([&progress] { return ProgressText(progress); });
  };
  signal(SIGINT, OnSignal);
  signal(SIGTERM, OnSignal);
  absl::StatusOr<ReducedFinding> reduced =
      ReduceFinding(given.test_case, arguments.signature, options);
  line.Finish();
  if (absl::IsNotFound(reduced.status())) {
    fmt::print(stderr, "irate: {}\n", std::string(reduced.status().message()));
    return kExitOk;
  }
  if (!reduced.ok()) return reduced.status();

  std::string out = arguments.out;
  if (out.empty() && given.folder.empty()) {
    out = std::filesystem::path(given.case_path).replace_extension(".reduced.irate").string();
  }
  if (out.empty()) {
    RetriageOptions retriage;
    retriage.harness = options.harness;
    retriage.reproducer.python = FindPython(arguments.environment);
    retriage.reproducer.irate = SelfPath();
    IRATE_ASSIGN_OR_RETURN(out, StoreReduced(given.folder, *reduced, retriage));
  } else {
    IRATE_RETURN_IF_ERROR(WriteCaseFile(out, reduced->reduced));
  }
  // What was learnt is of use only to a reduction that goes on.
  if (reduced->finished) std::filesystem::remove_all(arguments.state, error);
  if (arguments.json != "-") {
    fmt::print(
        "{}\n{} -> {} nodes, {} -> {} statements, {} -> {} passes; {} tests, {:.1f} s{}\n{}\n",
        reduced->finding.signature(), reduced->before.nodes, reduced->after.nodes,
        reduced->before.statements, reduced->after.statements, reduced->before.passes,
        reduced->after.passes, reduced->progress.tests, reduced->progress.seconds,
        reduced->finished ? "" : "; not finished, run it again to go on", out);
  }
  if (!arguments.json.empty()) {
    IRATE_RETURN_IF_ERROR(WriteOutput(arguments.json, ResultJson(*reduced, out)));
  }
  return kExitFindings;
}

}  // namespace

void AddReduceCommand(CLI::App* app, int* exit_code) {
  auto arguments = std::make_shared<ReduceArguments>();
  CLI::App* command =
      app->add_subcommand("reduce", "Make a Case as small as it gets while it shows its finding");
  command->add_option("case", arguments->path, "A Case file, or the folder of a finding")
      ->required();
  command->add_option("--signature", arguments->signature,
                      "Which finding, where the Case shows several; of a folder: its own");
  command->add_option("--budget", arguments->budget, "Seconds")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_option("--tests", arguments->tests, "Candidates to ask about at most")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_option("--jobs", arguments->jobs, "Workers; 0: one for each core")
      ->check(CLI::Range(0, 256));
  command->add_option("--out", arguments->out,
                      "Where the reduced Case goes. Default: CASE.reduced.irate; of a folder: the "
                      "folder, with a new reproducer");
  command->add_option("--state", arguments->state,
                      "Folder that remembers what was tried, so that a reduction goes on where it "
                      "was ended. Default: beside the Case");
  command->add_flag("--restart", arguments->restart, "Forget what was tried before");
  command->add_option("--json", arguments->json,
                      "Write the result to this file as JSON; - : stdout");
  AddWorkerOptions(command, &arguments->environment);
  command->add_option("--python", arguments->environment.python,
                      "Python that can import the compiler, to verify the reproducer with");
  command->footer(
      "Exit codes: 0 the finding does not show (any more), 1 it was reduced, 2 usage error,\n"
      "3 environment.");
  command->callback([arguments, exit_code] { *exit_code = ExitCode(Reduce(*arguments)); });
}

}  // namespace irate
