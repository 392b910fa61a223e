// Children of generated Cases: valid, defined, different, the same for the same choices.
#include "generators/mutate/engine.h"

#include <set>

#include "generators/generator.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/compare.h"
#include "ir/interpreter.h"
#include "ir/schedule_validity.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace irate {
namespace {

using ::testing::HasSubstr;

Case Parent(uint64_t index) { return GenerateCase(CaseSeed(51, index)); }

TEST(MutationEngineTest, ChildrenAreValidDefinedAndJudged) {
  MutationEngine engine(MutateOptions{});
  int children = 0;
  for (uint64_t i = 0; i < 200; ++i) {
    const Case parent = Parent(i);
    const Case donor = Parent(i + 1'000);
    ChoiceSource choices(i);
    const auto child = engine.Mutate(parent, &donor, choices);
    if (!child.has_value()) continue;
    ++children;
    SCOPED_TRACE(PrintCase(child->test_case));
    ASSERT_TRUE(VerifyCase(child->test_case).ok()) << VerifyCase(child->test_case);
    EXPECT_FALSE(child->mutators.empty());
    EXPECT_THAT(child->test_case.generator(), HasSubstr("mutated "));
    if (child->test_case.passes().mode() == WILD) continue;
    const auto result = Interpret(child->test_case.module(), child->test_case.inputs());
    ASSERT_TRUE(result.ok()) << result.status();
    ASSERT_EQ(result->status(), Interpretation::DEFINED) << result->reason();
    EXPECT_LE(InconclusiveShare(*result), 0.25);
  }
  EXPECT_GE(children, 195) << "nearly every Case has a child";
}

// What a mutation makes of a program loses its schedule where it may not have one any more.
TEST(MutationEngineTest, SchedulesOfChildrenAreForProgramsThatMayHaveOne) {
  MutationEngine engine(MutateOptions{});
  int kept = 0;
  int lost = 0;
  for (uint64_t i = 0; i < 600; ++i) {
    const Case parent = Parent(i);
    if (parent.schedule().steps_size() == 0) continue;
    ChoiceSource choices(i);
    const auto child = engine.Mutate(parent, nullptr, choices);
    if (!child.has_value()) continue;
    const Case& made = child->test_case;
    ++(made.schedule().steps_size() != 0 ? kept : lost);
    if (made.schedule().steps_size() == 0) continue;
    EXPECT_EQ(NotSchedulable(made.module(), made.inputs()), "") << PrintCase(made);
  }
  EXPECT_GT(kept, 50);
  EXPECT_GT(lost, 0);
}

// Through the text and back, as the corpus of a fuzzer sends them.
TEST(MutationEngineTest, ALongLineOfDescendantsStaysSmallAndReadable) {
  MutationEngine engine(MutateOptions{});
  Case current = Parent(7);
  const Case donor = Parent(8);
  std::set<std::string> seen;
  for (uint64_t i = 0; i < 300; ++i) {
    ChoiceSource choices(i);
    auto child = engine.Mutate(current, &donor, choices);
    if (!child.has_value()) continue;
    seen.insert(child->test_case.SerializeAsString());
    const auto read = ParseCase(PrintCase(child->test_case));
    ASSERT_TRUE(read.ok()) << read.status();
    ASSERT_EQ(read->SerializeAsString(), child->test_case.SerializeAsString());
    current = std::move(child->test_case);
    ASSERT_LE(current.ByteSizeLong(), engine.options().bytes);
  }
  EXPECT_GT(seen.size(), 250u);
}

TEST(MutationEngineTest, TheSameChoicesGiveTheSameChildren) {
  std::vector<std::string> children[2];
  for (auto& list : children) {
    MutationEngine engine(MutateOptions{});
    for (uint64_t i = 0; i < 60; ++i) {
      ChoiceSource choices(i);
      const Case donor = Parent(i + 1);
      const auto child = engine.Mutate(Parent(i), &donor, choices);
      list.push_back(child.has_value() ? child->test_case.SerializeAsString() : "");
      if (child.has_value()) engine.Learn(*child, i % 3 == 0);
    }
  }
  EXPECT_EQ(children[0], children[1]);
}

TEST(MutationEngineTest, CrossingTakesFromBoth) {
  MutationEngine engine(MutateOptions{});
  int crossed = 0;
  for (uint64_t i = 0; i < 60; ++i) {
    ChoiceSource choices(i);
    const auto child = engine.Cross(Parent(i), Parent(i + 100), choices);
    crossed += child.has_value() ? 1 : 0;
  }
  EXPECT_GE(crossed, 50);
}

TEST(MutationEngineTest, FeaturesThatAreOffStayOff) {
  MutateOptions options;
  options.disabled_features = {"loop.vectorized", "stmt.if", "type.bf16"};
  GenerateOptions generate;
  generate.disabled_features = options.disabled_features;
  MutationEngine engine(options);
  MutationEngine without(MutateOptions{});
  int would = 0;
  for (uint64_t i = 0; i < 150; ++i) {
    const Case parent = GenerateCase(CaseSeed(52, i), generate);
    ChoiceSource choices(i);
    ChoiceSource same(i);
    const auto child = engine.Mutate(parent, nullptr, choices);
    const auto other = without.Mutate(parent, nullptr, same);
    if (other.has_value()) {
      for (const std::string& feature : other->test_case.features()) {
        would += options.disabled_features.contains(feature) ? 1 : 0;
      }
    }
    if (!child.has_value()) continue;
    for (const std::string& feature : child->test_case.features()) {
      EXPECT_FALSE(options.disabled_features.contains(feature)) << feature;
    }
  }
  EXPECT_GT(would, 5) << "the test shows nothing";
}

TEST(MutatorYieldTest, WeightsFollowTheYieldWithinBounds) {
  MutatorYield yield;
  const int before = yield.Weight(0);
  EXPECT_EQ(before, Mutators()[0]->Weight() * 64);
  for (size_t i = 0; i < 4; ++i) yield.counts(i).tried = 2'000;
  for (int i = 0; i < 200; ++i) yield.Learn({0}, true);
  yield.Learn({1}, true);
  EXPECT_GT(yield.Weight(0), 2 * before);
  EXPECT_LE(yield.Weight(0), 8 * before);
  EXPECT_LT(yield.Weight(2), Mutators()[2]->Weight() * 64);
  EXPECT_GE(yield.Weight(2), Mutators()[2]->Weight() * 8);
  EXPECT_THAT(yield.ToText(), HasSubstr(std::string(Mutators()[0]->Name())));
  MutatorYield fixed(false);
  fixed.counts(0).tried = 100;
  fixed.Learn({0}, true);
  EXPECT_EQ(fixed.Weight(0), before);
}

}  // namespace
}  // namespace irate
