// Any OpenCL implementation through the ICD loader: PoCL from Debian on a machine without a GPU.
#pragma once

#include <memory>

#include "absl/status/statusor.h"
#include "execution/devices/device.h"

namespace irate::devices {

// The first device of the first platform that has one. NotFound where there is none, with what to
// install. No compiled kernel is kept on disk: what runs is what was compiled now.
absl::StatusOr<std::unique_ptr<Device>> MakeOpenClDevice();

}  // namespace irate::devices
