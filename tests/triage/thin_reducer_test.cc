#include "triage/thin_reducer.h"

#include <random>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/verify.h"
#include "ir/visit.h"
#include "tests/triage/programs.h"
#include "triage/edits.h"
#include "triage/finding_store.h"

namespace irate {
namespace {

using ::irate::testing::RichCase;

int CountOps(const Case& test_case, Op op) {
  int count = 0;
  VisitExprs(test_case.module().functions(0), [&](const Expr& expr) { count += expr.op() == op; });
  return count;
}

bool HasFloorDiv(const Case& test_case) { return CountOps(test_case, FLOOR_DIV) > 0; }

TEST(ThinReducerTest, LeavesOnlyWhatTheFindingNeeds) {
  const Case original = RichCase();
  ASSERT_TRUE(VerifyCase(original).ok()) << VerifyCase(original);
  const absl::StatusOr<ReduceResult> result =
      ThinReduce(original, [](const Case& candidate) { return HasFloorDiv(candidate); });
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result->finished);
  EXPECT_TRUE(VerifyCase(result->reduced).ok()) << VerifyCase(result->reduced);
  EXPECT_TRUE(HasFloorDiv(result->reduced));
  const Function& left = result->reduced.module().functions(0);
  // A statement with a division of constants; nothing names a variable or a parameter.
  EXPECT_EQ(left.body_size(), 1);
  EXPECT_EQ(left.variables_size(), left.body(0).kind() == BIND ? 1 : 0);
  EXPECT_EQ(CountOps(result->reduced, LOAD), 0);
  EXPECT_EQ(CountOps(result->reduced, MUL), 0);
  EXPECT_LT(CaseSize(result->reduced), CaseSize(original) / 4);
}

TEST(ThinReducerTest, IsDeterministic) {
  const auto keeps = [](const Case& candidate) { return HasFloorDiv(candidate); };
  EXPECT_EQ(ThinReduce(RichCase(), keeps)->reduced.SerializeAsString(),
            ThinReduce(RichCase(), keeps)->reduced.SerializeAsString());
}

TEST(ThinReducerTest, APredicateThatIsAlwaysTrueEndsWithAVerifiedCase) {
  const absl::StatusOr<ReduceResult> result =
      ThinReduce(RichCase(), [](const Case&) { return true; });
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(result->finished);
  EXPECT_TRUE(VerifyCase(result->reduced).ok());
  EXPECT_EQ(result->reduced.module().functions(0).body_size(), 0);
}

TEST(ThinReducerTest, APredicateThatIsNeverTrueKeepsTheOriginal) {
  const absl::StatusOr<ReduceResult> result =
      ThinReduce(RichCase(), [](const Case&) { return false; });
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->accepted, 0);
  EXPECT_EQ(result->reduced.SerializeAsString(), RichCase().SerializeAsString());
}

TEST(ThinReducerTest, PredicatesThatLieAtRandomOrOnceLeaveAVerifiedCase) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    const absl::StatusOr<ReduceResult> result =
        ThinReduce(RichCase(), [&](const Case&) { return random() % 3 == 0; });
    ASSERT_TRUE(result.ok());
    EXPECT_TRUE(VerifyCase(result->reduced).ok()) << seed;
  }
  bool said = false;
  const absl::StatusOr<ReduceResult> once =
      ThinReduce(RichCase(), [&](const Case&) { return !std::exchange(said, true); });
  ASSERT_TRUE(once.ok());
  EXPECT_EQ(once->accepted, 1);
}

TEST(ThinReducerTest, AsksOnlyAboutSmallerVerifiedCases) {
  int64_t weight = Weight(RichCase());
  const absl::StatusOr<ReduceResult> result = ThinReduce(RichCase(), [&](const Case& candidate) {
    EXPECT_TRUE(VerifyCase(candidate).ok()) << VerifyCase(candidate);
    EXPECT_LT(Weight(candidate), weight);
    const bool keep = HasFloorDiv(candidate);
    if (keep) weight = Weight(candidate);
    return keep;
  });
  EXPECT_TRUE(result.ok());
}

TEST(ThinReducerTest, StaysWithinItsBudget) {
  ReduceOptions few;
  few.tests = 7;
  absl::StatusOr<ReduceResult> result =
      ThinReduce(RichCase(), [](const Case& c) { return HasFloorDiv(c); }, few);
  EXPECT_EQ(result->tests, 7);
  EXPECT_FALSE(result->finished);

  ReduceOptions stopped;
  stopped.stop = [] { return true; };
  result = ThinReduce(RichCase(), [](const Case&) { return true; }, stopped);
  EXPECT_EQ(result->tests, 0);

  ReduceOptions no_time;
  no_time.time = std::chrono::milliseconds(0);
  EXPECT_EQ(ThinReduce(RichCase(), [](const Case&) { return true; }, no_time)->tests, 0);
}

TEST(ThinReducerTest, AnErrorOfThePredicateIsReturned) {
  const absl::StatusOr<ReduceResult> result = ThinReduce(
      RichCase(),
      [](const Case&) -> absl::StatusOr<bool> { return absl::UnavailableError("no worker"); });
  EXPECT_TRUE(absl::IsUnavailable(result.status()));
}

TEST(ThinReducerTest, DropsPassesOfAnExplicitSequenceOnly) {
  Case test_case = RichCase();
  for (const char* name : {"a", "b", "c"}) test_case.mutable_passes()->add_steps()->set_name(name);
  const auto keeps = [](const Case& candidate) {
    for (const PassStep& step : candidate.passes().steps()) {
      if (step.name() == "b") return true;
    }
    return false;
  };
  const absl::StatusOr<ReduceResult> result = ThinReduce(test_case, keeps);
  ASSERT_EQ(result->reduced.passes().steps_size(), 1);
  EXPECT_EQ(result->reduced.passes().steps(0).name(), "b");
}

}  // namespace
}  // namespace irate
