// The simulated device: OpenCL C compiled for this processor, run with fibres, every access
// checked. Needs AddressSanitizer's runtime in the process. docs/gpu.md says what it models.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "execution/devices/device.h"

namespace irate::devices {

// Every launch runs twice from the same memory, in opposite orders; what differs is reported.
// FailedPrecondition where the process has no AddressSanitizer.
absl::StatusOr<std::unique_ptr<Device>> MakeSimulatedDevice();

}  // namespace irate::devices
