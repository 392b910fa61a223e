#include <array>

#include "oracles/oracle.h"
#include "oracles/oracle_list.h"

namespace irate {
namespace {

// The one list, in order of trust.
const auto& List() {
  static const auto& list = *new std::array{
      MakeNondeterminismOracle(),
      MakeInputMutatedOracle(),
      MakeMemoryGrowthOracle(),
      MakeCompilerCrashOracle(),
      MakeHangOracle(),
      MakeOutOfMemoryOracle(),
      MakeInternalErrorOracle(),
      MakeIllFormedOracle(),
      MakeCallContractOracle(),
      MakePassMismatchOracle(),
      MakeGeneratedCodeCrashOracle(),
      MakeCodegenMismatchOracle(),
      MakeVariantsOracle(),
      MakeMemoryErrorOracle(),
      MakeContractViolationOracle(),
      MakeAbiViolationOracle(),
      MakeValueErrorOracle(),
      MakeWrongCallOracle(),
      MakeDeviceMemoryOracle(),
      MakeDeviceOrderOracle(),
      MakeDeviceSourceOracle(),
      MakeDeviceLaunchOracle(),
      MakeBrokenPromiseOracle(),
      MakeRejectedOracle(),
  };
  return list;
}

std::vector<Finding> Judge(const Case& test_case, const Observation& observation, bool advisory) {
  std::vector<Finding> findings;
  for (int variant = 0; variant < observation.variants_size(); ++variant) {
    for (const std::unique_ptr<Oracle>& oracle : List()) {
      if (oracle->Advisory() != advisory) continue;
      for (Finding& finding :
           oracle->Judge(test_case, observation, static_cast<uint32_t>(variant))) {
        finding.set_signature(MakeSignature(finding));
        findings.push_back(std::move(finding));
      }
    }
  }
  return findings;
}

}  // namespace

std::span<const std::unique_ptr<Oracle>> Oracles() { return List(); }

std::vector<Finding> JudgeAll(const Case& test_case, const Observation& observation) {
  return Judge(test_case, observation, /*advisory=*/false);
}

std::vector<Finding> JudgeAdvisory(const Case& test_case, const Observation& observation) {
  return Judge(test_case, observation, /*advisory=*/true);
}

}  // namespace irate
