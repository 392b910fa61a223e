// irate blame, irate versions: what has to be there for a finding to show, and where it shows.
#include <filesystem>
#include <memory>
#include <thread>

#include "fmt/format.h"
#include "ir/status_macros.h"
#include "nlohmann/json.hpp"
#include "tools/case_argument.h"
#include "tools/command.h"
#include "tools/environment.h"
#include "tools/worker_options.h"
#include "triage/blame.h"
#include "triage/files.h"
#include "triage/finding_harness.h"
#include "triage/finding_probe.h"
#include "triage/finding_store.h"
#include "triage/version_check.h"

namespace irate {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct BlameArguments {
  EnvironmentOptions environment;
  std::string path;
  std::string signature;
  std::string json;
  std::string venvs = DefaultVersionsFolder();
  int jobs = 0;
};

template <typename Strings>
std::string List(const Strings& strings, std::string_view none) {
  return strings.empty() ? std::string(none) : fmt::format("{}", fmt::join(strings, ", "));
}

// Keeps it with the bucket, if the Case is one's.
absl::Status UpdateBucket(const std::string& folder,
                          const std::function<absl::Status(FindingRecord*)>& change) {
  if (folder.empty()) return absl::OkStatus();
  const fs::path path = fs::absolute(folder);
  IRATE_ASSIGN_OR_RETURN(const FindingStore store, FindingStore::Open(path.parent_path().string()));
  return store.Update(path.filename().string(), change);
}

absl::StatusOr<int> RunBlame(BlameArguments arguments) {
  IRATE_ASSIGN_OR_RETURN(const CaseArgument given, ReadCaseArgument(arguments.path));
  if (arguments.signature.empty()) arguments.signature = given.signature;
  if (arguments.jobs == 0) {
    arguments.jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  }
  HarnessOptions options;
  IRATE_ASSIGN_OR_RETURN(options.worker, FindWorker(arguments.environment));
  absl::StatusOr<Finding> finding;
  {
    IRATE_ASSIGN_OR_RETURN(const std::unique_ptr<Harness> harness,
                           CreateFindingHarness(options, NeedsSanitizedRun(arguments.signature)));
    finding = FindSignature(*harness, given.test_case, arguments.signature);
  }
  if (absl::IsNotFound(finding.status())) {
    fmt::print(stderr, "irate: {}\n", std::string(finding.status().message()));
    return kExitOk;
  }
  if (!finding.ok()) return finding.status();
  IRATE_ASSIGN_OR_RETURN(const Blame blame, BlameFinding(given.test_case, *finding, options,
                                                         arguments.jobs, [] { return false; }));
  IRATE_RETURN_IF_ERROR(UpdateBucket(given.folder, [&blame](FindingRecord* record) {
    record->blame = blame;
    return absl::OkStatus();
  }));
  if (arguments.json != "-") {
    fmt::print("{}\npasses ({} of {}): {}\noptions: {}\n", finding->signature(),
               blame.passes.size(), blame.passes_before, List(blame.passes, "none"),
               List(blame.options, "none"));
    if (!ShowsInPasses(*finding)) fmt::print("gone with: {}\n", List(blame.gone_with, "none"));
    if (!blame.llvm.empty()) fmt::print("LLVM: {}\n", blame.llvm);
  }
  if (!arguments.json.empty()) {
    const Json json = {{"signature", finding->signature()},    {"passes", blame.passes},
                       {"passes_before", blame.passes_before}, {"options", blame.options},
                       {"gone_with", blame.gone_with},         {"llvm", blame.llvm}};
    IRATE_RETURN_IF_ERROR(WriteOutput(arguments.json, json.dump(2) + "\n"));
  }
  return kExitFindings;
}

std::string_view OutcomeName(VersionVerdict::Outcome outcome) {
  switch (outcome) {
    case VersionVerdict::Outcome::kFails:
      return "fails";
    case VersionVerdict::Outcome::kPasses:
      return "passes";
    default:
      return "cannot tell";
  }
}

// One finding's folder, or a folder of them.
absl::StatusOr<std::vector<std::string>> Folders(const std::string& path) {
  if (fs::exists(path + "/finding.json")) return std::vector<std::string>{path};
  IRATE_ASSIGN_OR_RETURN(const std::vector<std::string> signatures, SignaturesIn(path));
  if (signatures.empty()) return absl::NotFoundError(fmt::format("{} holds no findings", path));
  std::vector<std::string> folders;
  folders.reserve(signatures.size());
  for (const std::string& signature : signatures) {
    folders.push_back(fmt::format("{}/{}", path, signature));
  }
  return folders;
}

absl::StatusOr<int> RunVersions(const BlameArguments& arguments) {
  IRATE_ASSIGN_OR_RETURN(const std::vector<std::string> folders, Folders(arguments.path));
  const std::vector<InstalledVersion> versions =
      FindVersions(arguments.venvs, FindPython(arguments.environment));
  if (versions.empty()) {
    return absl::NotFoundError(
        fmt::format("no version of the compiler is installed in {}: run scripts/install-versions",
                    arguments.venvs));
  }
  const std::chrono::milliseconds deadline(
      static_cast<int64_t>(arguments.environment.deadline * 1000));
  bool newest_fails = false;
  Json list = Json::array();
  for (const std::string& folder : folders) {
    IRATE_ASSIGN_OR_RETURN(const std::vector<VersionVerdict> verdicts,
                           CheckVersions(folder + "/reproducer.py", versions, deadline));
    IRATE_RETURN_IF_ERROR(UpdateBucket(folder, [&verdicts](FindingRecord* record) {
      ApplyVerdicts(verdicts, UtcNow(), &record->life);
      return absl::OkStatus();
    }));
    newest_fails |= verdicts.back().outcome == VersionVerdict::Outcome::kFails;
    const std::string description = DescribeVerdicts(verdicts);
    if (arguments.json != "-") {
      fmt::print("{}\n  {}\n", fs::path(folder).filename().string(), description);
    }
    Json entry = {{"path", folder}, {"description", description}};
    for (const VersionVerdict& verdict : verdicts) {
      entry["versions"].push_back({{"version", verdict.version},
                                   {"outcome", OutcomeName(verdict.outcome)},
                                   {"output", verdict.output}});
    }
    list.push_back(std::move(entry));
  }
  if (!arguments.json.empty()) {
    IRATE_RETURN_IF_ERROR(WriteOutput(
        arguments.json,
        Json{{"findings", std::move(list)}}.dump(2, ' ', false, Json::error_handler_t::replace) +
            "\n"));
  }
  return newest_fails ? kExitFindings : kExitOk;
}

}  // namespace

void AddBlameCommand(CLI::App* app, int* exit_code) {
  auto arguments = std::make_shared<BlameArguments>();
  CLI::App* command = app->add_subcommand(
      "blame", "Which passes and options have to be there for a finding to show");
  command->add_option("case", arguments->path, "A Case file, or the folder of a finding")
      ->required();
  command->add_option("--signature", arguments->signature,
                      "Which finding, where the Case shows several; of a folder: its own");
  command->add_option("--jobs", arguments->jobs, "Workers; 0: one for each core")
      ->check(CLI::Range(0, 256));
  command->add_option("--json", arguments->json,
                      "Write the result to this file as JSON; - : stdout");
  AddWorkerOptions(command, &arguments->environment);
  command->footer(
      "Exit codes: 0 the finding does not show, 1 it does and is blamed, 2 usage error,\n"
      "3 environment.");
  command->callback([arguments, exit_code] { *exit_code = ExitCode(RunBlame(*arguments)); });
}

void AddVersionsCommand(CLI::App* app, int* exit_code) {
  auto arguments = std::make_shared<BlameArguments>();
  arguments->environment.deadline = 120;
  CLI::App* command = app->add_subcommand(
      "versions", "In which installed versions of the compiler a finding shows");
  command->add_option("findings", arguments->path, "The folder of a finding, or of findings")
      ->required()
      ->check(CLI::ExistingDirectory);
  command
      ->add_option("--venvs", arguments->venvs,
                   "Folder of virtual environments, one for each version; "
                   "scripts/install-versions fills it")
      ->capture_default_str();
  command->add_option("--python", arguments->environment.python,
                      "A further Python that can import the compiler; default: that of the build");
  command->add_option("--deadline", arguments->environment.deadline, "Seconds for one run")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_option("--json", arguments->json,
                      "Write the result to this file as JSON; - : stdout");
  command->footer(
      "Exit codes: 0 nothing fails in the newest version, 1 something does, 2 usage error,\n"
      "3 environment.");
  command->callback([arguments, exit_code] { *exit_code = ExitCode(RunVersions(*arguments)); });
}

}  // namespace irate
