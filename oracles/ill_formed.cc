// The compiler's own well-formedness check refuses what a pass made, though it accepted the module
// that the pass was given. Where the check applies is the target's knowledge. Strict mode only.
// Needs TargetOptions::check_well_formed.

#include "fmt/format.h"
#include "oracles/failure.h"
#include "oracles/normalise.h"
#include "oracles/oracle_list.h"

namespace irate {
namespace {

class IllFormedOracle : public Oracle {
 public:
  std::string_view Name() const override { return "ill-formed"; }
  std::string_view Description() const override {
    return "the compiler's own well-formedness check refuses the result of a pass";
  }
  std::vector<Finding> Judge(const Case& test_case, const Observation& observation,
                             uint32_t variant) const override {
    if (!IsStrict(test_case)) return {};
    for (const StepObservation& step : observation.variants(static_cast<int>(variant)).steps()) {
      if (step.ill_formed().empty()) continue;
      Finding finding = NewFinding(Name(), observation, variant,
                                   step.index() < 0 ? kLowering : step.pass(), step.index());
      finding.set_shape(NormaliseMessage(step.ill_formed(), ProgramNames(test_case.module())));
      finding.set_summary(
          fmt::format("{} makes an ill-formed module: {}", finding.culprit(), finding.shape()));
      finding.set_detail(step.ill_formed());
      // What follows was made of it.
      return {finding};
    }
    return {};
  }
};

}  // namespace

std::unique_ptr<Oracle> MakeIllFormedOracle() { return std::make_unique<IllFormedOracle>(); }

}  // namespace irate
