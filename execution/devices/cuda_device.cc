#include "execution/devices/cuda_device.h"

#include <dlfcn.h>

#include "absl/status/status.h"

namespace irate::devices {

absl::StatusOr<std::unique_ptr<Device>> MakeCudaDevice() {
  void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (driver == nullptr) {
    return absl::NotFoundError("no CUDA device: there is no libcuda.so.1, NVIDIA's driver");
  }
  // Result and argument types of the driver API; 0 is CUDA_SUCCESS.
  const auto init = reinterpret_cast<int (*)(unsigned)>(dlsym(driver, "cuInit"));
  const auto count = reinterpret_cast<int (*)(int*)>(dlsym(driver, "cuDeviceGetCount"));
  int devices = 0;
  if (init == nullptr || count == nullptr || init(0) != 0 || count(&devices) != 0 || devices == 0) {
    return absl::NotFoundError("no CUDA device: the driver is here, but finds no GPU");
  }
  return absl::UnimplementedError("a CUDA device is here, but kernels are not launched on it yet");
}

}  // namespace irate::devices
