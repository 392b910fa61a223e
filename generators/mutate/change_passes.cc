// A pass is inserted, repeated, dropped, or changes places with its neighbour. A Case without
// passes starts from the target's default ones.
#include "generators/mutate/material.h"
#include "generators/mutate/mutator_list.h"
#include "generators/mutate/places.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using namespace mutate;  // NOLINT(google-build-using-namespace)

constexpr int kMostSteps = 200;
// Edits that are tried for one that keeps a sequence strict, and how often none is asked for.
constexpr int kTries = 24;
constexpr int kWildOneIn = 10;

using Steps = google::protobuf::RepeatedPtrField<PassStep>;

void InsertStep(Steps* steps, int at, const PassStep& step) {
  *steps->Add() = step;
  for (int i = steps->size() - 1; i > at; --i) steps->SwapElements(i, i - 1);
}

// From the other Case or from those that there are.
const PassStep* DrawStep(const MutationContext& context, ChoiceSource& choices) {
  const Steps* donated = context.donor == nullptr ? nullptr : &context.donor->passes().steps();
  const Steps* known = context.passes == nullptr ? nullptr : &context.passes->steps();
  const bool from_donor = donated != nullptr && !donated->empty() && choices.Chance(1, 2);
  const Steps* from = from_donor ? donated : known;
  if (from == nullptr || from->empty()) return nullptr;
  return &from->Get(PickIndex(from->size(), choices));
}

// One edit; false if it found nothing to do.
bool Edit(const MutationContext& context, Steps* steps, ChoiceSource& choices) {
  const int at = PickIndex(steps->size(), choices);
  switch (choices.Range(0, 3)) {
    case 0: {
      const PassStep* step = DrawStep(context, choices);
      if (step == nullptr) return false;
      InsertStep(steps, PickIndex(steps->size() + 1, choices), *step);
      break;
    }
    case 1:
      InsertStep(steps, at, PassStep(steps->Get(at)));
      break;
    case 2:
      if (steps->size() == 1) return false;
      steps->DeleteSubrange(at, 1);
      break;
    default:
      if (at + 1 == steps->size()) return false;
      steps->SwapElements(at, at + 1);
      break;
  }
  return steps->size() <= kMostSteps;
}

class ChangePasses : public Mutator {
 public:
  std::string_view Name() const override { return "change-passes"; }

  bool Mutate(Case* test_case, const MutationContext& context,
              ChoiceSource& choices) const override {
    PassSequence* sequence = test_case->mutable_passes();
    if (sequence->steps().empty() && context.passes != nullptr) {
      *sequence->mutable_steps() = context.passes->steps();
    }
    if (sequence->steps().empty()) return false;
    // A strict sequence stays strict where that can be had: far more is judged then.
    const bool knows = static_cast<bool>(context.is_strict_walk);
    if (sequence->mode() == STRICT && knows && !choices.Chance(1, kWildOneIn)) {
      for (int i = 0; i < kTries; ++i) {
        PassSequence edited = *sequence;
        if (!Edit(context, edited.mutable_steps(), choices)) continue;
        if (!context.is_strict_walk(edited)) continue;
        *sequence = std::move(edited);
        return true;
      }
      return false;
    }
    if (!Edit(context, sequence->mutable_steps(), choices)) return false;
    if (!knows || !context.is_strict_walk(*sequence)) sequence->set_mode(WILD);
    return true;
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeChangePasses() { return std::make_unique<ChangePasses>(); }

}  // namespace irate
