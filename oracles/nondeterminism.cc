// A against A: the same pass on the same module, or the same build and run on the same inputs, gave
// two results. What else is said of such a variant is worth less, so this comes first. Needs
// TargetOptions::repeat.
//
// Shape: "pass", or "output" with the difference in the detail.

#include "fmt/format.h"
#include "oracles/failure.h"
#include "oracles/oracle_list.h"

namespace irate {
namespace {

class NondeterminismOracle : public Oracle {
 public:
  std::string_view Name() const override { return "nondeterminism"; }
  std::string_view Description() const override {
    return "the same pass, or the same build and run, gives two results";
  }
  std::vector<Finding> Judge(const Case&, const Observation& observation,
                             uint32_t variant) const override {
    const VariantObservation& seen = observation.variants(static_cast<int>(variant));
    std::vector<Finding> findings;
    for (const StepObservation& step : seen.steps()) {
      if (!step.nondeterministic()) continue;
      Finding finding = NewFinding(Name(), observation, variant, step.pass(), step.index());
      finding.set_shape("pass");
      finding.set_summary(fmt::format("{} gives two modules for one", step.pass()));
      finding.set_detail(
          "applied twice to the same module, the results are not structurally equal");
      findings.push_back(std::move(finding));
    }
    if (!findings.empty()) return findings;
    if (seen.outputs_again_size() != seen.outputs_size()) return findings;
    for (int i = 0; i < seen.outputs_size(); ++i) {
      // Bit for bit: one program, one input, one machine.
      if (seen.outputs(i).data() == seen.outputs_again(i).data()) continue;
      Finding finding = NewFinding(Name(), observation, variant, kCodegen, -1);
      finding.set_shape("output");
      finding.set_summary(
          fmt::format("two builds of one module compute different outputs ({})", i));
      finding.set_detail(fmt::format("output {} of the second build and run has other bytes", i));
      return {finding};
    }
    return findings;
  }
};

}  // namespace

std::unique_ptr<Oracle> MakeNondeterminismOracle() {
  return std::make_unique<NondeterminismOracle>();
}

}  // namespace irate
