#include "execution/devices/device_list.h"

#include <map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace irate::devices {
namespace {

Device* Find(std::span<const KnownDevice> known, const std::string& name, std::string* refusal) {
  // Never closed: libraries that they use may be gone by the end of the process.
  static auto& open = *new std::map<std::string, std::unique_ptr<Device>>();
  if (const auto found = open.find(name); found != open.end()) return found->second.get();
  std::vector<std::string> names;
  for (const KnownDevice& device : known) {
    names.emplace_back(device.name);
    if (device.name != name) continue;
    absl::StatusOr<std::unique_ptr<Device>> made = device.make();
    if (made.ok()) return (open[name] = *std::move(made)).get();
    *refusal = std::string(made.status().message());
    return nullptr;
  }
  *refusal = absl::StrCat("there is no device of this name; this worker knows ",
                          absl::StrJoin(names, ", "));
  return nullptr;
}

}  // namespace

DeviceFinder MakeFinder(std::span<const KnownDevice> known) {
  return
      [known](const std::string& name, std::string* refusal) { return Find(known, name, refusal); };
}

}  // namespace irate::devices
