// One run of a built module on a device: what its host code, the kernels that it launches and the
// device share. Internal to targets/tvm and targets/tvm/device_api.cc.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "execution/devices/device.h"
#include "targets/tvm/device_faults.h"

namespace irate::tvm_target {

// One launch, as the host code asked for it.
struct DeviceLaunch {
  std::string kernel;
  devices::LaunchShape shape;
};

struct DeviceSession {
  devices::Device* device = nullptr;
  // Not OK: the run was stopped. The code says why, as in devices::Device.
  absl::Status status;
  std::vector<DeviceLaunch> launches;
  DeviceFault* fault = nullptr;  // never null in a run
  int allocations = 0;           // by the host code
};

// The session under way, or null.
inline DeviceSession*& CurrentSession() {
  static DeviceSession* session = nullptr;
  return session;
}

}  // namespace irate::tvm_target
