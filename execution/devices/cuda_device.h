// NVIDIA GPUs through the driver that is opened at run time.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "execution/devices/device.h"

namespace irate::devices {

// NotFound where there is no driver, or no GPU behind it. Where there is one: Unimplemented, for no
// kernel is launched on it yet (docs/gpu.md).
absl::StatusOr<std::unique_ptr<Device>> MakeCudaDevice();

}  // namespace irate::devices
