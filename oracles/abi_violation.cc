// The emitted LLVM IR, read and not run: a call does not fit its callee, in calling convention,
// number or type of arguments, or in the array that they are passed in. Shape: the clause.
#include "oracles/oracle_list.h"
#include "oracles/violations.h"

namespace irate {
namespace {

class AbiViolationOracle : public Oracle {
 public:
  std::string_view Name() const override { return "abi-violation"; }
  std::string_view Description() const override {
    return "a call in the emitted code does not fit its callee: convention, count, type, argument "
           "array";
  }
  std::vector<Finding> Judge(const Case& test_case, const Observation& observation,
                             uint32_t variant) const override {
    return ViolationFindings(Name(), "abi", test_case, observation, variant);
  }
};

}  // namespace

std::unique_ptr<Oracle> MakeAbiViolationOracle() { return std::make_unique<AbiViolationOracle>(); }

}  // namespace irate
