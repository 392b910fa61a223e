// The one list of families.
#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "generators/context.h"
#include "generators/family.h"
#include "generators/generator.h"
#include "generators/seed_programs.h"
#include "ir/device_spec.h"

namespace irate {
namespace {

constexpr auto kFamilies = std::to_array<FamilyEntry>({
    {Feature::kFamilyElementwise, GenerateElementwiseCase},
    {Feature::kFamilyReduction, GenerateReductionCase},
    {Feature::kFamilyStencil, GenerateStencilCase},
    {Feature::kFamilyMatmul, GenerateMatmulCase},
    {Feature::kFamilyTranspose, GenerateTransposeCase},
    {Feature::kFamilyReshape, GenerateReshapeCase},
    {Feature::kFamilyGuards, GenerateGuardsCase},
    {Feature::kFamilyLocals, GenerateLocalsCase},
    {Feature::kFamilyScan, GenerateScanCase},
    {Feature::kFamilyGather, GenerateGatherCase, {Feature::kIndexLoad}, 1},
    {Feature::kFamilyArgReduce,
     GenerateArgReduceCase,
     {Feature::kSelect, Feature::kSelectInVectorized, Feature::kLess, Feature::kStmtSeveralStores},
     4},
    {Feature::kFamilyConcat, GenerateConcatCase},
    {Feature::kFamilyWhile,
     GenerateWhileCase,
     {Feature::kStmtWhile, Feature::kLocalScalar, Feature::kLess},
     3},
    {Feature::kFamilyVectors,
     GenerateVectorsCase,
     {Feature::kVectorRamp, Feature::kVectorBroadcast, Feature::kIndexScaled},
     3},
    {Feature::kFamilyCalls,
     GenerateCallsCase,
     {Feature::kFunctionCalls, Feature::kViewDeclBuffer},
     2},
    {Feature::kFamilyViews, GenerateViewsCase, {Feature::kViewDeclBuffer}, 1},
    {Feature::kFamilyCasts, GenerateCastsCase},
    {Feature::kFamilyMath, GenerateMathCase},
    {Feature::kFamilyExternal, GenerateExternalCase, {Feature::kFunctionExternal}, 1},
    {Feature::kFamilyDevice,
     GenerateDeviceCase,
     {Feature::kStmtIf, Feature::kLess, Feature::kIndexScaled, Feature::kAnd},
     4},
});

std::span<const Feature> Needs(const FamilyEntry& family) {
  return std::span<const Feature>(family.needs).first(family.need_count);
}

bool IsOff(const FamilyEntry& family, const GenerateOptions& options) {
  const auto off = [&options](Feature feature) {
    return options.disabled_features.contains(std::string(Info(feature).name));
  };
  return off(family.feature) || std::ranges::any_of(Needs(family), off);
}

class FamilyGenerator : public Generator {
 public:
  explicit FamilyGenerator(const FamilyEntry& family) : family_(family) {}

  std::string_view Family() const override {
    return Info(family_.feature).name.substr(std::string_view("family.").size());
  }
  std::string_view Description() const override { return Info(family_.feature).description; }
  Case Generate(ChoiceSource& choices, const GenerateOptions& options) const override {
    Context context(choices, options, family_.feature, Needs(family_));
    return family_.generate(context);
  }

 private:
  const FamilyEntry& family_;
};

std::vector<std::unique_ptr<Generator>> MakeGenerators() {
  std::vector<std::unique_ptr<Generator>> generators;
  generators.reserve(kFamilies.size());
  for (const FamilyEntry& family : kFamilies) {
    generators.push_back(std::make_unique<FamilyGenerator>(family));
  }
  return generators;
}

void AddSequence(ChoiceSource& choices, const GenerateOptions& options, Case* test_case) {
  if (options.pass_map == nullptr) return;
  PassSequence passes = GenerateSequence(choices, *options.pass_map, options.sequences);
  // Which passes a device program can do without is not in the map.
  if (KindOf(passes) == SequenceKind::kStrict && BindsThreads(test_case->module())) {
    passes.clear_steps();
  }
  if (KindOf(passes) != SequenceKind::kDefault) {
    *test_case->mutable_passes() = std::move(passes);
  }
}

// Decided by the seed alone, so that the choices that make the program stay the same.
bool Avoids(uint64_t seed, const GenerateOptions& options) {
  constexpr uint64_t kShare = 4;
  return !options.avoided_features.empty() && CaseSeed(seed, 0) % kShare != 0;
}

GenerateOptions WithoutAvoided(GenerateOptions options) {
  options.disabled_features.merge(options.avoided_features);
  return options;
}

}  // namespace

std::span<const std::unique_ptr<Generator>> Generators() {
  static const auto* const kGenerators =
      new std::vector<std::unique_ptr<Generator>>(MakeGenerators());
  return *kGenerators;
}

Case GenerateCase(ChoiceSource& choices, const GenerateOptions& options) {
  std::vector<int> weights;
  weights.reserve(kFamilies.size());
  int total = 0;
  for (const FamilyEntry& family : kFamilies) {
    const FeatureInfo& info = Info(family.feature);
    const bool asked = options.family.empty()
                           ? options.devices || family.feature != Feature::kFamilyDevice
                           : info.name == "family." + options.family;
    weights.push_back(asked && !IsOff(family, options) ? info.weight : 0);
    total += weights.back();
  }
  // With every family off there is still a Case to be made: the plainest.
  const size_t picked = total == 0 ? 0 : choices.Weighted(weights);
  Case result = Generators()[picked]->Generate(choices, options);
  AddSequence(choices, options, &result);
  return result;
}

Case GenerateCase(uint64_t seed, const GenerateOptions& options) {
  if (std::optional<Case> program = DrawSeedProgram(seed, options)) {
    program->set_generator_seed(seed);
    // A stream of its own: that of the seed has drawn the program and its schedule.
    ChoiceSource choices(CaseSeed(seed, 1));
    AddSequence(choices, options, &*program);
    return *std::move(program);
  }
  ChoiceSource choices(seed);
  Case result = Avoids(seed, options) ? GenerateCase(choices, WithoutAvoided(options))
                                      : GenerateCase(choices, options);
  result.set_generator_seed(seed);
  return result;
}

uint64_t CaseSeed(uint64_t seed, uint64_t index) {
  // Two rounds of SplitMix64's finaliser: neighbouring seeds and indices share nothing.
  uint64_t z = seed * 0x9E3779B97F4A7C15 + 0xD1B54A32D192ED03;
  for (const uint64_t add : {index * 0xA0761D6478BD642F, uint64_t{0}}) {
    z += add;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    z ^= z >> 31;
  }
  return z;
}

}  // namespace irate
