// The device's own compiler rejects what the code generator wrote. Shape: the normalised message.
#include "oracles/normalise.h"
#include "oracles/oracle_list.h"
#include "oracles/violations.h"

namespace irate {
namespace {

class DeviceSourceOracle : public Oracle {
 public:
  std::string_view Name() const override { return "device-source"; }
  std::string_view Description() const override {
    return "the source that is emitted for a device does not compile";
  }
  std::vector<Finding> Judge(const Case& test_case, const Observation& observation,
                             uint32_t variant) const override {
    std::vector<Finding> findings =
        ViolationFindings(Name(), "device-source", test_case, observation, variant);
    for (Finding& finding : findings) {
      // Without the place: "kernel.cl:3:5: error: ".
      const std::string message = finding.summary();
      const size_t begin = message.find("error: ");
      finding.set_shape(
          NormaliseMessage(begin == std::string::npos ? message : message.substr(begin + 7),
                           ProgramNames(test_case.module())));
    }
    return findings;
  }
};

}  // namespace

std::unique_ptr<Oracle> MakeDeviceSourceOracle() { return std::make_unique<DeviceSourceOracle>(); }

}  // namespace irate
