// One command run to its end or to a deadline.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace irate {

struct CommandResult {
  int exit_code = -1;  // -1 if it did not exit by itself
  int signal = 0;      // that ended it, SIGKILL after a timeout
  bool timed_out = false;
  std::string output;  // stdout and stderr together, the first 64 KiB
};

// Runs argv[0] (a path) in a process group of its own and in `directory`; at the deadline the group
// is killed. An error means that it could not be started.
absl::StatusOr<CommandResult> RunCommand(const std::vector<std::string>& argv,
                                         const std::string& directory,
                                         std::chrono::milliseconds deadline);

}  // namespace irate
