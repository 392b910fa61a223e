#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "generators/generator.h"
#include "gtest/gtest.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace irate {
namespace {

std::string Bytes(const Case& test_case) { return test_case.SerializeAsString(); }

TEST(Determinism, SameSeedSameBytes) {
  for (uint64_t i = 0; i < 2'000; ++i) {
    const uint64_t seed = CaseSeed(3, i);
    ASSERT_EQ(Bytes(GenerateCase(seed)), Bytes(GenerateCase(seed))) << "seed " << seed;
  }
}

TEST(Determinism, OrderOfGenerationDoesNotMatter) {
  std::vector<std::string> forward;
  forward.reserve(200);
  for (uint64_t i = 0; i < 200; ++i) forward.push_back(Bytes(GenerateCase(CaseSeed(4, i))));
  for (uint64_t i = 200; i-- > 0;) {
    ASSERT_EQ(forward[i], Bytes(GenerateCase(CaseSeed(4, i))));
  }
}

TEST(Determinism, SeedsOfARunDiffer) {
  std::set<uint64_t> seeds;
  for (uint64_t run = 0; run < 20; ++run) {
    for (uint64_t i = 0; i < 1'000; ++i) seeds.insert(CaseSeed(run, i));
  }
  EXPECT_EQ(seeds.size(), 20'000u);
}

TEST(Determinism, FamilyIsTheOneAskedFor) {
  for (const auto& generator : Generators()) {
    GenerateOptions options;
    options.family = std::string(generator->Family());
    EXPECT_EQ(GenerateCase(CaseSeed(5, 1), options).generator(), options.family);
    EXPECT_FALSE(generator->Description().empty());
  }
}

TEST(Determinism, AvoidedFeaturesAreRareAndOtherCasesStayTheSame) {
  GenerateOptions avoiding;
  avoiding.avoided_features = {"loop.vectorized"};
  const auto has = [](const Case& test_case) {
    return std::ranges::find(test_case.features(), "loop.vectorized") != test_case.features().end();
  };
  int with = 0;
  int same = 0;
  int avoided = 0;
  constexpr int kCases = 1'000;
  for (int i = 0; i < kCases; ++i) {
    const uint64_t seed = CaseSeed(7, static_cast<uint64_t>(i));
    const Case plain = GenerateCase(seed);
    const Case chosen = GenerateCase(seed, avoiding);
    same += Bytes(plain) == Bytes(chosen) ? 1 : 0;
    with += has(plain) ? 1 : 0;
    avoided += has(chosen) ? 1 : 0;
  }
  EXPECT_GT(same, kCases / 4);
  EXPECT_GT(avoided, with / 8);
  EXPECT_LT(avoided, with / 2);
}

TEST(Determinism, CasesDiffer) {
  std::set<std::string> distinct;
  for (uint64_t i = 0; i < 3'000; ++i) {
    Case test_case = GenerateCase(CaseSeed(6, i));
    distinct.insert(test_case.module().SerializeAsString());
  }
  EXPECT_GT(distinct.size(), 2'950u);
}

// Whatever libFuzzer hands over decodes to a Case that every consumer may rely on.
TEST(AnyBytes, GiveValidCases) {
  ChoiceSource random(17);
  std::vector<uint8_t> bytes;
  for (int round = 0; round < 6'000; ++round) {
    bytes.resize(static_cast<size_t>(random.Range(0, 399)));
    const int kind = round % 4;
    for (uint8_t& byte : bytes) {
      byte = kind == 0   ? 0xFF
             : kind == 1 ? static_cast<uint8_t>(random.Range(0, 3))
                         : static_cast<uint8_t>(random.Range(0, 255));
    }
    ChoiceSource choices{std::span<const uint8_t>(bytes)};
    const Case test_case = GenerateCase(choices);
    const absl::Status status = VerifyCase(test_case);
    ASSERT_TRUE(status.ok()) << status << "\n" << PrintCase(test_case);
    ChoiceSource again{std::span<const uint8_t>(bytes)};
    ASSERT_EQ(Bytes(test_case), Bytes(GenerateCase(again)));
  }
}

TEST(AnyBytes, NoneAtAllGiveTheSimplestCase) {
  ChoiceSource choices{std::span<const uint8_t>()};
  const Case test_case = GenerateCase(choices);
  EXPECT_TRUE(VerifyCase(test_case).ok());
  EXPECT_LT(test_case.ByteSizeLong(), 250u) << PrintCase(test_case);
}

}  // namespace
}  // namespace irate
