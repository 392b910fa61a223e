// irate analyze: questions to the compiler's integer analyser, from a seed or from files.
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "execution/protocol.pb.h"
#include "fmt/format.h"
#include "fuzzers/analyzer_loop.h"
#include "ir/file.h"
#include "ir/status_macros.h"
#include "nlohmann/json.hpp"
#include "tools/analyze.h"
#include "tools/command.h"
#include "triage/analysis/judge.h"
#include "triage/analysis/session.h"
#include "triage/analysis/triage.h"
#include "triage/finding_store.h"
#include "triage/known_findings.h"

namespace irate {
namespace {

constexpr size_t kMaxQuestionBytes = size_t{1} << 20;

std::atomic<int> signals_seen{0};

void OnSignal(int) {
  if (signals_seen.fetch_add(1) > 0) _exit(kExitInterrupted);
}

double Rate(const AnalyzerSummary& summary) {
  const double seconds = summary.seconds - summary.triage_seconds;
  return seconds <= 0 ? 0 : static_cast<double>(summary.expressions) / seconds;
}

void ShowProgress(const AnalyzerSummary& summary) {
  if (isatty(STDERR_FILENO) == 0) return;
  fmt::print(stderr, "\r{:.0f} s  {} questions  {} expressions  {} wrong  {} findings ({} new) ",
             summary.seconds, summary.questions, summary.expressions, summary.wrong,
             summary.findings.size(), summary.NewFindings());
}

std::string Text(const AnalyzerSummary& summary) {
  std::string text;
  for (const auto& [signature, entry] : summary.findings) {
    text += fmt::format(
        "{} {}x {}\n    {}\n    {}{}\n", entry.known ? "known" : "NEW  ", entry.count, signature,
        entry.finding.summary(), entry.path.empty() ? entry.finding.detail() : entry.path,
        entry.known || entry.reproducer_verified ? "" : "  (reproducer not verified)");
  }
  text += fmt::format(
      "{} questions, {} expressions ({:.0f}/s beside triage), {} points judged; {} answers wrong, "
      "{} "
      "of a kind seen often and not reduced, {} not reproduced; {} said nothing, {} refused, {} "
      "not "
      "defined, {} not readable; {} worker deaths; {:.1f} s, triage {:.1f} s\n",
      summary.questions, summary.expressions, Rate(summary), summary.checks.points, summary.wrong,
      summary.not_reduced, summary.not_reproduced, summary.checks.nothing, summary.checks.refused,
      summary.checks.not_defined, summary.checks.unreadable, summary.worker_deaths, summary.seconds,
      summary.triage_seconds);
  return text;
}

nlohmann::json Json(const AnalyzerSummary& summary, const AnalyzerFuzzOptions& options) {
  nlohmann::json json;
  json["seed"] = options.seed;
  json["jobs"] = options.jobs;
  json["questions"] = summary.questions;
  json["expressions"] = summary.expressions;
  json["expressions_per_s"] = Rate(summary);
  json["points"] = summary.checks.points;
  json["wrong"] = summary.wrong;
  json["not_reduced"] = summary.not_reduced;
  json["not_reproduced"] = summary.not_reproduced;
  json["nothing"] = summary.checks.nothing;
  json["refused"] = summary.checks.refused;
  json["not_defined"] = summary.checks.not_defined;
  json["unreadable"] = summary.checks.unreadable;
  json["worker_deaths"] = summary.worker_deaths;
  json["seconds"] = summary.seconds;
  json["triage_seconds"] = summary.triage_seconds;
  json["compiler_seconds"] = summary.compiler_seconds;
  json["functions"] = summary.functions;
  json["findings"] = nlohmann::json::array();
  json["known"] = nlohmann::json::array();
  for (const auto& [signature, entry] : summary.findings) {
    nlohmann::json finding;
    finding["signature"] = signature;
    finding["oracle"] = entry.finding.oracle();
    finding["culprit"] = entry.finding.culprit();
    finding["summary"] = entry.finding.summary();
    finding["detail"] = entry.finding.detail();
    finding["count"] = entry.count;
    finding["path"] = entry.path;
    finding["reproducer_verified"] = entry.reproducer_verified;
    json[entry.known ? "known" : "findings"].push_back(std::move(finding));
  }
  return json;
}

absl::StatusOr<AnalyzerFuzzOptions> MakeOptions(const AnalyzeArguments& arguments) {
  AnalyzerFuzzOptions options;
  options.seed = arguments.seed == 0 ? std::random_device()() : arguments.seed;
  options.seconds = arguments.seconds;
  options.count = arguments.count;
  options.jobs = arguments.jobs != 0
                     ? arguments.jobs
                     : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  IRATE_ASSIGN_OR_RETURN(options.worker, FindWorker(arguments.environment));
  options.triage.reproducer.python = FindPython(arguments.environment);
  options.triage.directory = arguments.findings;
  IRATE_ASSIGN_OR_RETURN(const KnownFindings known, ReadKnownFindings(arguments.known));
  options.triage.known = Signatures(known);
  return options;
}

// Exit code of asking what the files hold.
absl::StatusOr<int> Replay(const AnalyzeArguments& arguments) {
  IRATE_ASSIGN_OR_RETURN(const WorkerOptions worker, FindWorker(arguments.environment));
  IRATE_ASSIGN_OR_RETURN(std::unique_ptr<WorkerClient> client, WorkerClient::Start(worker));
  analysis::Session session(client.get());
  bool found = false;
  for (const std::string& file : arguments.files) {
    IRATE_ASSIGN_OR_RETURN(const std::string text, ReadFile(file, kMaxQuestionBytes));
    const absl::StatusOr<AnalysisQuestion> question = analysis::QuestionFromText(text);
    if (!question.ok()) {
      return FailUsage(fmt::format("{}: {}", file, std::string(question.status().message())));
    }
    IRATE_ASSIGN_OR_RETURN(const analysis::Asked asked, session.Ask(*question));
    const std::vector<analysis::Wrong> wrongs = analysis::Judge(*question, asked, nullptr);
    for (const analysis::Wrong& wrong : wrongs) {
      const Finding finding = analysis::MakeFinding(*question, wrong);
      fmt::print("{}: {}\n    {}\n    {}\n", file, finding.signature(), finding.summary(),
                 finding.detail());
      found = true;
    }
    if (wrongs.empty()) fmt::print("{}: nothing wrong\n", file);
  }
  return found ? kExitFindings : kExitOk;
}

int RunAnalyze(const AnalyzeArguments& arguments) {
  if (!arguments.files.empty()) {
    const absl::StatusOr<int> code = Replay(arguments);
    return code.ok() ? *code : FailEnvironment(code.status());
  }
  return FuzzAnalyzer(arguments);
}

}  // namespace

int FuzzAnalyzer(const AnalyzeArguments& arguments) {
  absl::StatusOr<AnalyzerFuzzOptions> options = MakeOptions(arguments);
  if (!options.ok()) return FailEnvironment(options.status());
  {
    // Fails early where the target cannot do this at all, and says which version there is.
    absl::StatusOr<std::unique_ptr<WorkerClient>> client = WorkerClient::Start(options->worker);
    if (!client.ok()) return FailEnvironment(client.status());
    const absl::StatusOr<WorkerClient::Analysis> probe = (*client)->Analyze({});
    if (!probe.ok()) return FailEnvironment(probe.status());
    options->triage.version = (*client)->hello().target_version();
  }
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  fmt::print(stderr, "asking the analyser of {} {} with seed {}, {} jobs; findings go to {}\n",
             options->worker.target, options->triage.version, options->seed, options->jobs,
             arguments.findings);
  absl::StatusOr<AnalyzerSummary> summary =
      RunAnalyzerLoop(*options, ShowProgress, [] { return signals_seen.load() > 0; });
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\n");
  if (!summary.ok()) return FailEnvironment(summary.status());
  const absl::StatusOr<KnownFindings> known = ReadKnownFindings(arguments.known);
  if (!known.ok()) return FailEnvironment(known.status());
  for (auto& [signature, entry] : summary->findings) {
    if (const auto found = known->find(signature); entry.known && found != known->end()) {
      entry.path = found->second;
    }
  }
  fmt::print("{}", Text(*summary));
  if (!arguments.json.empty()) {
    const absl::Status status =
        WriteOutput(arguments.json, Json(*summary, *options).dump(2) + "\n");
    if (!status.ok()) return FailEnvironment(status);
  }
  return summary->NewFindings() == 0 ? kExitOk : kExitFindings;
}

void AddAnalyzeCommand(CLI::App* app, int* exit_code) {
  auto arguments = std::make_shared<AnalyzeArguments>();
  arguments->known = DefaultKnownFolder();
  CLI::App* command = app->add_subcommand(
      "analyze",
      "Ask a compiler's integer analyser and check its answers; `irate fuzz --analyzer`");
  command
      ->add_option("files", arguments->files,
                   "Questions to ask (question.txtpb of a finding); without any: from the seed")
      ->check(CLI::ExistingFile);
  command->add_option("--time", arguments->seconds, "Seconds to run; 0: until --count or Ctrl-C")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--count", arguments->count, "Questions to ask; 0: until --time or Ctrl-C");
  command->add_option("--seed", arguments->seed, "Seed of the run; 0: a random one");
  command->add_option("--jobs", arguments->jobs, "Workers; 0: one for each core")
      ->check(CLI::Range(0, 1024));
  command->add_option("--findings", arguments->findings, "Folder to record findings in")
      ->capture_default_str();
  command->add_option("--known", arguments->known, "Folder of known findings");
  command->add_option("--json", arguments->json, "Write the summary to this file as JSON");
  command->add_option("--target", arguments->environment.target, "Compiler under test")
      ->capture_default_str();
  command->add_option("--deadline", arguments->environment.deadline, "Seconds for one batch")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_option("--python", arguments->environment.python,
                      "Python that can import the compiler, to verify reproducers with");
  command->add_option("--worker", arguments->environment.worker, "Path of irate-worker");
  command->footer("Exit codes: 0 nothing new, 1 new findings, 2 usage error, 3 environment.");
  command->callback([arguments, exit_code] { *exit_code = RunAnalyze(*arguments); });
}

}  // namespace irate
