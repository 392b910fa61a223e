#include "execution/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "absl/strings/str_cat.h"

namespace irate {

ProcessMemory::ProcessMemory(int pid)
    : statm_(open(absl::StrCat("/proc/", pid, "/statm").c_str(), O_RDONLY | O_CLOEXEC)) {}

uint64_t ProcessMemory::AnonymousBytes() const {
  char text[128];
  const ssize_t size = pread(statm_.get(), text, sizeof(text) - 1, 0);
  if (size <= 0) return 0;
  text[size] = '\0';
  // Pages: total, resident, resident and backed by a file or shared.
  char* next = nullptr;
  std::strtoull(text, &next, 10);
  const uint64_t resident = std::strtoull(next, &next, 10);
  const uint64_t shared = std::strtoull(next, &next, 10);
  static const auto page_bytes = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return resident < shared ? 0 : (resident - shared) * page_bytes;
}

absl::Status Watch::operator()(int fd, short events) {
  using std::chrono::milliseconds;
  const auto left = std::chrono::ceil<milliseconds>(deadline_ - Clock::now());
  if (left <= milliseconds::zero()) return absl::DeadlineExceededError("no answer in time");
  if (memory_ != nullptr) {
    const uint64_t bytes = memory_->AnonymousBytes();
    if (bytes > memory_limit_) {
      return absl::ResourceExhaustedError(
          absl::StrCat("the process grew beyond its limit of ", memory_limit_ >> 20, " MiB"));
    }
  }
  pollfd entries[2] = {{fd, events, 0}, {log_closed_ ? -1 : log_->fd(), POLLIN, 0}};
  const int ready = poll(entries, 2, static_cast<int>(std::min(left, kTick).count()));
  if (ready < 0 && errno != EINTR) return absl::ErrnoToStatus(errno, "poll");
  if (ready > 0 && entries[1].revents != 0) {
    log_->Drain();
    log_closed_ = (entries[1].revents & POLLIN) == 0;
  }
  return absl::OkStatus();
}

}  // namespace irate
