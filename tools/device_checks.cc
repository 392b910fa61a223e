#include "tools/device_checks.h"

#include <memory>
#include <string>

#include "execution/harness.h"
#include "fmt/format.h"
#include "ir/compare.h"
#include "ir/device_spec.h"
#include "tools/small_case.h"

namespace irate {
namespace {

std::string WhatItDoes(const std::string& device) {
  if (device == kSimulatedDevice) return "results, bounds, races, barriers, order";
  return "results";
}

DoctorCheck Check(const std::string& device, Harness& harness) {
  DoctorCheck check;
  check.name = fmt::format("device {}", device);
  Case test_case = SmallCase();
  *test_case.add_targets() = DeviceSpec("tvm", device);
  const absl::StatusOr<Observation> observation = harness.Execute(test_case);
  if (!observation.ok()) {
    check.detail = std::string(observation.status().message());
    return check;
  }
  const VariantObservation& variant = observation->variants(0);
  if (!variant.not_sanitized().empty()) {
    check.passed = device != kSimulatedDevice;
    check.detail = fmt::format("not here: {}", variant.not_sanitized());
    return check;
  }
  if (variant.failure().kind() != Failure::NONE) {
    check.detail = variant.failure().message();
    return check;
  }
  const std::optional<Difference> difference =
      Compare(observation->reference(), {variant.outputs().begin(), variant.outputs().end()});
  check.passed = !difference.has_value() && variant.violations_size() == 0;
  check.detail = check.passed ? fmt::format("runs a kernel; shows {}", WhatItDoes(device))
                 : difference ? difference->ToString()
                              : variant.violations(0).detail();
  return check;
}

}  // namespace

std::vector<DoctorCheck> CheckDevices(const WorkerOptions& worker) {
  const absl::StatusOr<std::unique_ptr<Harness>> harness =
      Harness::Create(HarnessOptions{.worker = worker});
  if (!harness.ok()) {
    return {
        {.name = "devices", .passed = false, .detail = std::string(harness.status().message())}};
  }
  std::vector<DoctorCheck> checks;
  for (const std::string& device : DeviceNames()) checks.push_back(Check(device, **harness));
  return checks;
}

}  // namespace irate
