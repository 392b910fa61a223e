// The devices of this process as TVM's runtime sees them: what host code calls to set the device
// and to allocate workspaces on it. Linked by the worker that has devices.
#pragma once

namespace irate::tvm_target {

// Registers "device_api.opencl" and "device_api.cuda", once, where TVM's own runtime has none. They
// stand for the device of the session under way (device_session.h).
void RegisterDeviceApi();

}  // namespace irate::tvm_target
