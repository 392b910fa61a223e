#include "oracles/pass_walk.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "oracles/failure.h"

namespace irate {
namespace {

// An interpretation that runs out of fuel has taken at least this many times the steps of its
// input, or says nothing.
constexpr uint64_t kDivergenceFactor = 10;

bool IsInterpreted(const StepObservation& step) {
  const Interpretation::Status status = step.interpretation().status();
  return status == Interpretation::DEFINED || status == Interpretation::UNDEFINED ||
         status == Interpretation::OUT_OF_FUEL;
}

std::optional<PassDeviation> Judge(const Interpretation& before, const Interpretation& after) {
  PassDeviation deviation;
  deviation.before = &before;
  deviation.after = &after;
  switch (after.status()) {
    case Interpretation::UNDEFINED:
      deviation.kind = PassDeviation::Kind::kUndefined;
      return deviation;
    case Interpretation::OUT_OF_FUEL:
      if (after.steps() < kDivergenceFactor * before.steps()) return std::nullopt;
      deviation.kind = PassDeviation::Kind::kDiverges;
      return deviation;
    default:
      deviation.difference = Compare(before, after);
      if (!deviation.difference.has_value()) return std::nullopt;
      deviation.kind = deviation.difference->judged == 0 ? PassDeviation::Kind::kOutputs
                                                         : PassDeviation::Kind::kValue;
      return deviation;
  }
}

void Start(const StepObservation& lowered, PassWalk* walk) {
  if (IsInterpreted(lowered)) {
    walk->last = &lowered.interpretation();
  } else {
    walk->not_interpreted.emplace_back(kLowering);
  }
}

void Follow(const StepObservation& step, bool is_pass, PassWalk* walk) {
  // A refused schedule step that changed the module all the same has something to interpret.
  if (step.outcome() != StepObservation::CHANGED && !step.input_mutated()) return;
  if (step.outcome() != StepObservation::CHANGED && !step.has_lifted()) return;
  walk->not_interpreted.push_back(step.pass());
  if (!IsInterpreted(step)) return;
  // A schedule may ask for more work than a pass may make of it; of loops alone, it ends.
  const bool endless = !is_pass && step.interpretation().status() == Interpretation::OUT_OF_FUEL;
  if (walk->last->status() == Interpretation::DEFINED && !endless) {
    std::optional<PassDeviation> deviation = Judge(*walk->last, step.interpretation());
    if (deviation.has_value()) {
      deviation->step = is_pass ? step.index() : -1;
      deviation->culprit = walk->not_interpreted.size() == 1
                               ? step.pass()
                               : absl::StrCat(walk->not_interpreted.front(), "..", step.pass());
      walk->deviations.push_back(*std::move(deviation));
    }
  }
  walk->last = &step.interpretation();
  walk->not_interpreted.clear();
}

}  // namespace

std::string CodegenCulprit(const PassWalk& walk) {
  return walk.not_interpreted.empty() ? kCodegen
                                      : absl::StrCat(walk.not_interpreted.front(), "..", kCodegen);
}

PassWalk WalkPasses(const Observation& observation, uint32_t variant) {
  PassWalk walk;
  walk.last = &observation.reference();
  const VariantObservation& observed = observation.variants(static_cast<int>(variant));
  for (const StepObservation& step : observed.steps()) {
    if (step.index() < 0) Start(step, &walk);
  }
  for (const StepObservation& step : observed.schedule_steps()) Follow(step, false, &walk);
  for (const StepObservation& step : observed.steps()) {
    if (step.index() >= 0) Follow(step, true, &walk);
  }
  return walk;
}

}  // namespace irate
