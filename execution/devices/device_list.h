// The devices of a process, opened on demand. Which ones a worker has is written in its main file.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "absl/status/statusor.h"
#include "execution/api/devices.h"
#include "execution/devices/device.h"

namespace irate::devices {

struct KnownDevice {
  const char* name;
  absl::StatusOr<std::unique_ptr<Device>> (*make)();
};

// Finds a device by name, opened at its first use in this process and kept. `known` outlives it.
DeviceFinder MakeFinder(std::span<const KnownDevice> known);

}  // namespace irate::devices
