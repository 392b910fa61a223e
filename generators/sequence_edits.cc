#include "generators/sequence_edits.h"

#include <array>
#include <utility>
#include <vector>

#include "generators/sequence.h"

namespace irate {
namespace {

using Steps = google::protobuf::RepeatedPtrField<PassStep>;

// How often a strict change that does not fit is drawn anew.
constexpr int kTries = 8;
constexpr int kMaxSteps = 120;

int64_t DrawIndex(ChoiceSource& choices, size_t size) {
  return choices.Range(0, static_cast<int64_t>(size) - 1);
}

void MoveStep(int from, int to, Steps* steps) {
  for (; from < to; ++from) steps->SwapElements(from, from + 1);
  for (; from > to; --from) steps->SwapElements(from, from - 1);
}

void InsertStep(int at, PassStep step, Steps* steps) {
  *steps->Add() = std::move(step);
  MoveStep(steps->size() - 1, at, steps);
}

// Positions at which the map lets the pass stand, as far as the steps before it are concerned.
std::vector<int> PlacesFor(const PassStep& step, const PassMap& map, const Steps& steps) {
  std::vector<int> places;
  StageWalk walk(map);
  for (int i = 0; i <= steps.size(); ++i) {
    if (walk.Allows(step)) places.push_back(i);
    if (i < steps.size()) walk.Take(steps[i]);
  }
  return places;
}

bool InsertWherePossible(ChoiceSource& choices, const PassMap& map, PassStep step, Steps* steps) {
  const std::vector<int> places = PlacesFor(step, map, *steps);
  if (places.empty()) return false;
  InsertStep(places[static_cast<size_t>(DrawIndex(choices, places.size()))], std::move(step),
             steps);
  return true;
}

void ChooseArguments(ChoiceSource& choices, const PassRule& rule, PassStep* step) {
  step->clear_args();
  for (const Expr& arg : rule.args[static_cast<size_t>(DrawIndex(choices, rule.args.size()))]) {
    *step->add_args() = arg;
  }
}

// One change that may break the map's rules; false if it found nothing to change.
bool Change(ChoiceSource& choices, const PassMap& map, Steps* steps) {
  if (steps->empty()) {
    *steps->Add() = DrawStep(choices, map, /*wild=*/false);
    return true;
  }
  const int at = static_cast<int>(DrawIndex(choices, static_cast<size_t>(steps->size())));
  switch (choices.Weighted(std::array{6, 3, 3, 4, 1, 1})) {
    case 0:  // insert
      if (steps->size() >= kMaxSteps) return false;
      return InsertWherePossible(choices, map, DrawStep(choices, map, /*wild=*/false), steps);
    case 1:  // repeat
      if (steps->size() >= kMaxSteps) return false;
      InsertStep(at + 1, PassStep((*steps)[at]), steps);
      return true;
    case 2: {  // move
      PassStep step = (*steps)[at];
      steps->DeleteSubrange(at, 1);
      return InsertWherePossible(choices, map, std::move(step), steps);
    }
    case 3:  // drop
      steps->DeleteSubrange(at, 1);
      return true;
    case 4:  // exchange
      if (at + 1 == steps->size()) return false;
      steps->SwapElements(at, at + 1);
      return true;
    default: {  // other arguments
      const PassRule* rule = map.Find((*steps)[at].name());
      if (rule == nullptr || rule->args.size() < 2) return false;
      ChooseArguments(choices, *rule, steps->Mutable(at));
      return true;
    }
  }
}

}  // namespace

PassStep DrawStep(ChoiceSource& choices, const PassMap& map, bool wild) {
  std::vector<const PassRule*> rules;
  for (const PassRule& rule : map.passes()) {
    if (wild || !rule.wild) rules.push_back(&rule);
  }
  const PassRule& rule = *rules[static_cast<size_t>(DrawIndex(choices, rules.size()))];
  PassStep step;
  step.set_name(rule.name);
  ChooseArguments(choices, rule, &step);
  return step;
}

bool MutateStrict(ChoiceSource& choices, const PassMap& map, PassSequence* passes) {
  for (int i = 0; i < kTries; ++i) {
    PassSequence changed = *passes;
    if (!Change(choices, map, changed.mutable_steps()) || !map.Check(changed).ok()) continue;
    *passes = std::move(changed);
    return true;
  }
  return false;
}

void MutateWild(ChoiceSource& choices, const PassMap& map, PassSequence* passes) {
  Steps* steps = passes->mutable_steps();
  if (steps->empty() || choices.Chance(1, 2)) {
    if (steps->size() >= kMaxSteps) return;
    InsertStep(static_cast<int>(choices.Range(0, steps->size())),
               DrawStep(choices, map, /*wild=*/true), steps);
    return;
  }
  const int at = static_cast<int>(DrawIndex(choices, static_cast<size_t>(steps->size())));
  if (choices.Chance(1, 3)) {
    steps->DeleteSubrange(at, 1);
  } else {
    MoveStep(at, static_cast<int>(DrawIndex(choices, static_cast<size_t>(steps->size()))), steps);
  }
}

}  // namespace irate
