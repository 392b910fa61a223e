#include "fuzzers/deferred_writes.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace irate {
namespace {

using ::testing::HasSubstr;

TEST(DeferredWritesTest, AreDoneInOrderAndOnce) {
  DeferredWrites writes;
  std::string done;
  bool full = true;
  for (const char name : {'a', 'b', 'c'}) {
    const auto write = [&done, &full, name] {
      if (full && name != 'a') return absl::UnavailableError("disk full");
      done += name;
      return absl::OkStatus();
    };
    ASSERT_TRUE(writes.Add(write, absl::UnavailableError("at first")).ok());
  }
  EXPECT_THAT(std::string(writes.Unwritten().message()), HasSubstr("at first"));
  writes.TryAgain();
  EXPECT_EQ(done, "a");
  EXPECT_THAT(std::string(writes.Unwritten().message()), HasSubstr("2 writes"));
  EXPECT_THAT(std::string(writes.Unwritten().message()), HasSubstr("disk full"));
  full = false;
  writes.TryAgain();
  writes.TryAgain();
  EXPECT_EQ(done, "abc");
  EXPECT_TRUE(writes.Unwritten().ok());
}

TEST(DeferredWritesTest, AreBounded) {
  DeferredWrites writes;
  const auto write = [] { return absl::UnavailableError("disk full"); };
  for (size_t i = 0; i < DeferredWrites::kMaxWaiting; ++i) {
    ASSERT_TRUE(writes.Add(write, absl::UnavailableError("disk full")).ok());
  }
  const absl::Status status = writes.Add(write, absl::UnavailableError("disk full"));
  EXPECT_TRUE(absl::IsResourceExhausted(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("disk full"));
}

}  // namespace
}  // namespace irate
