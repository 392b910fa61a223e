// Every feature is produced, never when it is off, and visible in the IR.
#include "generators/features.h"

#include <algorithm>
#include <set>
#include <string>

#include "generators/feature_scan.h"
#include "generators/generator.h"
#include "gtest/gtest.h"
#include "ir/text.h"
#include "tests/generators/sanitized.h"

namespace irate {
namespace {

TEST(Features, NamesAreUniqueAndWeightsUseful) {
  std::set<std::string_view> names;
  for (const FeatureInfo& info : Features()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_FALSE(info.description.empty()) << info.name;
    EXPECT_GT(info.weight, 0) << info.name;
    EXPECT_LE(info.weight, 100) << info.name;
    EXPECT_EQ(FindFeature(info.name), info.feature);
  }
  EXPECT_FALSE(FindFeature("no.such.feature").has_value());
}

TEST(Features, EveryFeatureIsProduced) {
  std::set<std::string> found;
  uint64_t seeds = 0;
  GenerateOptions options;
  options.devices = true;
  while (found.size() < kFeatureCount && seeds < 40'000) {
    const Case test_case = GenerateCase(CaseSeed(7, seeds++), options);
    found.insert(test_case.features().begin(), test_case.features().end());
  }
  for (const FeatureInfo& info : Features()) {
    EXPECT_TRUE(found.contains(std::string(info.name)))
        << info.name << " does not occur in " << seeds << " Cases";
  }
}

TEST(Features, ListedFeaturesAreThoseOfTheIr) {
  GenerateOptions options;
  options.devices = true;
  for (uint64_t i = 0; i < Reduced(2'000); ++i) {
    const Case test_case = GenerateCase(CaseSeed(8, i), options);
    std::set<std::string> listed(test_case.features().begin(), test_case.features().end());
    ASSERT_EQ(listed.erase("family." + test_case.generator()), 1u);
    std::set<std::string> scanned;
    for (const std::string& name : FeatureNames(ScanFeatures(test_case))) scanned.insert(name);
    ASSERT_EQ(listed, scanned) << PrintCase(test_case);
  }
}

class DisabledFeature : public testing::TestWithParam<FeatureInfo> {};

TEST_P(DisabledFeature, IsNeverProduced) {
  const std::string name(GetParam().name);
  GenerateOptions options;
  options.devices = true;
  options.disabled_features = {name};
  for (uint64_t i = 0; i < Reduced(500); ++i) {
    const Case test_case = GenerateCase(CaseSeed(11, i), options);
    ASSERT_EQ(std::ranges::find(test_case.features(), name), test_case.features().end())
        << PrintCase(test_case);
  }
}

INSTANTIATE_TEST_SUITE_P(All, DisabledFeature,
                         testing::ValuesIn(Features().begin(), Features().end()),
                         [](const testing::TestParamInfo<FeatureInfo>& info) {
                           std::string name(info.param.name);
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

TEST(Features, AllOffAtOnceStillGivesCases) {
  GenerateOptions options;
  for (const FeatureInfo& info : Features())
    options.disabled_features.insert(std::string(info.name));
  for (uint64_t i = 0; i < Reduced(500); ++i) {
    const Case test_case = GenerateCase(CaseSeed(12, i), options);
    // The family is the one thing that a Case cannot do without.
    ASSERT_EQ(test_case.features_size(), 1) << PrintCase(test_case);
  }
}

}  // namespace
}  // namespace irate
