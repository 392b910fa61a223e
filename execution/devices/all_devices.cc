#include "execution/devices/all_devices.h"

#include <array>
#include <map>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "execution/devices/opencl_device.h"
#include "execution/devices/simulated/simulated_device.h"

namespace irate::devices {
namespace {

using Make = absl::StatusOr<std::unique_ptr<Device>> (*)();

struct Known {
  const char* name;
  Make make;
};

// The one list.
constexpr auto kKnown = std::to_array<Known>({
    {"simulated", MakeSimulatedDevice},
    {"opencl", MakeOpenClDevice},
});

}  // namespace

std::vector<std::string> DeviceNames() {
  std::vector<std::string> names;
  for (const Known& known : kKnown) names.emplace_back(known.name);
  return names;
}

Device* FindDevice(const std::string& name, std::string* refusal) {
  // Never closed: libraries that they use may be gone by the end of the process.
  static auto& open = *new std::map<std::string, std::unique_ptr<Device>>();
  if (const auto found = open.find(name); found != open.end()) return found->second.get();
  for (const Known& known : kKnown) {
    if (known.name != name) continue;
    absl::StatusOr<std::unique_ptr<Device>> made = known.make();
    if (made.ok()) return (open[name] = *std::move(made)).get();
    *refusal = std::string(made.status().message());
    return nullptr;
  }
  *refusal = absl::StrCat("there is no device of this name; known are ",
                          absl::StrJoin(DeviceNames(), ", "));
  return nullptr;
}

}  // namespace irate::devices
