// Every device that this build knows, opened on demand.
#pragma once

#include <string>
#include <vector>

#include "execution/devices/device.h"

namespace irate::devices {

std::vector<std::string> DeviceNames();

// The device of this name, opened at its first use in this process and kept; null where it cannot
// be had, with why in `refusal`.
Device* FindDevice(const std::string& name, std::string* refusal);

}  // namespace irate::devices
