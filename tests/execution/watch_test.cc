// Waiting for a process: its deadline, its memory, and what it prints meanwhile.
#include "execution/watch.h"

#include <poll.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "execution/channel.h"
#include "execution/log_tail.h"
#include "execution/process_probe.h"
#include "execution/protocol.pb.h"
#include "gtest/gtest.h"

namespace irate {
namespace {

using std::chrono::milliseconds;

class WatchTest : public testing::Test {
 protected:
  WatchTest() : WatchTest(*LogTail::Create()) {}
  explicit WatchTest(std::pair<LogTail, UniqueFd> log)
      : log_(std::move(log.first)), writer_(std::move(log.second)), ends_(*Channel::SocketPair()) {}

  absl::Status WaitForMessage(Watch watch) {
    Channel channel(std::move(ends_.first));
    Reply reply;
    return channel.Receive(&reply, std::ref(watch));
  }
  void Print(const std::string& text) {
    ASSERT_EQ(write(writer_.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }

  LogTail log_;
  UniqueFd writer_;
  std::pair<UniqueFd, UniqueFd> ends_;
};

TEST_F(WatchTest, Deadline) {
  const auto start = std::chrono::steady_clock::now();
  const absl::Status status = WaitForMessage(Watch(&log_, milliseconds(70)));
  EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
  EXPECT_GE(std::chrono::steady_clock::now() - start, milliseconds(70));
}

TEST_F(WatchTest, DeadlineOfAProcessIsExtendedFourTimesAtMost) {
  const ProcessProbe self(getpid());
  Watch watch(&log_, milliseconds(50));
  watch.Observe(&self, 0);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(absl::IsDeadlineExceeded(WaitForMessage(watch)));
  EXPECT_GE(std::chrono::steady_clock::now() - start, milliseconds(50));
  EXPECT_LT(std::chrono::steady_clock::now() - start, milliseconds(5'000));
}

// A process that prints all the time is looked at nevertheless.
TEST_F(WatchTest, MemoryOfAChattyProcess) {
  std::atomic<bool> stop = false;
  std::thread chatter([&] {
    const std::string text(1'000, 'x');
    while (!stop && write(writer_.get(), text.data(), text.size()) > 0) {
    }
  });
  const ProcessProbe self(getpid());
  Watch watch(&log_, milliseconds(20'000));
  watch.Observe(&self, /*memory_limit=*/1);
  const absl::Status status = WaitForMessage(watch);
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
  stop = true;
  log_.Drain();
  chatter.join();
}

// A log that nobody writes to any more must not turn the wait into a busy loop.
TEST_F(WatchTest, ClosedLog) {
  writer_.reset();
  Watch watch(&log_, milliseconds(200));
  int calls = 0;
  Channel channel(std::move(ends_.first));
  Reply reply;
  const absl::Status status = channel.Receive(&reply, [&](int fd, short events) {
    ++calls;
    return watch(fd, events);
  });
  EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
  EXPECT_LT(calls, 30);
}

TEST_F(WatchTest, LogKeepsTheEnd) {
  for (int i = 0; i < 10'000; ++i) {
    Print("line " + std::to_string(i) + "\n");
    if (i % 1'000 == 999) log_.Drain();
  }
  EXPECT_EQ(log_.text().size(), kLogTailBytes);
  EXPECT_TRUE(log_.text().ends_with("line 9998\nline 9999\n"));
  log_.Clear();
  EXPECT_EQ(log_.text(), "");
}

TEST(ProcessProbeTest, SeesMemoryGrow) {
  const ProcessProbe self(getpid());
  const uint64_t before = self.AnonymousBytes();
  EXPECT_GT(before, 0u);
  const std::vector<char> block(size_t{64} << 20, 'x');
  EXPECT_GE(self.AnonymousBytes(), before + (uint64_t{60} << 20)) << block.back();
}

TEST(ProcessProbeTest, NoProcess) {
  const ProcessProbe nobody(0x7ffffff0);
  EXPECT_EQ(nobody.AnonymousBytes(), 0u);
  EXPECT_EQ(nobody.Starved(), std::chrono::nanoseconds(0));
}

}  // namespace
}  // namespace irate
