// What a worker process served, so that a finding that shows in no fresh process can be replayed
// with what came before it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "ir/irate.pb.h"

namespace irate {

// A view that stays valid while the process goes on serving.
struct WorkerHistory {
  // Oldest first; each with the one target and the passes that it ran with.
  std::shared_ptr<const std::vector<Case>> cases;
  size_t count = 0;  // of `cases`; the last of these is the one that is looked at

  // What the process served before that one. Valid until the process serves another.
  std::span<const Case> Before() const {
    return count == 0 ? std::span<const Case>() : std::span(*cases).first(count - 1);
  }
};

}  // namespace irate
