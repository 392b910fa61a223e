// A step of the schedule goes, is repeated, changes places with its neighbour, or gets another
// number.
#include "generators/mutate/material.h"
#include "generators/mutate/mutator_list.h"
#include "generators/mutate/places.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using namespace mutate;  // NOLINT(google-build-using-namespace)

void InsertStep(google::protobuf::RepeatedPtrField<ScheduleStep>* steps, int at,
                const ScheduleStep& step) {
  *steps->Add() = step;
  for (int i = steps->size() - 1; i > at; --i) steps->SwapElements(i, i - 1);
}

class ChangeSchedule : public Mutator {
 public:
  std::string_view Name() const override { return "change-schedule"; }
  int Weight() const override { return 10; }

  bool Mutate(Case* test_case, const MutationContext& context,
              ChoiceSource& choices) const override {
    Schedule* schedule = test_case->mutable_schedule();
    auto* steps = schedule->mutable_steps();
    const int donated = context.donor == nullptr ? 0 : context.donor->schedule().steps_size();
    if (donated > 0 && (steps->empty() || choices.Chance(1, 4))) {
      InsertStep(steps, PickIndex(steps->size() + 1, choices),
                 context.donor->schedule().steps(PickIndex(donated, choices)));
      return true;
    }
    if (steps->empty()) return false;
    const int at = PickIndex(steps->size(), choices);
    switch (choices.Range(0, 3)) {
      case 0:
        steps->DeleteSubrange(at, 1);
        return true;
      case 1:
        InsertStep(steps, at, ScheduleStep(steps->Get(at)));
        return true;
      case 2:
        if (at + 1 == steps->size()) return false;
        steps->SwapElements(at, at + 1);
        return true;
      default: {
        std::vector<Expr*> numbers;
        for (Expr& arg : *steps->Mutable(at)->mutable_args()) {
          if (arg.op() == CONST && IsValueType(arg.type())) numbers.push_back(&arg);
        }
        Expr** number = Pick(numbers, choices);
        if (number == nullptr) return false;
        **number = EdgeConstant((*number)->type(), choices);
        return true;
      }
    }
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeChangeSchedule() { return std::make_unique<ChangeSchedule>(); }

}  // namespace irate
