#include "bench/triage/pair_scores.h"

#include "gtest/gtest.h"

namespace irate {
namespace {

TEST(PairScoresTest, NothingIsPerfect) {
  EXPECT_EQ(ScorePairs({}).Precision(), 1);
  EXPECT_EQ(ScorePairs({{"a", "x"}}).Recall(), 1);
}

TEST(PairScoresTest, CountsPairs) {
  // Truth a: two in x, one in y. Truth b: one in x.
  const PairScores scores = ScorePairs({{"a", "x"}, {"a", "x"}, {"a", "y"}, {"b", "x"}});
  EXPECT_EQ(scores.both, 1u);
  EXPECT_EQ(scores.same_truth, 3u);
  EXPECT_EQ(scores.same_group, 3u);
  EXPECT_DOUBLE_EQ(scores.Precision(), 1.0 / 3);
  EXPECT_DOUBLE_EQ(scores.Recall(), 1.0 / 3);
}

TEST(PairScoresTest, OneGroupForAllHasFullRecallAndOneForEachFullPrecision) {
  const PairScores one = ScorePairs({{"a", "x"}, {"a", "x"}, {"b", "x"}, {"b", "x"}});
  EXPECT_EQ(one.Recall(), 1);
  EXPECT_DOUBLE_EQ(one.Precision(), 1.0 / 3);
  const PairScores each = ScorePairs({{"a", "1"}, {"a", "2"}, {"b", "3"}, {"b", "4"}});
  EXPECT_EQ(each.Recall(), 0);
  EXPECT_EQ(each.Precision(), 1);
}

}  // namespace
}  // namespace irate
