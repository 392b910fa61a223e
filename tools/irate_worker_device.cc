// irate-worker-device: irate-worker with the simulated device (docs/gpu.md), which needs
// AddressSanitizer's runtime in the process.
#include <array>
#include <cstdlib>

#include "execution/devices/device_list.h"
#include "execution/devices/simulated/simulated_device.h"
#include "targets/tvm/device_api.h"
#include "tools/worker_main.h"

// As of irate-worker-asan; the simulated device has memory of its own, so that freed memory of the
// compiler need not be kept.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizer's own name
extern "C" const char* __asan_default_options() {
  return "detect_container_overflow=0:alloc_dealloc_mismatch=0:detect_odr_violation=0:"
         "detect_leaks=0:malloc_context_size=0:quarantine_size_mb=1:thread_local_quarantine_size_"
         "kb=16:"
         "max_malloc_fill_size=0:allow_user_segv_handler=1:allocator_may_return_null=1";
}

namespace {

constexpr auto kDevices = std::to_array<irate::devices::KnownDevice>({
    {"simulated", irate::devices::MakeSimulatedDevice},
});

}  // namespace

int main(int argc, char** argv) {
  // TVM's own runtimes of devices stay out: kernels are launched on ours.
  constexpr int kReplace = 1;
  setenv("TVM_COMPILE_FORCE_FALLBACK", "1", kReplace);
  irate::ProcessDevices() = irate::devices::MakeFinder(kDevices);
  irate::tvm_target::RegisterDeviceApi();
  return irate::RunWorkerMain(argc, argv);
}
