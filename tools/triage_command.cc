// irate triage: a findings folder gone through again, from the oldest bucket to the page.
//
//  1. Every bucket's Case runs on the installed compiler. What does not show is recorded as passing
//     there: the bucket mutes itself if the compiler is newer than those that showed it.
//  2. What shows is reduced fully, named anew (buckets of one cause become one), blamed.
//  3. report.html, report.md, report.sarif and report.xml are written into the folder.
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <thread>

#include "execution/find_worker.h"
#include "execution/protocol.pb.h"
#include "fmt/format.h"
#include "ir/status_macros.h"
#include "ir/text.h"
#include "nlohmann/json.hpp"
#include "targets/pass_maps.h"
#include "tools/command.h"
#include "tools/environment.h"
#include "tools/worker_options.h"
#include "triage/blame.h"
#include "triage/files.h"
#include "triage/finding_harness.h"
#include "triage/finding_probe.h"
#include "triage/reduce_finding.h"
#include "triage/report_formats.h"
#include "triage/retriage.h"

namespace irate {
namespace {

using Json = nlohmann::ordered_json;

struct TriageArguments {
  EnvironmentOptions environment;
  std::string findings = "findings";
  std::string json;
  double budget = 30;
  int jobs = 0;
  bool no_reduce = false;
  bool no_blame = false;
};

std::atomic<bool> stopped{false};
void OnSignal(int) {
  if (stopped.exchange(true)) _exit(kExitInterrupted);
}

class TriageRun {
 public:
  explicit TriageRun(const TriageArguments& arguments) : arguments_(arguments) {}

  absl::StatusOr<int> Run() {
    IRATE_ASSIGN_OR_RETURN(harness_options_.worker, FindWorker(arguments_.environment));
    IRATE_ASSIGN_OR_RETURN(harness_, MakeHarness(arguments_.environment));
    version_ = harness_->worker().hello().target_version();
    IRATE_ASSIGN_OR_RETURN(const FindingStore store, FindingStore::Open(arguments_.findings));
    IRATE_ASSIGN_OR_RETURN(const std::vector<StoredBucket> buckets, store.Buckets());
    for (const StoredBucket& bucket : buckets) {
      if (stopped) break;
      if (!store.Contains(bucket.record.finding.signature())) continue;  // merged meanwhile
      const absl::Status status = Redo(store, bucket);
      if (status.ok()) continue;
      // One bucket that cannot be looked at is no reason to leave the others.
      fmt::print(stderr, "irate: {}: {}\n", bucket.path, std::string(status.message()));
      results_.push_back({{"path", bucket.path}, {"error", std::string(status.message())}});
      failed_ = true;
    }
    IRATE_RETURN_IF_ERROR(WriteReports(store));
    if (!arguments_.json.empty()) {
      IRATE_RETURN_IF_ERROR(
          WriteOutput(arguments_.json, Json{{"version", version_}, {"buckets", results_}}.dump(
                                           2, ' ', false, Json::error_handler_t::replace) +
                                           "\n"));
    }
    if (failed_) return kExitEnvironment;
    return open_ == 0 ? kExitOk : kExitFindings;
  }

 private:
  absl::Status Redo(const FindingStore& store, const StoredBucket& bucket) {
    const std::string& signature = bucket.record.finding.signature();
    IRATE_ASSIGN_OR_RETURN(const Case test_case, ReadCaseFile(bucket.path + "/case.irate"));
    fmt::print(stderr, "{}\n", signature);
    std::unique_ptr<Harness> sanitized;
    if (NeedsSanitizedRun(signature)) {
      IRATE_ASSIGN_OR_RETURN(sanitized, CreateFindingHarness(harness_options_, true));
    }
    Harness& harness = sanitized == nullptr ? *harness_ : *sanitized;
    const absl::StatusOr<Finding> finding = FindSignature(harness, test_case, signature);
    if (absl::IsNotFound(finding.status()) && bucket.record.earlier_cases != 0) {
      Say(signature, "needs the Cases before it: left as it is");
      return absl::OkStatus();
    }
    if (absl::IsNotFound(finding.status())) {
      Say(signature, fmt::format("does not show with {}", version_));
      return store.Update(signature, [this](FindingRecord* record) {
        ApplyPass(version_, UtcNow(), &record->life);
        return absl::OkStatus();
      });
    }
    if (!finding.ok()) return finding.status();
    std::string now_at = signature;
    Case current = test_case;
    if (!arguments_.no_reduce) {
      IRATE_ASSIGN_OR_RETURN(const ReducedFinding reduced,
                             Reduce(bucket.path, signature, test_case));
      IRATE_RETURN_IF_ERROR(StoreReduced(bucket.path, reduced, Retriage()).status());
      now_at = reduced.finding.signature();
      current = reduced.reduced;
      Say(now_at, fmt::format("{} -> {} nodes{}", reduced.before.nodes, reduced.after.nodes,
                              now_at == signature ? "" : fmt::format(", was {}", signature)));
    } else {
      Say(signature, fmt::format("shows with {}", version_));
      IRATE_RETURN_IF_ERROR(store.Update(signature, [this](FindingRecord* record) {
        ApplySighting(version_, UtcNow(), &record->life);
        return absl::OkStatus();
      }));
    }
    if (arguments_.no_blame) return absl::OkStatus();
    IRATE_ASSIGN_OR_RETURN(const Finding again, FindSignature(harness, current, now_at));
    IRATE_ASSIGN_OR_RETURN(const Blame blame,
                           BlameFinding(current, again, harness_options_, arguments_.jobs,
                                        [] { return stopped.load(); }));
    return store.Update(now_at, [&blame](FindingRecord* record) {
      record->blame = blame;
      return absl::OkStatus();
    });
  }

  absl::StatusOr<ReducedFinding> Reduce(const std::string& path, const std::string& signature,
                                        const Case& test_case) {
    ReduceFindingOptions options;
    options.harness = harness_options_;
    options.jobs = arguments_.jobs;
    if (const auto map = PassMapOf(arguments_.environment.target); map.ok()) {
      options.pass_map = *map;
    }
    options.reduce.time = std::chrono::milliseconds(static_cast<int64_t>(arguments_.budget * 1000));
    options.reduce.state_folder = path + "/.reduce";
    options.reduce.stop = [] { return stopped.load(); };
    return ReduceFinding(test_case, signature, options);
  }

  RetriageOptions Retriage() const {
    RetriageOptions options;
    options.harness = harness_options_;
    options.reproducer.python = FindPython(arguments_.environment);
    options.reproducer.irate = SelfPath();
    return options;
  }

  absl::Status WriteReports(const FindingStore& store) {
    const std::string title = fmt::format("{} {}", arguments_.environment.target, version_);
    IRATE_ASSIGN_OR_RETURN(const Report report, LoadReport(store, title, UtcNow()));
    open_ = OpenBuckets(report);
    const std::string base = arguments_.findings + "/report";
    IRATE_RETURN_IF_ERROR(WriteOutput(base + ".html", ReportHtml(report)));
    IRATE_RETURN_IF_ERROR(WriteOutput(base + ".md", ReportMarkdown(report)));
    IRATE_RETURN_IF_ERROR(WriteOutput(base + ".sarif", ReportSarif(report)));
    IRATE_RETURN_IF_ERROR(WriteOutput(base + ".xml", ReportJunit(report)));
    if (arguments_.json != "-") {
      fmt::print("{} bugs, {} new or regressed: {}.html\n", report.buckets.size(), open_, base);
    }
    return absl::OkStatus();
  }

  void Say(const std::string& signature, const std::string& what) {
    if (arguments_.json != "-") fmt::print("{}: {}\n", signature, what);
    results_.push_back({{"signature", signature}, {"result", what}});
  }

  const TriageArguments& arguments_;
  HarnessOptions harness_options_;
  std::unique_ptr<Harness> harness_;
  std::string version_;
  Json results_ = Json::array();
  bool failed_ = false;
  int open_ = 0;
};

}  // namespace

void AddTriageCommand(CLI::App* app, int* exit_code) {
  auto arguments = std::make_shared<TriageArguments>();
  CLI::App* command = app->add_subcommand(
      "triage", "Go through a findings folder: run, reduce, merge, blame, report");
  command->add_option("findings", arguments->findings, "Folder of findings")
      ->capture_default_str()
      ->check(CLI::ExistingDirectory);
  command->add_option("--budget", arguments->budget, "Seconds for the reduction of one bucket")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_option("--jobs", arguments->jobs, "Workers; 0: one for each core")
      ->check(CLI::Range(0, 256));
  command->add_flag("--no-reduce", arguments->no_reduce, "Only run what is there");
  command->add_flag("--no-blame", arguments->no_blame, "Do not look for the passes needed");
  command->add_option("--json", arguments->json,
                      "Write the results to this file as JSON; - : stdout");
  AddWorkerOptions(command, &arguments->environment);
  command->add_option("--python", arguments->environment.python,
                      "Python that can import the compiler, to verify reproducers with");
  command->footer(
      "Can be interrupted and run again: it goes on where it was.\n"
      "Exit codes: 0 nothing is new or regressed, 1 something is, 2 usage error, 3 environment, "
      "or\n"
      "a bucket could not be looked at.");
  command->callback([arguments, exit_code] {
    if (arguments->jobs == 0) {
      arguments->jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    }
    signal(SIGINT, OnSignal);
    signal(SIGTERM, OnSignal);
    const absl::StatusOr<int> code = TriageRun(*arguments).Run();
    *exit_code = code.ok() ? *code : FailEnvironment(code.status());
  });
}

}  // namespace irate
