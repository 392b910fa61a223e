#include "bench/faults/fault_trial.h"

#include <optional>

#include "bench/faults/core_clock.h"
#include "bench/faults/fault_runner.h"
#include "generators/generator.h"
#include "ir/status_macros.h"
#include "ir/text.h"

namespace irate {
namespace {

// In the second half of a search Cases run instrumented as well, although no oracle of that tier is
// expected to see the fault; not where so many did not show it.
constexpr uint64_t kSanitized = 50;
// Of the time on the wall to that of the processor: a machine that is busier is not waited for.
constexpr double kMaxSlowdown = 10;

class Trial {
 public:
  Trial(const rewrite::Rule& rule, const FaultTrialOptions& options)
      : rule_(rule),
        options_(options),
        harnesses_(options.harness, options.asan_worker, options.rules),
        runner_(rule, &harnesses_) {}

  absl::StatusOr<FaultTrial> Run() {
    IRATE_RETURN_IF_ERROR(runner_.Start());
    clock_.emplace();
    for (uint64_t index = 0; !IsOver(); ++index) {
      IRATE_RETURN_IF_ERROR(RunCase(index));
      ++result_.cases;
      if (result_.detected && (rule_.is_null || is_expected_)) break;
    }
    result_.seconds = Seconds();
    result_.wall_seconds = clock_->WallSeconds();
    return std::move(result_);
  }

 private:
  double Seconds() const { return clock_->Seconds(); }
  bool IsOver() const {
    if (options_.max_triggered != 0 && result_.triggered_cases >= options_.max_triggered) {
      return true;
    }
    return Seconds() >= options_.seconds ||
           clock_->WallSeconds() >= kMaxSlowdown * options_.seconds;
  }

  absl::Status RunCase(uint64_t index) {
    Case test_case = GenerateCase(CaseSeed(options_.seed, index), options_.generate);
    const bool sanitize = NeedsSanitizedRun(rule_) || (Seconds() > options_.seconds / 2 &&
                                                       result_.triggered_cases < kSanitized);
    IRATE_ASSIGN_OR_RETURN(const FaultRun run, runner_.Run(test_case, sanitize));
    result_.reached |= run.probe.reached;
    if (!run.probe.problem.empty()) result_.problem = run.probe.problem;
    if (!run.triggered) return absl::OkStatus();
    ++result_.triggered_cases;
    result_.triggered = true;
    if (result_.pass.empty()) result_.pass = run.probe.pass;
    test_case.add_faults(FaultSwitch(rule_));
    if (run.verdict.detected) {
      Keep(run, test_case);
    } else if (rule_.is_null && !result_.detected) {
      result_.shown = PrintCase(test_case);
    }
    return absl::OkStatus();
  }

  // The first finding stands unless a later one is the right one.
  void Keep(const FaultRun& run, const Case& test_case) {
    const FaultVerdict& verdict = run.verdict;
    const bool is_expected = IsExpected(rule_, verdict.oracle, verdict.culprit, run.probe.pass);
    if (result_.detected && !is_expected) return;
    result_.detected = true;
    is_expected_ = is_expected;
    result_.oracle = verdict.oracle;
    result_.culprit = verdict.culprit;
    result_.summary = verdict.summary;
    result_.pass = run.probe.pass;
    result_.shown = PrintCase(test_case);
  }

  const rewrite::Rule& rule_;
  const FaultTrialOptions& options_;
  FaultHarnesses harnesses_;
  FaultRunner runner_;
  std::optional<CoreClock> clock_;
  bool is_expected_ = false;
  FaultTrial result_;
};

}  // namespace

absl::StatusOr<FaultTrial> RunFaultTrial(const rewrite::Rule& rule,
                                         const FaultTrialOptions& options) {
  return Trial(rule, options).Run();
}

}  // namespace irate
