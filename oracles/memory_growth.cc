// A pass that takes far more memory than its program: the generators keep buffers and programs
// small, so half a gigabyte in one pass tells of something that grows without need. Strict mode
// only. The limit of the worker's memory itself is the oracle out-of-memory.

#include "fmt/format.h"
#include "oracles/failure.h"
#include "oracles/oracle_list.h"

namespace irate {
namespace {

constexpr int64_t kMegabyte = int64_t{1} << 20;
constexpr int64_t kLimit = 512 * kMegabyte;

class MemoryGrowthOracle : public Oracle {
 public:
  std::string_view Name() const override { return "memory-growth"; }
  std::string_view Description() const override {
    return "a pass needs more than half a gigabyte for a small program";
  }
  std::vector<Finding> Judge(const Case& test_case, const Observation& observation,
                             uint32_t variant) const override {
    if (!IsStrict(test_case)) return {};
    std::vector<Finding> findings;
    for (const StepObservation& step : observation.variants(static_cast<int>(variant)).steps()) {
      if (step.memory_growth() < kLimit) continue;
      Finding finding = NewFinding(Name(), observation, variant,
                                   step.index() < 0 ? kLowering : step.pass(), step.index());
      finding.set_shape("blow-up");
      finding.set_summary(
          fmt::format("{} takes more than {} MiB", finding.culprit(), kLimit / kMegabyte));
      finding.set_detail(fmt::format("the process's peak of resident memory grew by {} MiB",
                                     step.memory_growth() / kMegabyte));
      findings.push_back(std::move(finding));
    }
    return findings;
  }
};

}  // namespace

std::unique_ptr<Oracle> MakeMemoryGrowthOracle() { return std::make_unique<MemoryGrowthOracle>(); }

}  // namespace irate
