// The compiler did not come back within the deadline, whatever it was given; or the generated code
// did not, on a program that is defined and ends after the last pass.

#include "fmt/format.h"
#include "oracles/failure.h"
#include "oracles/normalise.h"
#include "oracles/oracle_list.h"
#include "oracles/pass_walk.h"

namespace irate {
namespace {

class HangOracle : public Oracle {
 public:
  std::string_view Name() const override { return "hang"; }
  std::string_view Description() const override {
    return "the compiler or the generated code does not come back within the deadline";
  }
  std::vector<Finding> Judge(const Case&, const Observation& observation,
                             uint32_t variant) const override {
    const Failure& failure = observation.variants(static_cast<int>(variant)).failure();
    if (failure.kind() != Failure::HANG) return {};
    if (InGeneratedCode(failure)) {
      if (WalkPasses(observation, variant).last->status() != Interpretation::DEFINED) return {};
    } else if (!InCompiler(failure)) {
      return {};
    }
    Finding finding = NewFinding(Name(), observation, variant, CulpritOf(failure), failure.step());
    finding.set_shape("no-answer");
    finding.set_summary(
        fmt::format("{} does not come back from {}", finding.target(), finding.culprit()));
    finding.set_detail(DescribeFailure(failure));
    return {finding};
  }
};

}  // namespace

std::unique_ptr<Oracle> MakeHangOracle() { return std::make_unique<HangOracle>(); }

}  // namespace irate
