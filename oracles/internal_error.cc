// A failed internal check or an unexpected exception of the compiler on a valid program, in strict
// mode. Where an earlier pass had made the program undefined, the failed check may be right: then
// that pass is the finding, not this. Shape: the normalised message.

#include "fmt/format.h"
#include "oracles/failure.h"
#include "oracles/normalise.h"
#include "oracles/oracle_list.h"
#include "oracles/pass_walk.h"

namespace irate {
namespace {

class InternalErrorOracle : public Oracle {
 public:
  std::string_view Name() const override { return "internal-error"; }
  std::string_view Description() const override {
    return "the compiler fails an internal check on a valid program (strict mode)";
  }
  std::vector<Finding> Judge(const Case& test_case, const Observation& observation,
                             uint32_t variant) const override {
    const Failure& failure = observation.variants(static_cast<int>(variant)).failure();
    if (failure.kind() != Failure::INTERNAL_ERROR || !IsStrict(test_case)) return {};
    if (!InCompiler(failure) && !InGeneratedCode(failure)) return {};
    if (WalkPasses(observation, variant).last->status() == Interpretation::UNDEFINED) return {};
    Finding finding = NewFinding(Name(), observation, variant, CulpritOf(failure), failure.step());
    finding.set_shape(NormaliseMessage(failure.message(), ProgramNames(test_case.module())));
    if (finding.shape().empty()) finding.set_shape(failure.error_kind());
    finding.set_summary(fmt::format(
        "{} in {}: {}", failure.error_kind().empty() ? "internal error" : failure.error_kind(),
        finding.culprit(), finding.shape()));
    finding.set_detail(DescribeFailure(failure));
    return {finding};
  }
};

}  // namespace

std::unique_ptr<Oracle> MakeInternalErrorOracle() {
  return std::make_unique<InternalErrorOracle>();
}

}  // namespace irate
