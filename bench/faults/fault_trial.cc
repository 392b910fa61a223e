#include "bench/faults/fault_trial.h"

#include <chrono>
#include <optional>

#include "bench/faults/fault_judge.h"
#include "bench/faults/fault_probe.h"
#include "execution/protocol.pb.h"
#include "generators/generator.h"
#include "ir/status_macros.h"
#include "ir/text.h"

namespace irate {
namespace {

using Clock = std::chrono::steady_clock;

// In the second half of a search Cases run instrumented as well, although no oracle of that tier is
// expected to see the fault; not where so many did not show it.
constexpr uint64_t kSanitized = 50;

class Trial {
 public:
  Trial(const rewrite::Rule& rule, const FaultTrialOptions& options)
      : rule_(rule),
        options_(options),
        harnesses_(options.harness, options.asan_worker, options.rules) {}

  absl::StatusOr<FaultTrial> Run() {
    IRATE_ASSIGN_OR_RETURN(Harness * quick, harnesses_.Quick());
    worker_ = &quick->worker();
    spec_.set_target(options_.harness.worker.target);
    for (const TargetSpec& spec : worker_->hello().default_specs()) spec_ = spec;
    IRATE_ASSIGN_OR_RETURN(default_passes_, worker_->DefaultPasses(spec_));
    started_ = Clock::now();
    for (uint64_t index = 0; !IsOver(); ++index) {
      IRATE_RETURN_IF_ERROR(RunCase(index));
      ++result_.cases;
      if (result_.detected && (rule_.is_null || is_expected_)) break;
    }
    result_.seconds = Seconds();
    return std::move(result_);
  }

 private:
  double Seconds() const { return std::chrono::duration<double>(Clock::now() - started_).count(); }
  bool IsOver() const {
    if (options_.max_triggered != 0 && result_.triggered_cases >= options_.max_triggered)
      return true;
    return Seconds() >= options_.seconds;
  }

  absl::Status RunCase(uint64_t index) {
    Case test_case = GenerateCase(CaseSeed(options_.seed, index), options_.generate);
    *test_case.add_targets() = spec_;
    PassSequence passes = test_case.passes();
    if (passes.steps().empty()) *passes.mutable_steps() = default_passes_.steps();
    const std::optional<int> needed = PassesNeeded(rule_, passes);
    if (!needed.has_value()) return absl::OkStatus();
    IRATE_ASSIGN_OR_RETURN(const std::string pass, Probe(test_case, passes, *needed));
    if (pass.empty()) return absl::OkStatus();
    if (result_.pass.empty()) result_.pass = pass;
    const bool sanitize = NeedsSanitizedRun(rule_) || (Seconds() > options_.seconds / 2 &&
                                                       result_.triggered_cases < kSanitized);
    FaultJudge judge(rule_, &harnesses_);
    IRATE_ASSIGN_OR_RETURN(const FaultVerdict verdict,
                           judge.Judge(test_case, passes, *needed, pass, sanitize));
    if (pass == rewrite::kAtRuntime && !verdict.triggered) return absl::OkStatus();
    ++result_.triggered_cases;
    result_.triggered = true;
    Case shown = test_case;
    shown.add_faults(FaultSwitch(rule_));
    if (verdict.detected) {
      const bool is_expected = IsExpected(rule_, verdict.oracle, verdict.culprit, pass);
      // The first finding stands unless a later one is the right one.
      if (result_.detected && !is_expected) return absl::OkStatus();
      result_.detected = true;
      is_expected_ = is_expected;
      result_.oracle = verdict.oracle;
      result_.culprit = verdict.culprit;
      result_.summary = verdict.summary;
      result_.pass = pass;
      result_.shown = PrintCase(shown);
    } else if (rule_.is_null && !result_.detected) {
      result_.shown = PrintCase(shown);
    }
    return absl::OkStatus();
  }

  // The pass after which the rule matches; empty if it matches nowhere.
  absl::StatusOr<std::string> Probe(const Case& test_case, const PassSequence& passes, int needed) {
    PassSequence prefix = passes;
    prefix.mutable_steps()->DeleteSubrange(needed, passes.steps_size() - needed);
    IRATE_ASSIGN_OR_RETURN(
        const VariantObservation observation,
        worker_->Run(test_case, spec_, prefix, {.lift = true, .run_native = false}));
    FaultProbe probe = ProbeFault(rule_, observation);
    result_.reached |= probe.reached;
    if (!probe.problem.empty()) result_.problem = probe.problem;
    return std::move(probe.pass);
  }

  const rewrite::Rule& rule_;
  const FaultTrialOptions& options_;
  FaultHarnesses harnesses_;
  WorkerClient* worker_ = nullptr;  // of the quick harness
  TargetSpec spec_;
  PassSequence default_passes_;
  Clock::time_point started_;
  bool is_expected_ = false;
  FaultTrial result_;
};

}  // namespace

absl::StatusOr<FaultTrial> RunFaultTrial(const rewrite::Rule& rule,
                                         const FaultTrialOptions& options) {
  return Trial(rule, options).Run();
}

}  // namespace irate
