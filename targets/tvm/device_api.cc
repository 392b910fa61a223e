#include "targets/tvm/device_api.h"

#include <tvm/ffi/reflection/registry.h>
#include <tvm/ffi/tvm_ffi.h>
#include <tvm/runtime/device_api.h>

#include <string>

#include "targets/tvm/device_session.h"

namespace irate::tvm_target {
namespace {

namespace ffi = ::tvm::ffi;

DeviceSession& Session() {
  DeviceSession* session = CurrentSession();
  TVM_FFI_CHECK(session != nullptr && session->device != nullptr, RuntimeError)
      << "there is no device session";
  return *session;
}

class SessionDevice : public tvm::runtime::DeviceAPI {
 public:
  void SetDevice(DLDevice /*device*/) final {}
  void GetAttr(DLDevice /*device*/, tvm::runtime::DeviceAttrKind kind, ffi::Any* result) final {
    switch (kind) {
      case tvm::runtime::kExist:
        *result = 1;
        break;
      case tvm::runtime::kMaxThreadsPerBlock:
        *result = 1024;
        break;
      case tvm::runtime::kDeviceName:
        *result = ffi::String(Session().device->Name());
        break;
      default:
        *result = 0;
    }
  }
  void* AllocDataSpace(DLDevice /*device*/, size_t size, size_t /*alignment*/,
                       DLDataType /*type*/) final {
    DeviceSession& session = Session();
    const absl::StatusOr<void*> memory =
        session.device->Allocate(size, "workspace" + std::to_string(++session.allocations));
    if (!memory.ok()) session.status = memory.status();
    TVM_FFI_CHECK(memory.ok(), RuntimeError) << "the device has no memory";
    return *memory;
  }
  void FreeDataSpace(DLDevice /*device*/, void* memory) final { Session().device->Free(memory); }
  void* AllocWorkspace(DLDevice device, size_t size, DLDataType type) final {
    return AllocDataSpace(device, size, tvm::runtime::kTempAllocaAlignment, type);
  }
  void FreeWorkspace(DLDevice device, void* memory) final { FreeDataSpace(device, memory); }
  void StreamSync(DLDevice /*device*/, TVMStreamHandle /*stream*/) final {}
};

}  // namespace

void RegisterDeviceApi() {
  // Never released: the runtime keeps it.
  static auto* const device = new SessionDevice();
  for (const char* name : {"device_api.opencl", "device_api.cuda"}) {
    if (ffi::Function::GetGlobal(name).has_value()) continue;
    ffi::reflection::GlobalDef().def(
        name, []() -> void* { return static_cast<tvm::runtime::DeviceAPI*>(device); });
  }
}

}  // namespace irate::tvm_target
