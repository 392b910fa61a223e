// Kernels a second of the simulated device, AddressSanitizer on: each is compiled anew and launched
// once, over the number of work-items of the argument, in groups of 64.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "benchmark/benchmark.h"
#include "execution/devices/simulated/simulated_device.h"

namespace irate::devices {
namespace {

// A cooperative load, a barrier and a reduction over the group.
std::string Source(int number) {
  return "// " + std::to_string(number) + R"(
__kernel void k(__global float* restrict C, __global const float* restrict A) {
  __local float tile[64];
  int item = convert_int(get_local_id(0));
  int at = convert_int(get_group_id(0)) * 64 + item;
  tile[item] = A[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0.000000e+00f;
  for (int i = 0; i < 8; ++i) {
    sum = sum + tile[(item + i) & 63];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  tile[item] = sum;
  C[at] = tile[item] * 5.000000e-01f;
})";
}

void Check(bool ok, const char* what) {
  if (ok) return;
  std::fprintf(stderr, "device_bench: %s failed\n", what);
  std::exit(3);
}

void BM_Kernel(benchmark::State& state) {
  const auto items = static_cast<uint32_t>(state.range(0));
  auto device = MakeSimulatedDevice();
  Check(device.ok(), "opening the device");
  int number = 0;
  for (auto _ : state) {
    const auto a = (*device)->Allocate(items * sizeof(float), "A");
    const auto c = (*device)->Allocate(items * sizeof(float), "C");
    Check(a.ok() && c.ok(), "allocating");
    const std::vector<uint8_t> zeros(items * sizeof(float));
    Check((*device)->CopyIn(*a, 0, zeros).ok(), "copying");
    auto program = (*device)->Load(Source(number++), Language::kOpenClC);
    Check(program.ok(), "compiling");
    const LaunchShape shape{.groups = {items / 64, 1, 1}, .items = {64, 1, 1}};
    const std::vector<KernelArgument> arguments = {{.buffer = *c}, {.buffer = *a}};
    Check((*device)->Launch(**program, "k", shape, arguments).ok(), "launching");
    Check((*device)->TakeReports().empty(), "a sound kernel");
    (*device)->Reset();
  }
  state.counters["kernels"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(BM_Kernel)->Arg(64)->Arg(1024)->Arg(4096)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace irate::devices

BENCHMARK_MAIN();
