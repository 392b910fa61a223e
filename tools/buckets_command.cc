// irate buckets: what is known of each bug of a findings folder, and what a person says about it.
#include <memory>

#include "fmt/format.h"
#include "ir/status_macros.h"
#include "nlohmann/json.hpp"
#include "tools/command.h"
#include "triage/files.h"
#include "triage/finding_store.h"

namespace irate {
namespace {

using Json = nlohmann::ordered_json;

struct BucketsArguments {
  std::string findings = "findings";
  std::string json;
  std::string state;
  std::string signature;
  std::string reason;
};

std::string Line(const StoredBucket& bucket) {
  const FindingRecord& record = bucket.record;
  std::string line = fmt::format("{:<10} {:>6}  {}..{}  {}\n", BucketStateName(record.life.state),
                                 record.count, OldestFailing(record.life),
                                 NewestFailing(record.life), record.finding.signature());
  if (!record.life.mute_reason.empty())
    line += fmt::format("{:19}{}\n", "", record.life.mute_reason);
  if (!bucket.problem.empty()) line += fmt::format("{:19}{}\n", "", bucket.problem);
  return line;
}

absl::StatusOr<int> List(const BucketsArguments& arguments) {
  if (!arguments.state.empty()) IRATE_RETURN_IF_ERROR(ParseBucketState(arguments.state).status());
  IRATE_ASSIGN_OR_RETURN(const FindingStore store, FindingStore::Open(arguments.findings));
  IRATE_ASSIGN_OR_RETURN(const std::vector<StoredBucket> buckets, store.Buckets());
  bool needs_attention = false;
  Json list = Json::array();
  std::string text;
  for (const StoredBucket& bucket : buckets) {
    const BucketState state = bucket.record.life.state;
    if (!arguments.state.empty() && BucketStateName(state) != arguments.state) continue;
    needs_attention |= state == BucketState::kNew || state == BucketState::kRegressed;
    text += Line(bucket);
    Json entry = Json::parse(ToJson(bucket.record));
    entry["path"] = bucket.path;
    if (!bucket.problem.empty()) entry["problem"] = bucket.problem;
    list.push_back(std::move(entry));
  }
  if (arguments.json != "-") {
    fmt::print("{}", text.empty()
                         ? "no buckets\n"
                         : fmt::format("{:<10} {:>6}  versions\n{}", "state", "count", text));
  }
  if (!arguments.json.empty()) {
    IRATE_RETURN_IF_ERROR(
        WriteOutput(arguments.json, Json{{"buckets", std::move(list)}}.dump(2) + "\n"));
  }
  return needs_attention ? kExitFindings : kExitOk;
}

using Change = absl::Status (*)(const BucketsArguments&, const std::string& now, BucketLife*);

absl::StatusOr<int> Apply(const BucketsArguments& arguments, Change change) {
  IRATE_ASSIGN_OR_RETURN(const FindingStore store, FindingStore::Open(arguments.findings));
  const absl::Status status = store.Update(arguments.signature, [&](FindingRecord* record) {
    return change(arguments, UtcNow(), &record->life);
  });
  if (absl::IsNotFound(status)) {
    return absl::NotFoundError(fmt::format("{} has no bucket {}; `irate buckets list` has them",
                                           arguments.findings, arguments.signature));
  }
  if (!status.ok()) return status;
  return kExitOk;
}

int Finish(const absl::StatusOr<int>& code) {
  if (code.ok()) return *code;
  const bool usage =
      absl::IsInvalidArgument(code.status()) || absl::IsFailedPrecondition(code.status());
  return usage ? FailUsage(std::string(code.status().message())) : FailEnvironment(code.status());
}

void AddFindings(CLI::App* command, BucketsArguments* arguments) {
  command->add_option("--findings", arguments->findings, "Folder of findings")
      ->capture_default_str()
      ->check(CLI::ExistingDirectory);
}

void AddChange(CLI::App* parent, const char* name, const char* help, bool has_reason,
               const std::shared_ptr<BucketsArguments>& arguments, int* exit_code, Change change) {
  CLI::App* command = parent->add_subcommand(name, help);
  AddFindings(command, arguments.get());
  command->add_option("signature", arguments->signature, "The bucket: its folder's name")
      ->required();
  if (has_reason) {
    command->add_option("--reason", arguments->reason, "Why: a report, a person, a decision")
        ->required();
  }
  command->callback(
      [arguments, exit_code, change] { *exit_code = Finish(Apply(*arguments, change)); });
}

}  // namespace

void AddBucketsCommand(CLI::App* app, int* exit_code) {
  auto arguments = std::make_shared<BucketsArguments>();
  CLI::App* command =
      app->add_subcommand("buckets", "List the bugs of a findings folder; mute and unmute them");
  command->require_subcommand(1);
  CLI::App* list = command->add_subcommand("list", "Each bucket with state, count and versions");
  AddFindings(list, arguments.get());
  list->add_option("--state", arguments->state,
                   "Only these: new, known, muted, fixed or regressed");
  list->add_option("--json", arguments->json, "Write them to this file as JSON; - : stdout");
  list->callback([arguments, exit_code] { *exit_code = Finish(List(*arguments)); });
  AddChange(command, "mute", "Keep a bucket out of the way, with a reason", true, arguments,
            exit_code, [](const BucketsArguments& given, const std::string& now, BucketLife* life) {
              return ApplyMute(given.reason, now, life);
            });
  AddChange(command, "unmute", "Make a muted bucket new again", false, arguments, exit_code,
            [](const BucketsArguments&, const std::string& now, BucketLife* life) {
              return ApplyUnmute(now, life);
            });
  AddChange(command, "known", "Say that a bucket is known", false, arguments, exit_code,
            [](const BucketsArguments&, const std::string& now, BucketLife* life) {
              ApplyKnown(now, life);
              return absl::OkStatus();
            });
  command->footer(
      "Exit codes: 0 done, or nothing new or regressed is listed; 1 something is; 2 usage error;\n"
      "3 environment.");
}

}  // namespace irate
