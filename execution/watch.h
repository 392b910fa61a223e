// What the harness looks at while it waits for a worker.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "execution/log_tail.h"
#include "execution/process_probe.h"

namespace irate {

// A Channel::Wait with a deadline. Meanwhile it takes what the process prints and, if asked to,
// looks at the process every kTick: requests that are shorter pay nothing for it.
// Errors: DeadlineExceeded, ResourceExhausted (the memory).
class Watch {
 public:
  static constexpr std::chrono::milliseconds kTick{20};
  // A process that is starved gets its time nevertheless, but no more than this many times over.
  static constexpr int kMaxExtension = 4;

  Watch(LogTail* log, std::chrono::milliseconds time)
      : log_(log), deadline_(Clock::now() + time), last_(deadline_ + (kMaxExtension - 1) * time) {}

  // Time during which the machine ran others does not count for the deadline, and the process may
  // have at most `memory_limit` bytes (0: any number). `probe` must outlive the watch.
  void Observe(const ProcessProbe* probe, uint64_t memory_limit) {
    probe_ = probe;
    memory_limit_ = memory_limit;
  }
  absl::Status operator()(int fd, short events);

 private:
  using Clock = std::chrono::steady_clock;

  absl::Status Look();
  // Moves the deadline by the time that the process was starved since the last look.
  void ExtendDeadline();

  LogTail* log_;
  Clock::time_point deadline_;
  const Clock::time_point last_;
  Clock::time_point next_look_ = Clock::now() + kTick;
  bool log_closed_ = false;
  const ProcessProbe* probe_ = nullptr;
  uint64_t memory_limit_ = 0;
  std::optional<std::chrono::nanoseconds> starved_;  // at the last look
};

}  // namespace irate
