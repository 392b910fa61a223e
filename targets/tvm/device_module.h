// The device half of a build as a module that launches its kernels on the session's device.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "execution/devices/device.h"
#include "targets/tvm/device_session.h"
#include "targets/tvm/native.h"

namespace irate::tvm_target {

// A kernel as TVM's runtime describes it to itself: tvm/runtime/metadata.
struct KernelInfo {
  std::string name;
  std::vector<DLDataType> arguments;
  std::vector<std::string> launch_parameters;  // "blockIdx.x", ...
};

// What the code generator of a device made.
struct DeviceCode {
  std::string kind;  // "opencl"
  std::string source;
  std::vector<KernelInfo> kernels;
};

// Reads the module that target.build.<kind> returns where TVM has no runtime of that kind, or none
// is wanted: TVM_COMPILE_FORCE_FALLBACK. Internal: it is another one.
absl::StatusOr<DeviceCode> ReadDeviceCode(const Any& module);

// A module for the host module's imports. A launch that fails sets the session's status and throws,
// which ends the host code.
Any MakeLaunchModule(const DeviceCode& code, std::shared_ptr<devices::Program> program);

}  // namespace irate::tvm_target
