// Framing: what one end sends the other receives, and what is no message is refused.
#include "execution/channel.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <utility>

#include "execution/protocol.h"
#include "execution/protocol.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/builder.h"
#include "ir/verify.h"

namespace irate {
namespace {

using testing::HasSubstr;

class ChannelTest : public testing::Test {
 protected:
  ChannelTest() : ChannelTest(*Channel::SocketPair()) {}
  explicit ChannelTest(std::pair<UniqueFd, UniqueFd> ends)
      : near_(std::move(ends.first)), far_(std::move(ends.second)) {}

  void SendRaw(std::string_view bytes) {
    ASSERT_EQ(send(near_.fd(), bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
  }

  Channel near_;
  Channel far_;
};

TEST_F(ChannelTest, MessagesArriveInOrderAndWhole) {
  for (uint64_t i = 0; i < 100; ++i) {
    Request request;
    request.set_sequence(i);
    request.mutable_fault();
    ASSERT_TRUE(near_.Send(request).ok());
  }
  for (uint64_t i = 0; i < 100; ++i) {
    Request request;
    ASSERT_TRUE(far_.Receive(&request).ok());
    EXPECT_EQ(request.sequence(), i);
    EXPECT_TRUE(request.has_fault());
  }
}

TEST_F(ChannelTest, MessageLargerThanTheSocketBuffer) {
  Reply sent;
  sent.set_sequence(1);
  sent.set_text(std::string(30'000'000, 'x'));
  std::thread sender([&] { EXPECT_TRUE(near_.Send(sent).ok()); });
  Reply received;
  EXPECT_TRUE(far_.Receive(&received).ok());
  sender.join();
  EXPECT_EQ(received.SerializeAsString(), sent.SerializeAsString());
}

TEST_F(ChannelTest, EmptyMessage) {
  ASSERT_TRUE(near_.Send(Reply()).ok());
  Reply received;
  EXPECT_TRUE(far_.Receive(&received).ok());
  EXPECT_EQ(received.ByteSizeLong(), 0u);
}

TEST_F(ChannelTest, NestingOfTheDeepestValidModulePasses) {
  Expr expr = build::I32Const(0);
  for (int depth = 0; depth < kMaxDepth - 2; ++depth) {
    expr = build::Binary(ADD, std::move(expr), build::I32Const(1));
  }
  Request request;
  Function* function =
      request.mutable_run()->mutable_test_case()->mutable_module()->add_functions();
  *function->add_body() = build::Evaluate(std::move(expr));
  ASSERT_TRUE(near_.Send(request).ok());
  Request received;
  ASSERT_TRUE(far_.Receive(&received).ok());
  EXPECT_EQ(received.SerializeAsString(), request.SerializeAsString());
}

TEST_F(ChannelTest, DescriptorsTravel) {
  int pipe_fds[2];
  ASSERT_EQ(pipe(pipe_fds), 0);
  const int fds[] = {pipe_fds[1]};
  ASSERT_TRUE(near_.Send(Reply(), Channel::WaitForever, fds).ok());
  close(pipe_fds[1]);
  Reply reply;
  ASSERT_TRUE(far_.Receive(&reply).ok());
  std::vector<UniqueFd> received = far_.TakeFds();
  ASSERT_EQ(received.size(), 1u);
  EXPECT_NE(fcntl(received[0].get(), F_GETFD) & FD_CLOEXEC, 0);
  ASSERT_EQ(write(received[0].get(), "!", 1), 1);
  char byte = 0;
  EXPECT_EQ(read(pipe_fds[0], &byte, 1), 1);
  EXPECT_EQ(byte, '!');
  close(pipe_fds[0]);
}

TEST_F(ChannelTest, ClosedSocket) {
  near_ = Channel(UniqueFd());
  Reply reply;
  EXPECT_TRUE(absl::IsUnavailable(far_.Receive(&reply)));
  EXPECT_TRUE(absl::IsUnavailable(far_.Send(reply)));
}

TEST_F(ChannelTest, ClosedWithinAMessage) {
  SendRaw(std::string_view("\x10\0\0\0half", 8));
  near_ = Channel(UniqueFd());
  Reply reply;
  const absl::Status status = far_.Receive(&reply);
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("8 bytes of an unfinished message"));
}

TEST_F(ChannelTest, ImpossibleLengthIsRefusedAtOnce) {
  SendRaw("\xff\xff\xff\xff");
  Reply reply;
  const absl::Status status = far_.Receive(&reply);
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("4294967295"));
}

TEST_F(ChannelTest, BytesThatAreNoMessage) {
  SendRaw(std::string_view("\x04\0\0\0\xff\xff\xff\xff", 8));
  Reply reply;
  const absl::Status status = far_.Receive(&reply);
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("irate.Reply"));
}

TEST_F(ChannelTest, TheWaitDecidesWhenToStop) {
  int calls = 0;
  Reply reply;
  const absl::Status status = far_.Receive(&reply, [&](int, short events) {
    EXPECT_EQ(events, POLLIN);
    return ++calls < 3 ? absl::OkStatus() : absl::CancelledError("enough");
  });
  EXPECT_TRUE(absl::IsCancelled(status)) << status;
  EXPECT_EQ(calls, 3);
}

TEST_F(ChannelTest, SendingToAPeerThatDoesNotReadWaits) {
  Reply large;
  large.set_text(std::string(10'000'000, 'x'));
  const absl::Status status = near_.Send(large, [](int, short events) {
    EXPECT_EQ(events, POLLOUT);
    return absl::DeadlineExceededError("late");
  });
  EXPECT_TRUE(absl::IsDeadlineExceeded(status)) << status;
}

}  // namespace
}  // namespace irate
