// What /proc tells about another process. The files are opened once, so that a probe keeps meaning
// the same process even if its id is used again.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>

#include "execution/unique_fd.h"

namespace irate {

class ProcessProbe {
 public:
  ProcessProbe() = default;
  explicit ProcessProbe(pid_t pid);

  // Resident bytes that are the process's own: no file, no shared memory. 0 if it cannot be read
  // (the process is gone, or /proc is not there).
  uint64_t AnonymousBytes() const;
  // Processor time of its first thread. 0 if the kernel does not tell.
  std::chrono::nanoseconds Running() const;
  // How long its first thread has been ready to run while the machine ran others. 0 if the kernel
  // does not tell.
  std::chrono::nanoseconds Starved() const;

 private:
  UniqueFd statm_;
  UniqueFd schedstat_;
};

}  // namespace irate
