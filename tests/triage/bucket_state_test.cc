#include "triage/bucket_state.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "triage/version_order.h"

namespace irate {
namespace {

constexpr char kNow[] = "2026-01-31T12:00:00Z";

TEST(VersionOrderTest, OrdersAsPyPIDoes) {
  const char* const ascending[] = {"0.9",    "0.10.0",       "0.27.dev3", "0.27.0a1", "0.27.0rc2",
                                   "0.27.0", "0.27.0.post1", "0.27.1",    "1.0"};
  for (size_t i = 0; i + 1 < std::size(ascending); ++i) {
    EXPECT_TRUE(CompareVersions(ascending[i], ascending[i + 1]) < 0) << ascending[i];
    EXPECT_TRUE(CompareVersions(ascending[i + 1], ascending[i]) > 0) << ascending[i];
  }
  EXPECT_TRUE(CompareVersions("0.27", "0.27.0") == 0);
  EXPECT_TRUE(CompareVersions("v0.27.0", "0.27.0+cpu") == 0);
}

TEST(BucketStateTest, MutesItselfOnANewerCompilerAndWakesWhenItFailsThereAgain) {
  BucketLife life;
  ApplySighting("0.26.0", kNow, &life);
  EXPECT_EQ(life.state, BucketState::kNew);
  ApplyPass("0.27.0", kNow, &life);
  EXPECT_EQ(life.state, BucketState::kFixed);
  ApplySighting("0.26.0", kNow, &life);
  EXPECT_EQ(life.state, BucketState::kFixed) << "an older compiler has it still";
  ApplySighting("0.28.0", kNow, &life);
  EXPECT_EQ(life.state, BucketState::kRegressed);
  ASSERT_EQ(life.history.size(), 2U);
  EXPECT_EQ(life.history[0].what, "fixed");
  EXPECT_EQ(life.history[0].detail, "0.27.0");
  EXPECT_EQ(life.history[1].what, "regressed");
}

TEST(BucketStateTest, FailingAgainOnTheVersionThatPassedIsARegression) {
  BucketLife life;
  ApplySighting("0.26.0", kNow, &life);
  ApplyPass("0.27.0", kNow, &life);
  ApplySighting("0.27.0", kNow, &life);
  EXPECT_EQ(life.state, BucketState::kRegressed);
}

TEST(BucketStateTest, PassingOnAnOlderCompilerSaysWhereItBegan) {
  BucketLife life;
  ApplySighting("0.27.0", kNow, &life);
  ApplyPass("0.25.0", kNow, &life);
  EXPECT_EQ(life.state, BucketState::kNew);
  EXPECT_EQ(OldestFailing(life), "0.27.0");
  EXPECT_EQ(NewestFailing(life), "0.27.0");
  EXPECT_FALSE(life.verdicts.at("0.25.0").fails);
}

TEST(BucketStateTest, AMuteNeedsAReasonAndOutlivesSightings) {
  BucketLife life;
  ApplySighting("0.27.0", kNow, &life);
  EXPECT_TRUE(absl::IsInvalidArgument(ApplyMute("", kNow, &life)));
  EXPECT_TRUE(absl::IsFailedPrecondition(ApplyUnmute(kNow, &life)));
  ASSERT_TRUE(ApplyMute("reported as #1", kNow, &life).ok());
  ApplySighting("0.27.0", kNow, &life);
  EXPECT_EQ(life.state, BucketState::kMuted);
  EXPECT_EQ(life.mute_reason, "reported as #1");
  ASSERT_TRUE(ApplyUnmute(kNow, &life).ok());
  EXPECT_EQ(life.state, BucketState::kNew);
  EXPECT_EQ(life.mute_reason, "");
}

TEST(BucketStateTest, NamesAndStatesAreOneToOne) {
  for (const BucketState state : {BucketState::kNew, BucketState::kKnown, BucketState::kMuted,
                                  BucketState::kFixed, BucketState::kRegressed}) {
    EXPECT_EQ(*ParseBucketState(BucketStateName(state)), state);
  }
  EXPECT_FALSE(ParseBucketState("gone").ok());
}

}  // namespace
}  // namespace irate
