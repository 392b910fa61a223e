// One job of the fuzzing loop, run in a process of its own: see fuzzers/loop.h.
#pragma once

#include <atomic>
#include <cstdint>

#include "absl/status/status.h"
#include "execution/channel.h"
#include "fuzzers/loop.h"

namespace irate {

// In memory shared between the loop and one job.
struct JobPage {
  std::atomic<bool> stop{false};        // set by the loop: end now
  std::atomic<uint64_t> case_index{0};  // set by the job: the Case under way
  std::atomic<int64_t> deadline_ns{0};  // set by the loop, of the steady clock; 0: none
};

struct JobOptions {
  const FuzzOptions* fuzz = nullptr;
  uint64_t first_index = 0;  // then every fuzz->jobs-th
};

// Reports on `channel` as soon as it is ready, then runs until count, deadline or stop. An error,
// after it was reported as a fatal fault, is one that another job would meet as well.
absl::Status RunJob(const JobOptions& options, JobPage* page, Channel* channel);

}  // namespace irate
