// Host code launches a kernel with arguments that are not its parameters, or with extents that
// differ from the loops they stand for. Shape: "refused", "extents".
#include "oracles/oracle_list.h"
#include "oracles/violations.h"

namespace irate {
namespace {

class DeviceLaunchOracle : public Oracle {
 public:
  std::string_view Name() const override { return "device-launch"; }
  std::string_view Description() const override {
    return "host code launches a kernel with arguments or extents that are not its own";
  }
  std::vector<Finding> Judge(const Case& test_case, const Observation& observation,
                             uint32_t variant) const override {
    return ViolationFindings(Name(), "device-launch", test_case, observation, variant);
  }
};

}  // namespace

std::unique_ptr<Oracle> MakeDeviceLaunchOracle() { return std::make_unique<DeviceLaunchOracle>(); }

}  // namespace irate
