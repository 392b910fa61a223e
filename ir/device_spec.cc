#include "ir/device_spec.h"

#include <algorithm>

#include "ir/visit.h"
#include "nlohmann/json.hpp"

namespace irate {
namespace {

using Json = nlohmann::ordered_json;

Json Parse(const TargetSpec& spec) {
  return Json::parse(spec.options(), nullptr, /*allow_exceptions=*/false);
}

std::string Text(const Json& json, const char* key) {
  const auto found = json.is_object() ? json.find(key) : json.end();
  return found != json.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

std::string DeviceOf(const TargetSpec& spec) {
  const Json json = Parse(spec);
  const std::string kind = json.is_object() ? Text(json, "kind") : spec.options();
  if (kind != "opencl" && kind != "cuda") return "";
  const std::string device = Text(json, kDeviceKey);
  if (!device.empty()) return device;
  return kind == "opencl" ? kSimulatedDevice : "cuda";
}

std::string CompilerOptions(const TargetSpec& spec) {
  Json json = Parse(spec);
  if (!json.is_object() || !json.contains(kDeviceKey)) return spec.options();
  json.erase(kDeviceKey);
  return json.dump();
}

std::vector<std::string> DeviceNames() { return {kSimulatedDevice, "opencl", "cuda"}; }

TargetSpec DeviceSpec(const std::string& target, const std::string& device) {
  Json json;
  json["kind"] = device == "cuda" ? "cuda" : "opencl";
  // Without it TVM asks the machine's driver.
  if (device == "cuda") json["arch"] = "sm_90";
  TargetSpec spec;
  spec.set_target(target);
  spec.set_options(json.dump());
  if (DeviceOf(spec) != device) {
    json[kDeviceKey] = device;
    spec.set_options(json.dump());
  }
  return spec;
}

bool BindsThreads(const Module& module) {
  bool found = false;
  for (const Function& function : module.functions()) {
    VisitStmts(function, [&found](const Stmt& stmt) {
      found |= stmt.loop_kind() == THREAD_BINDING || !stmt.attr_node().thread_tag().empty();
    });
  }
  return found;
}

bool NeedsDevice(const Case& test_case) {
  return std::ranges::any_of(test_case.targets(),
                             [](const TargetSpec& spec) { return !DeviceOf(spec).empty(); });
}

}  // namespace irate
