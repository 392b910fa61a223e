// Work-items of a kernel touch one place unordered, meet at different barriers or not at all, or
// the result differs with the order of groups and work-items. On a program that is defined that is
// the compiler's fault. Shape: "race.shared", "divergence", "dependent".
#include "oracles/oracle_list.h"
#include "oracles/violations.h"

namespace irate {
namespace {

class DeviceOrderOracle : public Oracle {
 public:
  std::string_view Name() const override { return "device-order"; }
  std::string_view Description() const override {
    return "a kernel depends on an order that the device does not give: races, barriers, groups";
  }
  std::vector<Finding> Judge(const Case& test_case, const Observation& observation,
                             uint32_t variant) const override {
    return ViolationFindings(Name(), "device-order", test_case, observation, variant);
  }
};

}  // namespace

std::unique_ptr<Oracle> MakeDeviceOrderOracle() { return std::make_unique<DeviceOrderOracle>(); }

}  // namespace irate
