// Generated Cases are valid by construction: they verify, the interpreter finds them defined, and
// nearly all of their outputs can be judged.
#include <string>

#include "generators/generator.h"
#include "generators/stats.h"
#include "gtest/gtest.h"
#include "ir/interpreter.h"
#include "ir/schedule_validity.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "nlohmann/json.hpp"
#include "tests/generators/sanitized.h"

namespace irate {
namespace {

class Family : public testing::TestWithParam<std::string> {};

TEST_P(Family, VerifiesAndIsDefined) {
  constexpr int64_t kCases = Reduced(2'000);
  GenerateOptions options;
  options.family = GetParam();
  int shown = 0;
  for (int64_t i = 0; i < kCases; ++i) {
    const Case test_case = GenerateCase(CaseSeed(21, static_cast<uint64_t>(i)), options);
    const absl::Status status = VerifyCase(test_case);
    ASSERT_TRUE(status.ok()) << status << "\n" << PrintCase(test_case);
    const auto result = Interpret(test_case.module(), test_case.inputs());
    ASSERT_TRUE(result.ok()) << result.status() << "\n" << PrintCase(test_case);
    // The first few are worth reading; the rate is judged below.
    if (result->status() != Interpretation::DEFINED && shown++ < 3) {
      GTEST_LOG_(INFO) << result->reason() << " at " << result->place() << "\n"
                       << PrintCase(test_case);
    }
  }
  const GeneratorStats stats = CollectGeneratorStats(21, kCases, options);
  EXPECT_EQ(stats.total.cases, kCases);
  EXPECT_LT(stats.total.DropRate(), 0.01) << ToJson(stats)["drop_reasons"].dump(2);
  EXPECT_LT(stats.total.InconclusiveShare(), 0.05);
  const double mean_steps =
      static_cast<double>(stats.total.steps) / static_cast<double>(stats.total.cases);
  EXPECT_LT(mean_steps, 20'000);
  EXPECT_GT(mean_steps, 10);
}

std::vector<std::string> FamilyNames() {
  std::vector<std::string> names;
  for (const auto& generator : Generators()) names.emplace_back(generator->Family());
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, Family, testing::ValuesIn(FamilyNames()),
                         [](const auto& info) { return info.param; });

// Schedules only for programs that keep their contract, and enough of those.
TEST(Schedules, AreForProgramsThatMayHaveOne) {
  constexpr uint64_t kCases = Reduced(2'000);
  int scheduled = 0;
  for (uint64_t i = 0; i < kCases; ++i) {
    const Case test_case = GenerateCase(CaseSeed(23, i), {});
    if (test_case.schedule().steps_size() == 0) continue;
    ++scheduled;
    EXPECT_EQ(NotSchedulable(test_case.module(), test_case.inputs()), "") << PrintCase(test_case);
  }
  EXPECT_GT(scheduled, static_cast<int>(Reduced(300)));
}

TEST(Stats, AreDeterministicAndComplete) {
  GeneratorStats a = CollectGeneratorStats(5, 300);
  GeneratorStats b = CollectGeneratorStats(5, 300);
  EXPECT_GT(a.CasesPerSecond(), 0);
  for (GeneratorStats* stats : {&a, &b}) {
    stats->generate_seconds = 1;
    stats->interpret_seconds = 1;
  }
  const nlohmann::ordered_json json = ToJson(a);
  EXPECT_EQ(json.dump(), ToJson(b).dump());
  EXPECT_EQ(json["cases"], 300);
  EXPECT_EQ(json["cases_per_s"], 300);
  EXPECT_EQ(json["features"].size(), a.features.size());
  int64_t cases = 0;
  for (const auto& [name, family] : a.families) cases += family.cases;
  EXPECT_EQ(cases, 300);
}

}  // namespace
}  // namespace irate
