#include "execution/child_process.h"

#include <errno.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "execution/unique_fd.h"

namespace irate {

bool WaitForEnd(pid_t child, std::chrono::milliseconds time) {
  using Clock = std::chrono::steady_clock;
  // By number: the wrapper of glibc 2.36 cannot be linked from C++.
  const UniqueFd process(static_cast<int>(syscall(SYS_pidfd_open, child, 0)));
  if (!process.valid()) return errno == ESRCH;
  const Clock::time_point deadline = Clock::now() + time;
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    pollfd entry{process.get(), POLLIN, 0};
    const int ready = poll(&entry, 1, static_cast<int>(std::max<int64_t>(left.count(), 0)));
    if (ready >= 0 || errno != EINTR) return ready > 0;
  }
}

}  // namespace irate
