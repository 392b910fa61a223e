// Generated code, run instrumented, computed something that LLVM IR leaves undefined, and used it:
// overflow under nsw, a shift out of range, a value that was never written. Shape: the kind.
#include "oracles/oracle_list.h"
#include "oracles/violations.h"

namespace irate {
namespace {

class ValueErrorOracle : public Oracle {
 public:
  std::string_view Name() const override { return "value-error"; }
  std::string_view Description() const override {
    return "generated code computes what LLVM leaves undefined on a defined program";
  }
  std::vector<Finding> Judge(const Case& test_case, const Observation& observation,
                             uint32_t variant) const override {
    return ViolationFindings(Name(), "value", test_case, observation, variant);
  }
};

}  // namespace

std::unique_ptr<Oracle> MakeValueErrorOracle() { return std::make_unique<ValueErrorOracle>(); }

}  // namespace irate
