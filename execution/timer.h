// Elapsed time: on the wall, and of a processor.
#pragma once

#include <time.h>

#include <chrono>

namespace irate {

class Timer {
 public:
  double Ms() const {
    return std::chrono::duration<double, std::milli>(Clock::now() - start_).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

// Processor time of the calling thread: what something costs, whatever else the machine does.
class CpuTimer {
 public:
  double Ms() const { return Now() - start_; }

 private:
  static double Now() {
    struct timespec now = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
  }

  double start_ = Now();
};

}  // namespace irate
