#include "bench/faults/fault_probe.h"

#include "ir/rewrite/apply.h"

namespace irate {
namespace {

using rewrite::Rule;

// True if the rule matches.
bool Try(const Rule& rule, const Module* module, const std::string& pass, int step,
         FaultProbe* probe) {
  if (module == nullptr) return false;
  probe->reached = true;
  const rewrite::Applied applied = rewrite::Apply(rule, *module, pass, step);
  if (!applied.problem.empty()) probe->problem = applied.problem;
  if (applied.triggered) probe->pass = pass;
  return applied.triggered;
}

}  // namespace

std::optional<int> PassesNeeded(const Rule& rule, const PassSequence& passes) {
  if (rewrite::Concerns(rule, rewrite::kAtCodegen) ||
      rewrite::Concerns(rule, rewrite::kAtRuntime)) {
    return passes.steps_size();
  }
  for (int i = passes.steps_size(); i > 0; --i) {
    if (rewrite::Concerns(rule, passes.steps(i - 1).name())) return i;
  }
  if (rewrite::Concerns(rule, rewrite::kAtLowering)) return 0;
  return std::nullopt;
}

FaultProbe ProbeFault(const Rule& rule, const VariantObservation& observation) {
  FaultProbe probe;
  const Module* before = nullptr;
  const Module* module = nullptr;
  for (const StepObservation& step : observation.steps()) {
    before = module;
    if (step.outcome() == StepObservation::FAILED) return probe;
    if (step.outcome() == StepObservation::CHANGED) {
      module = step.has_lifted() ? &step.lifted() : nullptr;
    }
    const std::string pass = step.index() < 0 ? rewrite::kAtLowering : step.pass();
    if (!rewrite::Concerns(rule, pass)) continue;
    const bool on_input = rule.action == Rule::Action::kMutateInput;
    if (Try(rule, on_input ? before : module, pass, step.index(), &probe)) return probe;
  }
  if (observation.failure().kind() != Failure::NONE) return probe;
  for (const char* place : {rewrite::kAtCodegen, rewrite::kAtRuntime}) {
    if (rewrite::Concerns(rule, place) && Try(rule, module, place, -1, &probe)) return probe;
  }
  return probe;
}

}  // namespace irate
