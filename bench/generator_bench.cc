// Speed of generation: Cases a second, of the usual mix and of each family.
#include <cstdint>
#include <string>

#include "benchmark/benchmark.h"
#include "generators/feature_scan.h"
#include "generators/generator.h"

namespace irate {
namespace {

// The argument is an index into Generators(); -1 is the usual mix.
void Generate(benchmark::State& state) {
  GenerateOptions options;
  if (state.range(0) >= 0) {
    options.family = std::string(Generators()[static_cast<size_t>(state.range(0))]->Family());
  }
  state.SetLabel(options.family.empty() ? "all" : options.family);
  uint64_t index = 0;
  int64_t bytes = 0;
  while (state.KeepRunning()) {
    const Case test_case = GenerateCase(CaseSeed(1, index++), options);
    bytes += static_cast<int64_t>(test_case.ByteSizeLong());
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()));
  state.counters["mean_bytes"] =
      static_cast<double>(bytes) / static_cast<double>(state.iterations());
}

void ScanOneCase(benchmark::State& state) {
  const Case test_case = GenerateCase(CaseSeed(1, 3));
  while (state.KeepRunning()) benchmark::DoNotOptimize(ScanFeatures(test_case));
}

}  // namespace
}  // namespace irate

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  benchmark::RegisterBenchmark("ScanFeatures", irate::ScanOneCase);
  benchmark::RegisterBenchmark("Generate", irate::Generate)
      ->DenseRange(-1, static_cast<int64_t>(irate::Generators().size()) - 1);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
