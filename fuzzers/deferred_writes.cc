#include "fuzzers/deferred_writes.h"

#include <cstddef>
#include <utility>

#include "fmt/format.h"

namespace irate {

absl::Status DeferredWrites::Add(Write write, const absl::Status& problem) {
  problem_ = std::string(problem.message());
  if (waiting_.size() >= kMaxWaiting) {
    return absl::ResourceExhaustedError(
        fmt::format("{} writes to the findings wait already: {}", kMaxWaiting, problem_));
  }
  waiting_.push_back(std::move(write));
  return absl::OkStatus();
}

void DeferredWrites::TryAgain() {
  size_t done = 0;
  while (done < waiting_.size()) {
    const absl::Status status = waiting_[done]();
    if (!status.ok()) {
      problem_ = std::string(status.message());
      break;
    }
    ++done;
  }
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(done));
}

absl::Status DeferredWrites::Unwritten() const {
  if (waiting_.empty()) return absl::OkStatus();
  return absl::UnavailableError(fmt::format(
      "{} writes to the findings could not be done to the end: {}", waiting_.size(), problem_));
}

}  // namespace irate
