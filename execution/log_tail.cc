#include "execution/log_tail.h"

#include <errno.h>
#include <fcntl.h>

#include "absl/status/status.h"

namespace irate {

absl::StatusOr<std::pair<LogTail, UniqueFd>> LogTail::Create() {
  int fds[2];
  if (pipe2(fds, O_CLOEXEC) != 0) return absl::ErrnoToStatus(errno, "cannot create a pipe");
  UniqueFd read_end(fds[0]);
  UniqueFd write_end(fds[1]);
  // Only the reader: the process that writes must not see an error when the pipe is full.
  if (fcntl(read_end.get(), F_SETFL, O_NONBLOCK) != 0) {
    return absl::ErrnoToStatus(errno, "cannot make a pipe non-blocking");
  }
  return std::make_pair(LogTail(std::move(read_end)), std::move(write_end));
}

void LogTail::Drain() {
  char chunk[16384];
  ssize_t count = 0;
  while ((count = read(fd_.get(), chunk, sizeof(chunk))) > 0 || (count < 0 && errno == EINTR)) {
    if (count < 0) continue;
    text_.append(chunk, static_cast<size_t>(count));
    // Twice the size before cutting, so that a chatty process costs no quadratic copying.
    if (text_.size() > 2 * kLogTailBytes) text_.erase(0, text_.size() - kLogTailBytes);
  }
}

std::string_view LogTail::text() const {
  std::string_view tail = text_;
  if (tail.size() > kLogTailBytes) tail.remove_prefix(tail.size() - kLogTailBytes);
  return tail;
}

}  // namespace irate
