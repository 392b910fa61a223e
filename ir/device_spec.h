// Which device runs the code of a target description.
//
// A description is the compiler's own, JSON; the key "irate-device" in it is ours and names the
// device: {"kind":"opencl","irate-device":"opencl"}. Without it OpenCL C runs on the simulated
// device and CUDA on "cuda".
#pragma once

#include <string>
#include <vector>

#include "ir/irate.pb.h"

namespace irate {

inline constexpr char kSimulatedDevice[] = "simulated";
inline constexpr char kDeviceKey[] = "irate-device";

// The device's name, or empty: the code runs on this machine's processor.
std::string DeviceOf(const TargetSpec& spec);
// The description without our key.
std::string CompilerOptions(const TargetSpec& spec);
// The devices that a description can name: "simulated", "opencl", "cuda".
std::vector<std::string> DeviceNames();
// The plain description for a device of that name.
TargetSpec DeviceSpec(const std::string& target, const std::string& device);
// Whether the program itself says what runs on which hardware thread.
bool BindsThreads(const Module& module);
// Whether the Case has a variant for a device.
bool NeedsDevice(const Case& test_case);

}  // namespace irate
