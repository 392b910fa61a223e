// irate-worker-gpu: irate-worker with the devices of this machine's drivers (docs/gpu.md). A
// process of its own: an OpenCL driver may bring another version of clang, whose symbols would meet
// those of the simulated device's.
#include <array>
#include <cstdlib>

#include "execution/devices/cuda_device.h"
#include "execution/devices/device_list.h"
#include "execution/devices/opencl_device.h"
#include "targets/tvm/device_api.h"
#include "tools/worker_main.h"

namespace {

constexpr auto kDevices = std::to_array<irate::devices::KnownDevice>({
    {"opencl", irate::devices::MakeOpenClDevice},
    {"cuda", irate::devices::MakeCudaDevice},
});

}  // namespace

int main(int argc, char** argv) {
  constexpr int kReplace = 1;
  setenv("TVM_COMPILE_FORCE_FALLBACK", "1", kReplace);
  irate::ProcessDevices() = irate::devices::MakeFinder(kDevices);
  irate::tvm_target::RegisterDeviceApi();
  return irate::RunWorkerMain(argc, argv);
}
