#include "execution/watch.h"

#include <errno.h>
#include <poll.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace irate {

absl::Status Watch::Look() {
  next_look_ = Clock::now() + kTick;
  if (probe_ == nullptr) return absl::OkStatus();
  if (!starved_.has_value()) starved_ = probe_->Starved();
  if (memory_limit_ != 0 && probe_->AnonymousBytes() > memory_limit_) {
    return absl::ResourceExhaustedError(
        absl::StrCat("the process grew beyond its limit of ", memory_limit_ >> 20, " MiB"));
  }
  return absl::OkStatus();
}

void Watch::ExtendDeadline() {
  if (probe_ == nullptr || !starved_.has_value()) return;
  const std::chrono::nanoseconds starved = probe_->Starved();
  deadline_ = std::min(deadline_ + (starved - std::exchange(*starved_, starved)), last_);
}

absl::Status Watch::operator()(int fd, short events) {
  using std::chrono::milliseconds;
  if (Clock::now() >= deadline_) ExtendDeadline();
  const auto left = std::chrono::ceil<milliseconds>(deadline_ - Clock::now());
  if (left <= milliseconds::zero()) return absl::DeadlineExceededError("no answer in time");
  pollfd entries[2] = {{fd, events, 0}, {log_closed_ ? -1 : log_->fd(), POLLIN, 0}};
  const int ready = poll(entries, 2, static_cast<int>(std::min(left, kTick).count()));
  if (ready < 0 && errno != EINTR) return absl::ErrnoToStatus(errno, "poll");
  if (ready > 0 && entries[1].revents != 0) {
    log_->Drain();
    log_closed_ = (entries[1].revents & POLLIN) == 0;
  }
  return Clock::now() >= next_look_ ? Look() : absl::OkStatus();
}

}  // namespace irate
