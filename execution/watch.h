// What the harness looks at while it waits for a worker.
#pragma once

#include <chrono>
#include <cstdint>

#include "absl/status/status.h"
#include "execution/log_tail.h"
#include "execution/unique_fd.h"

namespace irate {

// The memory of another process.
class ProcessMemory {
 public:
  ProcessMemory() = default;
  explicit ProcessMemory(int pid);
  // Resident bytes that are the process's own: no file, no shared memory. 0 if it cannot be read
  // (the process is gone, or /proc is not there).
  uint64_t AnonymousBytes() const;

 private:
  UniqueFd statm_;
};

// A Channel::Wait with a deadline. Meanwhile it takes what the process prints and, if asked to,
// looks at the process's memory every kTick: requests that are shorter pay nothing for it.
// Errors: DeadlineExceeded, ResourceExhausted (the size).
class Watch {
 public:
  static constexpr std::chrono::milliseconds kTick{20};

  Watch(LogTail* log, std::chrono::milliseconds time) : log_(log), deadline_(Clock::now() + time) {}

  // `memory` is watched and at most `bytes`; both must outlive the watch.
  void LimitMemory(const ProcessMemory* memory, uint64_t bytes) {
    memory_ = memory;
    memory_limit_ = bytes;
  }
  absl::Status operator()(int fd, short events);

 private:
  using Clock = std::chrono::steady_clock;

  LogTail* log_;
  Clock::time_point deadline_;
  bool log_closed_ = false;
  const ProcessMemory* memory_ = nullptr;
  uint64_t memory_limit_ = 0;
};

}  // namespace irate
