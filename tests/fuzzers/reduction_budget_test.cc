#include "fuzzers/reduction_budget.h"

#include "gtest/gtest.h"

namespace irate {
namespace {

TEST(ReductionBudgetTest, TheFirstSightingsOfAKindAreAlwaysReduced) {
  ReductionBudget budget(2, 0.25);
  EXPECT_TRUE(budget.ShouldReduce("a", 1, 100));
  EXPECT_TRUE(budget.ShouldReduce("a", 1, 100));
  EXPECT_FALSE(budget.ShouldReduce("a", 1, 100));
  EXPECT_TRUE(budget.ShouldReduce("b", 1, 100));
}

TEST(ReductionBudgetTest, LaterOnesWithinTheShareOfTheTime) {
  ReductionBudget budget(0, 0.25);
  EXPECT_TRUE(budget.ShouldReduce("a", 100, 24));
  EXPECT_FALSE(budget.ShouldReduce("a", 100, 25));
}

TEST(ReductionBudgetTest, KnowsWhichKindsHadOneReducedForm) {
  ReductionBudget budget(1, 0.25);
  EXPECT_EQ(budget.OnlySignature("a"), "");
  budget.Learn("a", "a-select");
  budget.Learn("a", "a-select");
  EXPECT_EQ(budget.OnlySignature("a"), "a-select");
  budget.Learn("a", "a-floordiv");
  EXPECT_EQ(budget.OnlySignature("a"), "");
}

}  // namespace
}  // namespace irate
