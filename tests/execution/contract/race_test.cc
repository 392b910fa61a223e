#include "execution/contract/race.h"

#include "execution/contract/task.h"
#include "gtest/gtest.h"

namespace irate::contract {
namespace {

class Race : public ::testing::Test {
 protected:
  void TearDown() override { current_task = {}; }
  std::optional<RaceConflict> By(int task, uintptr_t address, size_t size, bool write,
                                 uint32_t interval = 0, uint32_t launch = 1) {
    current_task = {launch, task, interval, 0x9000, 0xA000};
    return detector_.Access(address, size, write);
  }
  RaceDetector detector_;
};

TEST_F(Race, WriteAfterWriteAndReadAfterWrite) {
  EXPECT_FALSE(By(0, 0x1000, 4, true));
  const auto write = By(1, 0x1002, 4, true);
  ASSERT_TRUE(write);
  EXPECT_EQ(write->address, 0x1002u);
  EXPECT_EQ(write->other_task, 0);
  EXPECT_TRUE(write->other_wrote);
  EXPECT_TRUE(By(2, 0x1000, 1, false));
}

TEST_F(Race, WriteAfterRead) {
  EXPECT_FALSE(By(0, 0x1000, 4, false));
  EXPECT_FALSE(By(1, 0x1000, 4, false));
  const auto write = By(2, 0x1003, 1, true);
  ASSERT_TRUE(write);
  EXPECT_FALSE(write->other_wrote);
  EXPECT_EQ(write->other_task, -1);  // more than one
}

TEST_F(Race, NeighbouringBytesAreNone) {
  EXPECT_FALSE(By(0, 0x1000, 1, true));
  EXPECT_FALSE(By(1, 0x1001, 1, true));
}

TEST_F(Race, OneTaskMayDoAnything) {
  EXPECT_FALSE(By(0, 0x1000, 8, true));
  EXPECT_FALSE(By(0, 0x1000, 8, false));
  EXPECT_FALSE(By(0, 0x1004, 8, true));
}

TEST_F(Race, BarriersAndLaunchesSeparate) {
  EXPECT_FALSE(By(0, 0x1000, 4, true));
  EXPECT_FALSE(By(1, 0x1000, 4, true, /*interval=*/1));
  EXPECT_FALSE(By(2, 0x1000, 4, true, /*interval=*/0, /*launch=*/2));
}

TEST_F(Race, AcrossPages) {
  EXPECT_FALSE(By(0, 0x2000, 4, true));
  const auto conflict = By(1, 0x1FFE, 4, true);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->address, 0x2000u);
}

TEST_F(Race, TheTasksOwnStackAndCodeOutsideOfTasksAreLeftOut) {
  EXPECT_FALSE(By(0, 0x9100, 4, true));
  EXPECT_FALSE(By(1, 0x9100, 4, true));
  EXPECT_FALSE(By(0, 0x3000, 4, true));
  current_task = {};
  EXPECT_FALSE(detector_.Access(0x3000, 4, true));
}

TEST_F(Race, ResetForgets) {
  EXPECT_FALSE(By(0, 0x1000, 4, true));
  detector_.Reset();
  EXPECT_FALSE(By(1, 0x1000, 4, true));
}

}  // namespace
}  // namespace irate::contract
