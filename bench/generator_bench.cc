// Speed of generation: Cases a second, of the usual mix and of each family.
#include <cstdint>
#include <string>

#include "benchmark/benchmark.h"
#include "generators/feature_scan.h"
#include "generators/generator.h"

namespace irate {
namespace {

void Generate(benchmark::State& state, const GenerateOptions& options) {
  uint64_t index = 0;
  int64_t bytes = 0;
  for (auto _ : state) {
    const Case test_case = GenerateCase(CaseSeed(1, index++), options);
    bytes += static_cast<int64_t>(test_case.ByteSizeLong());
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()));
  state.counters["mean_bytes"] =
      static_cast<double>(bytes) / static_cast<double>(state.iterations());
}

void ScanOneCase(benchmark::State& state) {
  const Case test_case = GenerateCase(CaseSeed(1, 3));
  for (auto _ : state) benchmark::DoNotOptimize(ScanFeatures(test_case));
}
BENCHMARK(ScanOneCase);

[[maybe_unused]] const bool kRegistered = [] {
  benchmark::RegisterBenchmark("Generate/all",
                               [](benchmark::State& state) { Generate(state, {}); });
  for (const auto& generator : Generators()) {
    GenerateOptions options;
    options.family = std::string(generator->Family());
    benchmark::RegisterBenchmark(("Generate/" + options.family).c_str(),
                                 [options](benchmark::State& state) { Generate(state, options); });
  }
  return true;
}();

}  // namespace
}  // namespace irate

BENCHMARK_MAIN();
