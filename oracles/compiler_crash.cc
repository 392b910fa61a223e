// The compiler died of a signal or a sanitizer stopped it: at any stage, in either mode, whatever
// it was given. Shape: the signal and the top three frames.

#include "fmt/format.h"
#include "oracles/failure.h"
#include "oracles/normalise.h"
#include "oracles/oracle_list.h"

namespace irate {
namespace {

class CompilerCrashOracle : public Oracle {
 public:
  std::string_view Name() const override { return "compiler-crash"; }
  std::string_view Description() const override {
    return "the compiler dies of a signal or of a sanitizer report";
  }
  std::vector<Finding> Judge(const Case&, const Observation& observation,
                             uint32_t variant) const override {
    const Failure& failure = observation.variants(static_cast<int>(variant)).failure();
    const bool died = failure.kind() == Failure::SIGNAL || failure.kind() == Failure::SANITIZER;
    if (!died || !InCompiler(failure)) return {};
    Finding finding = NewFinding(Name(), observation, variant, CulpritOf(failure), failure.step());
    finding.set_shape(CrashShape(failure));
    finding.set_summary(
        fmt::format("{} dies in {}: {}", finding.target(), finding.culprit(), finding.shape()));
    finding.set_detail(DescribeFailure(failure));
    return {finding};
  }
};

}  // namespace

std::unique_ptr<Oracle> MakeCompilerCrashOracle() {
  return std::make_unique<CompilerCrashOracle>();
}

}  // namespace irate
