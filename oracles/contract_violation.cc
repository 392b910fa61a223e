// Generated code and its runtime broke their contract: workspaces, parallel launch and barrier,
// packed calls, errors. Culprit: the runtime for what is its to keep, else the code. Shape: the
// clause.
#include "oracles/oracle_list.h"
#include "oracles/violations.h"

namespace irate {
namespace {

std::string Culprit(std::string_view clause) {
  const bool runtime = clause == "workspace-alignment" || clause == "launch-task-count";
  return runtime ? "runtime" : "";
}

class ContractViolationOracle : public Oracle {
 public:
  std::string_view Name() const override { return "contract-violation"; }
  std::string_view Description() const override {
    return "generated code and its runtime break their contract: workspaces, parallel launch, "
           "packed calls";
  }
  std::vector<Finding> Judge(const Case& test_case, const Observation& observation,
                             uint32_t variant) const override {
    return ViolationFindings(Name(), "contract", test_case, observation, variant, Culprit);
  }
};

}  // namespace

std::unique_ptr<Oracle> MakeContractViolationOracle() {
  return std::make_unique<ContractViolationOracle>();
}

}  // namespace irate
