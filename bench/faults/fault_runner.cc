#include "bench/faults/fault_runner.h"

#include <optional>
#include <utility>

#include "execution/protocol.pb.h"
#include "ir/status_macros.h"

namespace irate {

absl::Status FaultRunner::Start() {
  IRATE_ASSIGN_OR_RETURN(Harness * quick, harnesses_.Quick());
  worker_ = &quick->worker();
  if (worker_->hello().default_specs().empty()) {
    return absl::FailedPreconditionError("the target has no default options");
  }
  spec_ = worker_->hello().default_specs(0);
  IRATE_ASSIGN_OR_RETURN(default_passes_, worker_->DefaultPasses(spec_));
  return absl::OkStatus();
}

absl::StatusOr<FaultRun> FaultRunner::Run(const Case& original, bool sanitize) {
  FaultRun run;
  Case test_case = original;
  test_case.clear_faults();
  test_case.clear_targets();
  *test_case.add_targets() = spec_;
  PassSequence passes = test_case.passes();
  if (passes.steps().empty()) *passes.mutable_steps() = default_passes_.steps();
  const std::optional<int> needed = PassesNeeded(rule_, passes);
  if (!needed.has_value()) return run;
  PassSequence prefix = passes;
  prefix.mutable_steps()->DeleteSubrange(*needed, passes.steps_size() - *needed);
  IRATE_ASSIGN_OR_RETURN(
      const VariantObservation observation,
      worker_->Run(test_case, spec_, prefix, {.lift = true, .run_native = false}));
  run.probe = ProbeFault(rule_, observation);
  if (run.probe.pass.empty()) return run;
  FaultJudge judge(rule_, &harnesses_);
  IRATE_ASSIGN_OR_RETURN(run.verdict,
                         judge.Judge(test_case, passes, *needed, run.probe.pass, sanitize));
  run.triggered = run.probe.pass != rewrite::kAtRuntime || run.verdict.triggered;
  return run;
}

}  // namespace irate
