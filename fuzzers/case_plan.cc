#include "fuzzers/case_plan.h"

#include "generators/variants.h"

namespace irate {
namespace {

// Uniform in [0, 1), another one for each `salt`.
double Draw(uint64_t seed, uint64_t salt) {
  uint64_t z = seed + salt * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  constexpr int kBits = 53;
  return static_cast<double>((z ^ (z >> 31)) >> (64 - kBits)) / static_cast<double>(1ull << kBits);
}

}  // namespace

std::vector<std::string> MachineLevels() {
  std::vector<std::string> levels;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("x86-64-v2") != 0) levels.emplace_back("x86-64-v2");
  if (__builtin_cpu_supports("x86-64-v3") != 0) levels.emplace_back("x86-64-v3");
#endif
  return levels;
}

CasePlan PlanCase(const FuzzOptions& options, Case* test_case) {
  CasePlan plan;
  // Wild Cases are neither lifted nor run.
  if (test_case->passes().mode() == WILD) return plan;
  const uint64_t seed = test_case->generator_seed();
  constexpr uint64_t kThorough = 1;
  constexpr uint64_t kVariants = 2;
  constexpr uint64_t kWhich = 3;
  constexpr uint64_t kDevices = 4;
  plan.thorough = Draw(seed, kThorough) < options.thorough_share;
  plan.variants = options.harness.worker.target == "tvm" && test_case->targets_size() == 0 &&
                  Draw(seed, kVariants) < options.variants_share;
  if (!plan.variants && !options.devices.empty() && test_case->targets_size() == 0 &&
      Draw(seed, kDevices) < options.device_share) {
    plan.variants = true;
    TargetSpec* processor = test_case->add_targets();
    processor->set_target(options.harness.worker.target);
    processor->set_options(R"({"kind":"llvm"})");
    for (const TargetSpec& device : options.devices) *test_case->add_targets() = device;
    return plan;
  }
  if (plan.variants) AddVariants(seed + kWhich, MachineLevels(), test_case);
  return plan;
}

}  // namespace irate
