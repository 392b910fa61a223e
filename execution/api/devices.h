// Tier 3 as a target sees it: the devices of this process.
//
// A worker that is built for it (tools/irate_worker_device.cc) has some; in any other the list is
// empty, and a target that is asked for a device says so in `not_sanitized`. Devices are opened at
// first use: a fork of the zygote would break them.
#pragma once

#include <functional>
#include <string>

#include "execution/devices/device.h"

namespace irate {

// The device of this name; null with a `refusal` for people.
using DeviceFinder = std::function<devices::Device*(const std::string& name, std::string* refusal)>;

// This process's devices, or an empty function. Set once, before the target is loaded.
inline DeviceFinder& ProcessDevices() {
  static DeviceFinder finder;
  return finder;
}

}  // namespace irate
