#include "targets/tvm/schedule_run.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "ir/schedule_preconditions.h"
#include "ir/schedule_validity.h"
#include "targets/tvm/errors.h"

namespace irate::tvm_target {
namespace {

constexpr char kRefusal[] = "ScheduleError";
constexpr char kTypeError[] = "TypeError";
constexpr char kIllFormed[] = "TIR is ill-formed";
constexpr char kNotWellFormed[] = "Well-formedness check failed";

Failure StepFailure(Failure::Kind kind, int index, const std::string& name,
                    const std::string& message) {
  Failure failure;
  failure.set_kind(kind);
  failure.set_stage(STAGE_SCHEDULE);
  failure.set_step(index);
  failure.set_pass(name);
  failure.set_message(message);
  return failure;
}

}  // namespace

std::string StepName(const ScheduleStep& step) {
  return absl::StrCat("schedule.", step.primitive());
}

// Makes the schedule, or says why there is none; the failure of TVM's own check of the module is a
// step of its own.
Failure ScheduleRun::Start(int index, std::string* reason) {
  if (scheduler_.has_value()) return {};
  const std::string& function = case_.module().functions(0).name();
  if (!Scheduler::IsSchedulable(module_, function)) {
    *reason = absl::StrCat("the function ", function, " has no blocks");
    return {};
  }
  // Once it is made, TVM answers for what the steps make of it.
  if (!started_) *reason = NotSchedulable(case_.module(), case_.inputs());
  if (!reason->empty()) return {};
  try {
    scheduler_.emplace(module_, function);
  } catch (const ffi::Error& error) {
    Failure failure = DescribeError(error, STAGE_SCHEDULE, index, "schedule.create");
    // Schedules are for programs that TVM's own check of well-formedness passes, which is stricter
    // than what its passes take: buffers allocated inside a block, variables that two loops share.
    const bool is_check = failure.message().find(kIllFormed) != std::string::npos ||
                          failure.message().find(kNotWellFormed) != std::string::npos;
    if (failure.kind() != Failure::DIAGNOSTIC && !is_check) return failure;
    *reason = absl::StrCat(failure.error_kind(), ": ", failure.message());
  }
  started_ = true;
  return {};
}

const irate::Module& ScheduleRun::Lifted() {
  irate::Module now;
  std::string construct;
  switch (lifter_.Lift(module_, &now, &construct)) {
    case Lifter::Outcome::kUnchanged:
      break;
    case Lifter::Outcome::kChanged:
      lifted_ = std::move(now);
      break;
    case Lifter::Outcome::kFailed:
      lifted_.Clear();
      break;
  }
  return lifted_;
}

Failure ScheduleRun::Apply(int index, StepObservation* step) {
  const ScheduleStep& asked = case_.schedule().steps(index);
  const std::string name = StepName(asked);
  const absl::StatusOr<std::vector<StepArgument>> arguments = ParseStep(asked);
  if (!arguments.ok()) {
    return StepFailure(Failure::HARNESS, index, name, std::string(arguments.status().message()));
  }
  std::string reason;
  if (Failure failure = Start(index, &reason); failure.kind() != Failure::NONE) return failure;
  if (reason.empty()) reason = BrokenPrecondition(Lifted(), case_.inputs(), asked);
  if (!reason.empty()) {
    step->set_outcome(StepObservation::SKIPPED);
    step->set_skip_reason(std::move(reason));
    return {};
  }
  try {
    scheduler_->Apply(*FindPrimitive(asked.primitive()), *arguments);
    step->set_outcome(StepObservation::CHANGED);
  } catch (const ffi::Error& error) {
    Failure failure = DescribeError(error, STAGE_SCHEDULE, index, name);
    // Of arguments of the right types, it speaks of something inside.
    if (error.kind() == kTypeError) failure.set_kind(Failure::INTERNAL_ERROR);
    if (failure.kind() != Failure::DIAGNOSTIC) return failure;
    step->set_outcome(StepObservation::SKIPPED);
    step->set_skip_reason(absl::StrCat(failure.error_kind(), ": ", failure.message()));
  }
  module_ = scheduler_->Module();
  // What another kind of error leaves of the schedule's own state is not to be relied on.
  if (step->outcome() == StepObservation::SKIPPED &&
      !std::string_view(step->skip_reason()).starts_with(kRefusal)) {
    scheduler_.reset();
  }
  return {};
}

absl::Status ApplySchedule(const Case& test_case, Any* module) {
  ScheduleRun run(test_case, module);
  for (int i = 0; i < test_case.schedule().steps_size(); ++i) {
    StepObservation step;
    const Failure failure = run.Apply(i, &step);
    if (failure.kind() == Failure::NONE) continue;
    return absl::FailedPreconditionError(
        absl::StrCat(failure.pass(), ": ", failure.error_kind(), ": ", failure.message()));
  }
  return absl::OkStatus();
}

}  // namespace irate::tvm_target
