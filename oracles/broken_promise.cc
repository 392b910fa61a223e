// A pass whose result is not what the compiler's pass map promises of it (ir/pass_map.h): a stage
// of lowering that is not reached ("no blocks any more", and there is one), or a pass that promises
// to change nothing a second time in a row, and does. In strict mode only.
//
// A property that was broken already before the step is the fault of an earlier one. Shape: the
// property.

#include <set>

#include "fmt/format.h"
#include "ir/canonical.h"
#include "ir/pass_map.h"
#include "ir/properties.h"
#include "oracles/failure.h"
#include "oracles/oracle_list.h"

namespace irate {
namespace {

class BrokenPromiseOracle : public Oracle {
 public:
  std::string_view Name() const override { return "broken-promise"; }
  std::string_view Description() const override {
    return "a pass leaves what it promises to remove, or changes its own result (strict mode)";
  }

  std::vector<Finding> Judge(const Case& test_case, const Observation& observation,
                             uint32_t variant) const override {
    if (!IsStrict(test_case)) return {};
    std::vector<Finding> findings;
    const Module* module = nullptr;
    const StepObservation* last = nullptr;
    std::set<std::string> broken;
    std::set<std::string> kept;  // by `module`
    for (const StepObservation& step : observation.variants(static_cast<int>(variant)).steps()) {
      const bool ran = step.outcome() == StepObservation::CHANGED ||
                       step.outcome() == StepObservation::UNCHANGED;
      if (!ran) continue;
      const Module* before = module;
      if (step.outcome() == StepObservation::CHANGED) {
        module = step.has_lifted() ? &step.lifted() : nullptr;
        kept.clear();
      }
      for (const std::string& promise : step.promises()) {
        if (module == nullptr) break;
        if (kept.contains(promise)) continue;
        std::optional<std::string> offence = promise == kIdempotent
                                                 ? SecondChange(last, step, before, *module)
                                                 : Offence(promise, *module);
        if (!offence.has_value()) {
          if (promise != kIdempotent) kept.insert(promise);
          continue;
        }
        if (!broken.insert(promise).second) continue;
        Finding finding = NewFinding(Name(), observation, variant, step.pass(), step.index());
        finding.set_shape(promise);
        finding.set_summary(fmt::format("{} does not keep \"{}\"", step.pass(), promise));
        finding.set_detail(fmt::format("behind {}: {}", step.pass(), *offence));
        findings.push_back(std::move(finding));
      }
      last = &step;
    }
    return findings;
  }

 private:
  // What a pass changed that had just run.
  static std::optional<std::string> SecondChange(const StepObservation* last,
                                                 const StepObservation& step, const Module* before,
                                                 const Module& after) {
    if (last == nullptr || before == nullptr || last->index() < 0) return std::nullopt;
    if (last->pass() != step.pass() || step.outcome() != StepObservation::CHANGED) {
      return std::nullopt;
    }
    // New names for the same program are no change.
    if (StructuralHash(*before) == StructuralHash(after)) return std::nullopt;
    return "the second run in a row changes the module";
  }
};

}  // namespace

std::unique_ptr<Oracle> MakeBrokenPromiseOracle() {
  return std::make_unique<BrokenPromiseOracle>();
}

}  // namespace irate
