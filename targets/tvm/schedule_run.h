// A Case's schedule, step by step, with what TVM says to each.
#pragma once

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"
#include "targets/tvm/lift.h"
#include "targets/tvm/native.h"
#include "targets/tvm/schedule.h"

namespace irate::tvm_target {

// "schedule.split": what a step is called in observations and findings.
std::string StepName(const ScheduleStep& step);

class ScheduleRun {
 public:
  // `module`: before the schedule; after each step, what it left.
  ScheduleRun(const Case& test_case, Any* module)
      : case_(test_case), module_(*module), lifter_(test_case.module()) {}

  // Sets the outcome to CHANGED, or to SKIPPED with the reason where TVM refuses. A failure of any
  // other kind than NONE ends the schedule.
  // A step that breaks a precondition which TVM does not check (ir/schedule_preconditions.h) is
  // refused as well.
  Failure Apply(int index, StepObservation* step);

 private:
  Failure Start(int index, std::string* reason);
  // The module as it is now; empty where it has no Case IR.
  const irate::Module& Lifted();

  const Case& case_;
  Any& module_;
  std::optional<Scheduler> scheduler_;
  bool started_ = false;
  Lifter lifter_;
  irate::Module lifted_;
};

// The whole schedule; refused steps are left out. FailedPrecondition, with the step and the error,
// for other failures.
absl::Status ApplySchedule(const Case& test_case, Any* module);

}  // namespace irate::tvm_target
