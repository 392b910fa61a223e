// Writes to the findings that failed, because the disk is full for example. They are kept and done
// again, so that a run of days neither ends nor loses what it found.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace irate {

class DeferredWrites {
 public:
  using Write = std::function<absl::Status()>;

  // ResourceExhausted if kMaxWaiting writes wait already: each holds a Case.
  absl::Status Add(Write write, const absl::Status& problem);
  // Does the waiting ones again, in order, up to the first that fails.
  void TryAgain();
  // What is still not written, as an error; OK if nothing waits.
  absl::Status Unwritten() const;
  size_t size() const { return waiting_.size(); }

  static constexpr size_t kMaxWaiting = 1000;

 private:
  std::vector<Write> waiting_;
  std::string problem_;  // of the last that failed
};

}  // namespace irate
