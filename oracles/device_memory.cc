// A kernel read or wrote beside a buffer, a shared or a private array. Shape: the access and the
// kind of memory: "out-of-bounds.read.global".
#include "oracles/oracle_list.h"
#include "oracles/violations.h"

namespace irate {
namespace {

class DeviceMemoryOracle : public Oracle {
 public:
  std::string_view Name() const override { return "device-memory-error"; }
  std::string_view Description() const override {
    return "a kernel touches memory that it must not";
  }
  std::vector<Finding> Judge(const Case& test_case, const Observation& observation,
                             uint32_t variant) const override {
    return ViolationFindings(Name(), "device-memory", test_case, observation, variant);
  }
};

}  // namespace

std::unique_ptr<Oracle> MakeDeviceMemoryOracle() { return std::make_unique<DeviceMemoryOracle>(); }

}  // namespace irate
