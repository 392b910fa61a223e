#include <optional>

#include "fmt/format.h"
#include "ir/compare.h"
#include "oracles/failure.h"
#include "oracles/oracle.h"

namespace irate {
namespace {

std::optional<std::string> FailureFault(const Failure& failure) {
  if (failure.kind() == Failure::NONE) return std::nullopt;
  if (failure.kind() != Failure::HARNESS && failure.stage() != STAGE_LIFT) return std::nullopt;
  return fmt::format("{} at {}: {}", Failure::Kind_Name(failure.kind()),
                     Stage_Name(failure.stage()), failure.message());
}

std::optional<std::string> LoweringFault(const Interpretation& reference,
                                         const StepObservation& lowered) {
  const Interpretation& after = lowered.interpretation();
  if (reference.status() != Interpretation::DEFINED) return std::nullopt;
  if (after.status() == Interpretation::UNDEFINED) {
    return fmt::format("the lowered module is undefined: {} at {}", after.reason(), after.place());
  }
  if (after.status() != Interpretation::DEFINED) return std::nullopt;
  const std::optional<Difference> difference = Compare(reference, after);
  if (!difference.has_value()) return std::nullopt;
  return fmt::format("the lowered module does not mean what the Case means: {}",
                     difference->ToString());
}

}  // namespace

std::vector<std::string> HarnessFaults(const Observation& observation) {
  std::vector<std::string> faults;
  for (const VariantObservation& variant : observation.variants()) {
    const std::string target = variant.spec().target();
    if (std::optional<std::string> fault = FailureFault(variant.failure())) {
      faults.push_back(fmt::format("{}: {}", target, *fault));
    }
    for (const StepObservation& step : variant.steps()) {
      if (step.index() >= 0) break;
      if (!step.lift_failure().empty()) {
        faults.push_back(fmt::format("{}: the lowered module cannot be lifted: {}", target,
                                     step.lift_failure()));
      } else if (std::optional<std::string> fault = LoweringFault(observation.reference(), step)) {
        faults.push_back(fmt::format("{}: {}", target, *fault));
      }
    }
  }
  return faults;
}

}  // namespace irate
