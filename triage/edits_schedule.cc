// Edits of the schedule. A step names blocks and loops by what they are, not by which steps came
// before it, so that the others keep their meaning when one goes.
#include "triage/edit_kinds.h"

namespace irate::edits {

// Everything from a step on, then single steps.
EditResult DropScheduleSteps(Case* test_case, int position, int variant) {
  const int count = test_case->schedule().steps_size();
  if (position >= count) return EditResult::kNoPosition;
  auto* steps = test_case->mutable_schedule()->mutable_steps();
  steps->DeleteSubrange(position, variant == 0 ? count - position : 1);
  if (steps->empty()) test_case->clear_schedule();
  return EditResult::kApplied;
}

// A number of a step: a factor, an extent, padding. Not the number of a loop, which follows a name.
EditResult ShrinkScheduleNumber(Case* test_case, int position, int variant) {
  if (test_case->schedule().steps().empty()) return EditResult::kNoPosition;
  for (ScheduleStep& step : *test_case->mutable_schedule()->mutable_steps()) {
    for (int i = 0; i < step.args_size(); ++i) {
      Expr* arg = step.mutable_args(i);
      const bool is_number =
          arg->op() == CONST && arg->type() == I32 && i > 0 && step.args(i - 1).op() != STRING;
      if (!is_number) continue;
      if (position-- > 0) continue;
      const int64_t value = arg->int_value();
      const int64_t size = variant == 0 ? 2 : value / 2;
      if (size < 1 || size >= value) return EditResult::kNotApplicable;
      arg->set_int_value(size);
      return EditResult::kApplied;
    }
  }
  return EditResult::kNoPosition;
}

}  // namespace irate::edits
