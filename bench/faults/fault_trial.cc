#include "bench/faults/fault_trial.h"

#include <chrono>
#include <memory>
#include <optional>

#include "execution/protocol.pb.h"
#include "generators/generator.h"
#include "ir/rewrite/apply.h"
#include "ir/status_macros.h"
#include "ir/text.h"

namespace irate {
namespace {

using Clock = std::chrono::steady_clock;

class Trial {
 public:
  Trial(const rewrite::Rule& rule, const FaultTrialOptions& options)
      : rule_(rule), options_(options) {}

  absl::StatusOr<FaultTrial> Run() {
    HarnessOptions thorough = options_.harness;
    thorough.target.fault_rules = options_.rules;
    thorough.target.run_native = true;
    HarnessOptions quick = thorough;
    quick.target = {.run_native = false, .fault_rules = options_.rules};
    IRATE_ASSIGN_OR_RETURN(thorough_, Harness::Create(thorough));
    IRATE_ASSIGN_OR_RETURN(quick_, Harness::Create(quick));
    spec_.set_target(options_.harness.worker.target);
    for (const TargetSpec& spec : quick_->worker().hello().default_specs()) spec_ = spec;
    IRATE_ASSIGN_OR_RETURN(default_passes_, quick_->worker().DefaultPasses(spec_));
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
  double Seconds() const {
    return std::chrono::duration<double>(Clock::now() - started_).count();
  }
  bool IsOver() const {
    if (options_.max_triggered != 0 && result_.triggered_cases >= options_.max_triggered) return true;
    return Seconds() >= options_.seconds;
  }

  // The number of passes up to the last that the fault concerns; nothing if it concerns none.
  std::optional<int> Needed(const PassSequence& passes) const {
    if (rewrite::Concerns(rule_, rewrite::kAtCodegen)) return passes.steps_size();
    for (int i = passes.steps_size(); i > 0; --i) {
      if (rewrite::Concerns(rule_, passes.steps(i - 1).name())) return i;
    }
    if (rewrite::Concerns(rule_, rewrite::kAtLowering)) return 0;
    return std::nullopt;
  }

  absl::Status RunCase(uint64_t index) {
    Case test_case = GenerateCase(CaseSeed(options_.seed, index), options_.generate);
    *test_case.add_targets() = spec_;
    PassSequence passes = test_case.passes();
    if (passes.steps().empty()) *passes.mutable_steps() = default_passes_.steps();
    const std::optional<int> needed = Needed(passes);
    if (!needed.has_value()) return absl::OkStatus();
    IRATE_ASSIGN_OR_RETURN(const std::string pass, Probe(test_case, passes, *needed));
    if (pass.empty()) return absl::OkStatus();
    ++result_.triggered_cases;
    if (result_.pass.empty()) result_.pass = pass;
    result_.triggered = true;
    FaultJudge judge(rule_, quick_.get(), thorough_.get());
    IRATE_ASSIGN_OR_RETURN(const FaultVerdict verdict,
                           judge.Judge(test_case, passes, *needed, pass));
    Case shown = test_case;
    shown.add_faults(rule_.name);
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
        quick_->worker().Run(test_case, spec_, prefix, {.lift = true, .run_native = false}));
    const Module* before = nullptr;
    const Module* module = nullptr;
    for (const StepObservation& step : observation.steps()) {
      before = module;
      if (step.outcome() == StepObservation::CHANGED) {
        module = step.has_lifted() ? &step.lifted() : nullptr;
      } else if (step.outcome() == StepObservation::FAILED) {
        return std::string();
      }
      const std::string pass = step.index() < 0 ? rewrite::kAtLowering : step.pass();
      if (!rewrite::Concerns(rule_, pass)) continue;
      const bool on_input = rule_.action == rewrite::Rule::Action::kMutateInput;
      if (Matches(on_input ? before : module, pass, step.index())) return pass;
    }
    if (observation.failure().kind() != Failure::NONE) return std::string();
    if (!rewrite::Concerns(rule_, rewrite::kAtCodegen)) return std::string();
    return Matches(module, rewrite::kAtCodegen, -1) ? std::string(rewrite::kAtCodegen)
                                                   : std::string();
  }

  bool Matches(const Module* module, const std::string& pass, int step) {
    if (module == nullptr) return false;
    result_.reached = true;
    const rewrite::Applied applied = rewrite::Apply(rule_, *module, pass, step);
    if (!applied.problem.empty()) result_.problem = applied.problem;
    return applied.triggered;
  }

  const rewrite::Rule& rule_;
  const FaultTrialOptions& options_;
  std::unique_ptr<Harness> quick_;
  std::unique_ptr<Harness> thorough_;
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
