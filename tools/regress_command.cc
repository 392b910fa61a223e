// irate regress: what of corpus/known and corpus/regressions the installed compiler still does.
#include <filesystem>
#include <memory>

#include "execution/protocol.pb.h"
#include "fmt/format.h"
#include "ir/status_macros.h"
#include "ir/text.h"
#include "nlohmann/json.hpp"
#include "oracles/oracle.h"
#include "tools/command.h"
#include "tools/environment.h"
#include "tools/worker_options.h"
#include "triage/finding_harness.h"
#include "triage/finding_probe.h"
#include "triage/finding_store.h"

namespace irate {
namespace {

using Json = nlohmann::ordered_json;

struct RegressArguments {
  EnvironmentOptions environment;
  std::string known = DefaultKnownFolder();
  std::string regressions = DefaultRegressionsFolder();
  std::string json;
};

absl::StatusOr<int> RunRegress(const RegressArguments& arguments) {
  IRATE_ASSIGN_OR_RETURN(const std::unique_ptr<Harness> harness,
                         MakeHarness(arguments.environment));
  Json results = Json::array();
  const auto say = [&](const std::string& what, const std::string& path,
                       const std::string& detail) {
    if (arguments.json != "-") fmt::print("{:<11} {}{}\n", what, path, detail);
    results.push_back({{"result", what}, {"path", path}, {"detail", detail}});
  };
  bool failed = false;
  IRATE_ASSIGN_OR_RETURN(const std::vector<std::string> known, SignaturesIn(arguments.known));
  for (const std::string& signature : known) {
    const std::string path = fmt::format("{}/{}", arguments.known, signature);
    IRATE_ASSIGN_OR_RETURN(const Case test_case, ReadCaseFile(path + "/case.irate"));
    std::unique_ptr<Harness> sanitized;
    if (NeedsSanitizedRun(signature)) {
      HarnessOptions options;
      IRATE_ASSIGN_OR_RETURN(options.worker, FindWorker(arguments.environment));
      IRATE_ASSIGN_OR_RETURN(sanitized, CreateFindingHarness(options, true));
    }
    const absl::StatusOr<Finding> finding =
        FindSignature(sanitized == nullptr ? *harness : *sanitized, test_case, signature);
    if (!finding.ok() && !absl::IsNotFound(finding.status())) return finding.status();
    say(finding.ok() ? "still there" : "fixed", signature, "");
  }
  std::error_code error;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(arguments.regressions, error)) {
    if (entry.path().extension() != ".irate") continue;
    IRATE_ASSIGN_OR_RETURN(const Case test_case, ReadCaseFile(entry.path().string()));
    IRATE_ASSIGN_OR_RETURN(const Observation observation, harness->ExecuteFresh(test_case));
    const std::vector<Finding> findings = JudgeAll(test_case, observation);
    failed |= !findings.empty();
    say(findings.empty() ? "passes" : "regressed", entry.path().string(),
        findings.empty() ? "" : fmt::format(": {}", findings[0].summary()));
  }
  if (!arguments.json.empty()) {
    const Json json = {{"version", harness->worker().hello().target_version()},
                       {"results", std::move(results)}};
    IRATE_RETURN_IF_ERROR(WriteOutput(
        arguments.json, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"));
  }
  return failed ? kExitFindings : kExitOk;
}

}  // namespace

void AddRegressCommand(CLI::App* app, int* exit_code) {
  auto arguments = std::make_shared<RegressArguments>();
  CLI::App* command = app->add_subcommand(
      "regress", "Replay known findings and regression Cases on the installed compiler");
  command->add_option("--known", arguments->known, "Folder of known findings");
  command->add_option("--regressions", arguments->regressions,
                      "Folder of Cases that must pass (.irate files, at any depth)");
  command->add_option("--json", arguments->json,
                      "Write the results to this file as JSON; - : stdout");
  AddWorkerOptions(command, &arguments->environment);
  command->footer(
      "Exit codes: 0 every regression Case passes, 1 one fails, 2 usage error, 3 environment. A\n"
      "known finding that is fixed is listed and is no failure.");
  command->callback([arguments, exit_code] { *exit_code = ExitCode(RunRegress(*arguments)); });
}

}  // namespace irate
