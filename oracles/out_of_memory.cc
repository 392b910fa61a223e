// The compiler went over the memory limit on a program whose buffers are small (the generators keep
// them so): in strict mode only, since a wild order may ask for anything.

#include "fmt/format.h"
#include "oracles/failure.h"
#include "oracles/oracle_list.h"

namespace irate {
namespace {

class OutOfMemoryOracle : public Oracle {
 public:
  std::string_view Name() const override { return "out-of-memory"; }
  std::string_view Description() const override {
    return "the compiler goes over the memory limit on a small program";
  }
  std::vector<Finding> Judge(const Case& test_case, const Observation& observation,
                             uint32_t variant) const override {
    const Failure& failure = observation.variants(static_cast<int>(variant)).failure();
    if (failure.kind() != Failure::OUT_OF_MEMORY || !InCompiler(failure) || !IsStrict(test_case)) {
      return {};
    }
    Finding finding = NewFinding(Name(), observation, variant, CulpritOf(failure), failure.step());
    finding.set_shape("memory-limit");
    finding.set_summary(
        fmt::format("{} runs out of memory in {}", finding.target(), finding.culprit()));
    finding.set_detail(DescribeFailure(failure));
    return {finding};
  }
};

}  // namespace

std::unique_ptr<Oracle> MakeOutOfMemoryOracle() { return std::make_unique<OutOfMemoryOracle>(); }

}  // namespace irate
