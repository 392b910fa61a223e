// irate fuzz: Cases from a seed until the time or the count is over.
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <random>
#include <thread>

#include "execution/doctor.h"
#include "execution/find_worker.h"
#include "fmt/format.h"
#include "fuzzers/loop.h"
#include "ir/device_spec.h"
#include "ir/status_macros.h"
#include "targets/c/second_reference.h"
#include "tools/analyze.h"
#include "tools/command.h"
#include "tools/environment.h"
#include "tools/fault_names.h"
#include "tools/findings_table.h"
#include "tools/generate_options.h"
#include "tools/progress_line.h"
#include "triage/known_findings.h"

namespace irate {
namespace {

struct FuzzArguments {
  EnvironmentOptions environment;
  double seconds = 0;
  uint64_t count = 0;
  uint64_t seed = 0;
  int jobs = 0;
  std::string findings = "findings";
  std::string known = DefaultKnownFolder();
  std::string json;
  std::string options;
  std::string corpus;
  GenerateArguments generate;
  bool no_mutation = false;
  bool no_feedback = false;
  bool no_doctor = false;
  double sanitize = 0.1;
  bool no_sanitize = false;
  std::vector<std::string> faults;
  std::string rules;  // file of further faults
  std::vector<std::string> devices;
  double device_share = 0.25;
  bool analyzer = false;
};

std::atomic<int> signals_seen{0};

// The first asks for an orderly end, the second ends at once.
void OnSignal(int) {
  if (signals_seen.fetch_add(1) > 0) _exit(kExitInterrupted);
}

void InstallSignalHandlers() {
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

absl::StatusOr<FuzzOptions> MakeOptions(const FuzzArguments& arguments) {
  FuzzOptions options;
  options.seed = arguments.seed;
  options.seconds = arguments.seconds;
  options.count = arguments.count;
  options.jobs = arguments.jobs;
  options.findings = arguments.findings;
  options.source.mutate = !arguments.no_mutation;
  options.source.feedback = !arguments.no_feedback;
  options.source.corpus = arguments.corpus;
  if (!arguments.options.empty()) {
    TargetSpec spec;
    spec.set_target(arguments.environment.target);
    spec.set_options(arguments.options);
    options.targets.push_back(spec);
  }
  for (const std::string& device : arguments.devices) {
    options.devices.push_back(DeviceSpec(arguments.environment.target, device));
  }
  options.device_share = arguments.device_share;
  IRATE_ASSIGN_OR_RETURN(options.harness.worker, FindWorker(arguments.environment));
  if (!arguments.no_sanitize && arguments.sanitize > 0) {
    options.sanitize_share = arguments.sanitize;
    IRATE_ASSIGN_OR_RETURN(options.asan_worker, FindAsanWorker(arguments.environment));
  }
  options.triage.reproducer.python = FindPython(arguments.environment);
  options.triage.reproducer.irate = SelfPath();
  IRATE_ASSIGN_OR_RETURN(const KnownFindings known, ReadKnownFindings(arguments.known));
  options.triage.known = Signatures(known);
  options.triage.referee = [](const Case& test_case) { return RunSecondReference(test_case); };
  return options;
}

absl::Status AddFaults(const FuzzArguments& arguments, FuzzOptions* options) {
  Case named;
  for (const std::string& fault : arguments.faults) named.add_faults(fault);
  IRATE_ASSIGN_OR_RETURN(options->harness.target.fault_rules,
                         ResolveFaults(arguments.rules, options->sanitize_share > 0, &named));
  options->faults = {named.faults().begin(), named.faults().end()};
  return absl::OkStatus();
}

// Fuzzing a compiler whose crashes would go unnoticed is worse than none.
absl::Status ProveDetection(const FuzzOptions& options) {
  const DoctorReport report = RunDoctor(options.harness.worker);
  if (report.ok()) return absl::OkStatus();
  return absl::FailedPreconditionError(
      fmt::format("faults of the target {} would not be noticed, so it is not fuzzed:\n{}"
                  "`irate doctor` says more; ./quickstart installs what is missing",
                  report.target, report.ToText()));
}

// A run on the corpus of an earlier one goes on where that one ended. The seed is then that of the
// corpus; another one starts its own numbers.
absl::StatusOr<uint64_t> Resume(FuzzArguments* arguments) {
  if (arguments->corpus.empty()) return 0;
  const absl::StatusOr<CorpusProgress> progress = ReadCorpusProgress(arguments->corpus);
  if (absl::IsNotFound(progress.status())) return 0;
  if (!progress.ok()) return progress.status();
  if (arguments->seed == 0) arguments->seed = progress->seed;
  return arguments->seed == progress->seed ? progress->next : 0;
}

// Writes now and then how far the run is, so that one that is killed can be resumed too.
class ProgressKeeper {
 public:
  ProgressKeeper(const std::string& corpus, uint64_t seed) : corpus_(corpus), seed_(seed) {}

  // Whatever is wrong with the folder will still be so in Finish.
  void Keep(const FuzzSummary& summary) {
    if (std::chrono::steady_clock::now() < due_) return;
    due_ = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    Finish(summary).IgnoreError();
  }
  absl::Status Finish(const FuzzSummary& summary) const {
    if (corpus_.empty()) return absl::OkStatus();
    return WriteCorpusProgress(corpus_, {.seed = seed_, .next = summary.next});
  }

 private:
  const std::string corpus_;
  const uint64_t seed_;
  std::chrono::steady_clock::time_point due_;
};

int RunFuzz(FuzzArguments arguments) {
  if (arguments.analyzer) {
    return FuzzAnalyzer({.environment = arguments.environment,
                         .files = {},
                         .seconds = arguments.seconds,
                         .count = arguments.count,
                         .seed = arguments.seed,
                         .jobs = arguments.jobs,
                         .findings = arguments.findings,
                         .known = arguments.known,
                         .json = arguments.json});
  }
  if (arguments.jobs == 0) {
    arguments.jobs = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  }
  const absl::StatusOr<uint64_t> first = Resume(&arguments);
  if (!first.ok()) return FailEnvironment(first.status());
  if (arguments.seed == 0) arguments.seed = std::random_device()();
  const absl::StatusOr<GenerateOptions> generate =
      MakeGenerateOptions(arguments.generate, arguments.environment.target);
  if (!generate.ok()) return FailUsage(std::string(generate.status().message()));
  absl::StatusOr<FuzzOptions> options = MakeOptions(arguments);
  if (!options.ok()) return FailEnvironment(options.status());
  if (absl::Status status = AddFaults(arguments, &*options); !status.ok()) {
    return FailUsage(std::string(status.message()));
  }
  options->generate = *generate;
  options->first = *first;
  options->triage.pass_map = generate->pass_map;
  if (!arguments.no_doctor) {
    if (absl::Status status = ProveDetection(*options); !status.ok()) {
      return FailEnvironment(status);
    }
  }
  fmt::print(stderr, "fuzzing {} with seed {}{}, {} jobs; findings go to {}\n",
             arguments.environment.target, arguments.seed,
             *first == 0 ? "" : fmt::format(" from Case {} on", *first), arguments.jobs,
             arguments.findings);
  InstallSignalHandlers();
  ProgressLine line;
  ProgressKeeper keeper(arguments.corpus, arguments.seed);
  absl::StatusOr<FuzzSummary> summary = RunFuzzLoop(
      *options,
      [&](const FuzzSummary& state) {
        line.Show(state);
        keeper.Keep(state);
      },
      [] { return signals_seen.load() > 0; });
  line.Finish();
  if (!summary.ok()) return FailEnvironment(summary.status());
  if (absl::Status status = keeper.Finish(*summary); !status.ok()) return FailEnvironment(status);
  const absl::StatusOr<KnownFindings> known = ReadKnownFindings(arguments.known);
  if (!known.ok()) return FailEnvironment(known.status());
  for (auto& [signature, entry] : summary->findings) {
    if (const auto found = known->find(signature); entry.known && found != known->end()) {
      entry.path = found->second;
    }
  }
  fmt::print("{}", SummaryText(*summary));
  if (!arguments.json.empty()) {
    const absl::Status status =
        WriteOutput(arguments.json, SummaryJson(*summary, arguments.seed, arguments.jobs));
    if (!status.ok()) return FailEnvironment(status);
  }
  return summary->NewFindings() == 0 ? kExitOk : kExitFindings;
}

}  // namespace

void AddFuzzCommand(CLI::App* app, int* exit_code) {
  auto arguments = std::make_shared<FuzzArguments>();
  CLI::App* command = app->add_subcommand("fuzz", "Generate Cases and look for bugs in a compiler");
  command->add_option("--time", arguments->seconds, "Seconds to run; 0: until --count or Ctrl-C")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--count", arguments->count, "Cases to run; 0: until --time or Ctrl-C");
  command->add_option("--seed", arguments->seed,
                      "Seed of the run: the same seed gives the same Cases; 0: that of the corpus, "
                      "or a random one");
  command->add_option("--jobs", arguments->jobs, "Processes; 0: one for each core")
      ->check(CLI::Range(0, 1024));
  command->add_option("--findings", arguments->findings, "Folder to record findings in")
      ->capture_default_str();
  command->add_option("--known", arguments->known,
                      "Folder of known findings: counted, not recorded, no reason to exit with 1");
  command->add_option("--corpus", arguments->corpus,
                      "Folder of interesting Cases: read, extended, and with it a run is resumed");
  command->add_flag("--no-mutation", arguments->no_mutation,
                    "Generate every Case instead of making half of them from interesting ones");
  command->add_flag("--no-feedback", arguments->no_feedback,
                    "Do not look at what Cases showed when earlier ones are picked for mutation");
  command->add_option("--json", arguments->json, "Write the summary to this file as JSON");
  command->add_option("--target", arguments->environment.target, "Compiler under test")
      ->capture_default_str();
  command->add_option("--target-options", arguments->options,
                      "The compiler's own target description (JSON), for every Case");
  command
      ->add_option("--device", arguments->devices,
                   "Run a share of the Cases on this device as well; may be repeated (docs/gpu.md)")
      ->check(CLI::IsMember(DeviceNames()));
  command->add_option("--device-share", arguments->device_share, "That share of the Cases")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
  AddGenerateOptions(command, &arguments->generate);
  command->add_option("--deadline", arguments->environment.deadline, "Seconds for one Case")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  command->add_option("--python", arguments->environment.python,
                      "Python that can import the compiler, to verify reproducers with");
  command->add_option("--worker", arguments->environment.worker, "Path of irate-worker");
  command
      ->add_option("--sanitize", arguments->sanitize,
                   "Share of the Cases whose generated code also runs instrumented, with its "
                   "contracts checked, if nothing else was wrong with it")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
  command->add_option("--fault", arguments->faults,
                      "A seeded fault to switch on in every Case; may be repeated "
                      "(docs/sanitizers.md, docs/faults.md)");
  command
      ->add_option("--faults", arguments->rules,
                   "File of faults that --fault may name, instead of the built-in ones")
      ->check(CLI::ExistingFile);
  command->add_flag("--no-sanitize", arguments->no_sanitize, "The same as --sanitize 0");
  command->add_option("--asan-worker", arguments->environment.asan_worker,
                      "Path of irate-worker-asan");
  command->add_flag("--analyzer", arguments->analyzer,
                    "Ask the compiler's integer analyser instead (`irate analyze`)");
  command->add_flag("--no-doctor", arguments->no_doctor,
                    "Do not prove first that faults of the compiler would be noticed");
  command->footer("Exit codes: 0 nothing new, 1 new findings, 2 usage error, 3 environment.");
  command->callback([arguments, exit_code] { *exit_code = RunFuzz(*arguments); });
}

}  // namespace irate
