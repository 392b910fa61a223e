// Generated code, run instrumented, read or wrote beside a buffer, after a free, at an address that
// is less aligned than it relies on, or against another task. Shape: the kind, with the access and
// the kind of buffer: "out-of-bounds.write.workspace".
#include "oracles/oracle_list.h"
#include "oracles/violations.h"

namespace irate {
namespace {

class MemoryErrorOracle : public Oracle {
 public:
  std::string_view Name() const override { return "memory-error"; }
  std::string_view Description() const override {
    return "generated code touches memory that it must not, or in a way that it must not";
  }
  std::vector<Finding> Judge(const Case& test_case, const Observation& observation,
                             uint32_t variant) const override {
    return ViolationFindings(Name(), "memory", test_case, observation, variant);
  }
};

}  // namespace

std::unique_ptr<Oracle> MakeMemoryErrorOracle() { return std::make_unique<MemoryErrorOracle>(); }

}  // namespace irate
