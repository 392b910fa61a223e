#include "execution/channel.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "execution/protocol.h"
#include "ir/status_macros.h"
#include "ir/wire.h"

namespace irate {
namespace {

constexpr size_t kHeaderBytes = 4;
constexpr size_t kReadBytes = size_t{64} << 10;
constexpr size_t kMaxFds = 4;
// A buffer that one huge message made larger than this is given back.
constexpr size_t kKeptBufferBytes = size_t{4} << 20;

uint32_t DecodeLength(const char* bytes) {
  uint32_t length = 0;
  for (size_t i = 0; i < kHeaderBytes; ++i) {
    length |= uint32_t{static_cast<uint8_t>(bytes[i])} << (8 * i);
  }
  return length;
}

bool PeerGone(int error) { return error == EPIPE || error == ECONNRESET; }

void AttachFds(std::span<const int> fds, std::span<char> control, msghdr* header) {
  if (fds.empty()) return;
  header->msg_control = control.data();
  header->msg_controllen = CMSG_SPACE(fds.size_bytes());
  cmsghdr* entry = CMSG_FIRSTHDR(header);
  entry->cmsg_level = SOL_SOCKET;
  entry->cmsg_type = SCM_RIGHTS;
  entry->cmsg_len = CMSG_LEN(fds.size_bytes());
  std::memcpy(CMSG_DATA(entry), fds.data(), fds.size_bytes());
}

void DetachFds(msghdr* header, std::vector<UniqueFd>* fds) {
  for (cmsghdr* entry = CMSG_FIRSTHDR(header); entry != nullptr;
       entry = CMSG_NXTHDR(header, entry)) {
    if (entry->cmsg_level != SOL_SOCKET || entry->cmsg_type != SCM_RIGHTS) continue;
    const size_t count = (entry->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(entry) + i * sizeof(int), sizeof(int));
      fds->emplace_back(fd);
    }
  }
}

}  // namespace

absl::StatusOr<std::pair<UniqueFd, UniqueFd>> Channel::SocketPair() {
  int fds[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds) != 0) {
    return absl::ErrnoToStatus(errno, "cannot create a socket pair for a worker");
  }
  return std::make_pair(UniqueFd(fds[0]), UniqueFd(fds[1]));
}

absl::Status Channel::WaitForever(int fd, short events) {
  pollfd entry{fd, events, 0};
  if (poll(&entry, 1, -1) < 0 && errno != EINTR) return absl::ErrnoToStatus(errno, "poll");
  return absl::OkStatus();
}

absl::Status Channel::Send(const google::protobuf::MessageLite& message, const Wait& wait,
                           std::span<const int> fds) {
  const size_t size = message.ByteSizeLong();
  if (size > kMaxMessageBytes) {
    return absl::OutOfRangeError(
        absl::StrCat("a message of ", size, " bytes is larger than the limit of ", kMaxMessageBytes,
                     " bytes between harness and worker"));
  }
  send_buffer_.resize(kHeaderBytes + size);
  for (size_t i = 0; i < kHeaderBytes; ++i) {
    send_buffer_[i] = static_cast<char>(size >> (8 * i));
  }
  message.SerializeWithCachedSizesToArray(
      reinterpret_cast<uint8_t*>(send_buffer_.data() + kHeaderBytes));

  alignas(cmsghdr) char control[CMSG_SPACE(kMaxFds * sizeof(int))] = {};
  for (size_t sent = 0; sent < send_buffer_.size();) {
    iovec part{send_buffer_.data() + sent, send_buffer_.size() - sent};
    msghdr header{};
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    if (sent == 0) AttachFds(fds, control, &header);
    const ssize_t count = sendmsg(fd_.get(), &header, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count >= 0) {
      sent += static_cast<size_t>(count);
    } else if (errno == EAGAIN) {
      IRATE_RETURN_IF_ERROR(wait(fd_.get(), POLLOUT));
    } else if (PeerGone(errno)) {
      return absl::UnavailableError("the other end of the socket is closed");
    } else if (errno != EINTR) {
      return absl::ErrnoToStatus(errno, "sendmsg");
    }
  }
  if (send_buffer_.capacity() > kKeptBufferBytes) std::string().swap(send_buffer_);
  return absl::OkStatus();
}

absl::StatusOr<bool> Channel::ReadSome(size_t size) {
  if (receive_buffer_.size() < received_ + size) receive_buffer_.resize(received_ + size);
  iovec part{receive_buffer_.data() + received_, size};
  alignas(cmsghdr) char control[CMSG_SPACE(kMaxFds * sizeof(int))];
  msghdr header{};
  header.msg_iov = &part;
  header.msg_iovlen = 1;
  header.msg_control = control;
  header.msg_controllen = sizeof(control);
  const ssize_t count = recvmsg(fd_.get(), &header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (count > 0) {
    DetachFds(&header, &received_fds_);
    received_ += static_cast<size_t>(count);
    return true;
  }
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (count < 0 && !PeerGone(errno)) return absl::ErrnoToStatus(errno, "recvmsg");
  if (received_ == 0) return absl::UnavailableError("the other end closed the socket");
  return absl::DataLossError(absl::StrCat("the other end closed the socket after ", received_,
                                          " bytes of an unfinished message"));
}

absl::Status Channel::Fill(size_t size, const Wait& wait) {
  while (received_ < size) {
    // No more than what has been sent is ever reserved twice over: the length may be a lie.
    const size_t missing = size - received_;
    IRATE_ASSIGN_OR_RETURN(
        const bool progress,
        ReadSome(std::clamp(missing, kReadBytes, std::max(kReadBytes, received_))));
    if (!progress) IRATE_RETURN_IF_ERROR(wait(fd_.get(), POLLIN));
  }
  return absl::OkStatus();
}

absl::Status Channel::Receive(google::protobuf::MessageLite* message, const Wait& wait) {
  IRATE_RETURN_IF_ERROR(Fill(kHeaderBytes, wait));
  const size_t length = DecodeLength(receive_buffer_.data());
  if (length > kMaxMessageBytes) {
    return absl::DataLossError(absl::StrCat("the other end announced a message of ", length,
                                            " bytes; the limit is ", kMaxMessageBytes));
  }
  IRATE_RETURN_IF_ERROR(Fill(kHeaderBytes + length, wait));
  const bool parsed = ParseMessage({receive_buffer_.data() + kHeaderBytes, length}, message);
  // What came after the message stays for the next call.
  received_ -= kHeaderBytes + length;
  receive_buffer_.erase(0, kHeaderBytes + length);
  if (receive_buffer_.capacity() > kKeptBufferBytes && received_ == 0) {
    std::string().swap(receive_buffer_);
  }
  if (!parsed) {
    return absl::DataLossError(
        absl::StrCat("a message of ", length, " bytes is not a valid ", message->GetTypeName()));
  }
  return absl::OkStatus();
}

}  // namespace irate
