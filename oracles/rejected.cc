// The compiler refused a defined program on its default pipeline with a diagnostic. That may be a
// documented limit, so it is only counted: a share that grows tells of a generator that leaves what
// the compiler supports, or of a compiler that lost something.

#include "fmt/format.h"
#include "oracles/failure.h"
#include "oracles/normalise.h"
#include "oracles/oracle_list.h"

namespace irate {
namespace {

class RejectedOracle : public Oracle {
 public:
  std::string_view Name() const override { return "rejected"; }
  std::string_view Description() const override {
    return "the compiler refuses a defined program on its default pipeline (counted only)";
  }
  bool Advisory() const override { return true; }
  std::vector<Finding> Judge(const Case& test_case, const Observation& observation,
                             uint32_t variant) const override {
    const Failure& failure = observation.variants(static_cast<int>(variant)).failure();
    if (failure.kind() != Failure::DIAGNOSTIC || !IsStrict(test_case)) return {};
    if (test_case.passes().steps_size() != 0) return {};
    if (observation.reference().status() != Interpretation::DEFINED) return {};
    Finding finding = NewFinding(Name(), observation, variant, CulpritOf(failure), failure.step());
    finding.set_shape(NormaliseMessage(failure.message(), ProgramNames(test_case.module())));
    finding.set_summary(
        fmt::format("{} refuses a defined program: {}", finding.culprit(), finding.shape()));
    finding.set_detail(DescribeFailure(failure));
    return {finding};
  }
};

}  // namespace

std::unique_ptr<Oracle> MakeRejectedOracle() { return std::make_unique<RejectedOracle>(); }

}  // namespace irate
