// Length-prefixed protobuf messages over one end of a stream socket pair.
//
// A Channel never blocks inside a system call other than the wait that its caller supplies, so the
// caller decides about deadlines and what else to watch meanwhile.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "execution/unique_fd.h"
#include "google/protobuf/message_lite.h"

namespace irate {

class Channel {
 public:
  // Called when the socket is not ready; `events` is POLLIN or POLLOUT. Returns OK to try again;
  // any error ends the operation with that error.
  using Wait = std::function<absl::Status(int fd, short events)>;

  explicit Channel(UniqueFd fd) : fd_(std::move(fd)) {}

  // Both ends of a new socket pair, closed on exec.
  static absl::StatusOr<std::pair<UniqueFd, UniqueFd>> SocketPair();
  // Waits for as long as it takes.
  static absl::Status WaitForever(int fd, short events);

  int fd() const { return fd_.get(); }

  // `fds` travel with the message (SCM_RIGHTS). Errors: Unavailable (the peer is gone),
  // OutOfRange (the message is larger than kMaxMessageBytes), those of `wait`.
  absl::Status Send(const google::protobuf::MessageLite& message, const Wait& wait = WaitForever,
                    std::span<const int> fds = {});

  // Errors: Unavailable (the peer closed the socket between messages), DataLoss (it closed the
  // socket within a message, the length is impossible, or the bytes are no such message), those of
  // `wait`. After an error other than the peer's absence the stream is out of step: give it up.
  absl::Status Receive(google::protobuf::MessageLite* message, const Wait& wait = WaitForever);

  // Descriptors that came with the messages so far.
  std::vector<UniqueFd> TakeFds() { return std::exchange(received_fds_, {}); }

 private:
  // Reads until the buffer holds `size` bytes.
  absl::Status Fill(size_t size, const Wait& wait);
  // One read of at most `size` bytes: appended to the buffer.
  absl::StatusOr<bool> ReadSome(size_t size);

  UniqueFd fd_;
  std::string send_buffer_;
  std::string receive_buffer_;
  size_t received_ = 0;  // bytes of receive_buffer_ that are filled
  std::vector<UniqueFd> received_fds_;
};

}  // namespace irate
