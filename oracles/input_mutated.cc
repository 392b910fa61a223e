// A pass that changes the module that it is given although others hold it: TVM's modules are values
// (copy on write), and whoever keeps one, a tuner or a pass that tries something and goes back,
// finds another program there. Needs TargetOptions::repeat.

#include "fmt/format.h"
#include "oracles/failure.h"
#include "oracles/oracle_list.h"

namespace irate {
namespace {

class InputMutatedOracle : public Oracle {
 public:
  std::string_view Name() const override { return "input-mutated"; }
  std::string_view Description() const override {
    return "a pass changes the module that it is given, which others hold";
  }
  std::vector<Finding> Judge(const Case&, const Observation& observation,
                             uint32_t variant) const override {
    std::vector<Finding> findings;
    for (const StepObservation& step : observation.variants(static_cast<int>(variant)).steps()) {
      if (!step.input_mutated()) continue;
      Finding finding = NewFinding(Name(), observation, variant, step.pass(), step.index());
      finding.set_shape("module");
      finding.set_summary(fmt::format("{} changes its input", step.pass()));
      finding.set_detail(
          "the structural hash of the module given to the pass is another one after it");
      findings.push_back(std::move(finding));
    }
    return findings;
  }
};

}  // namespace

std::unique_ptr<Oracle> MakeInputMutatedOracle() { return std::make_unique<InputMutatedOracle>(); }

}  // namespace irate
