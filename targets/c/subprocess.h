// A child process that is waited for with a deadline.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace irate::c_target {

struct ProcessResult {
  bool missing = false;  // the program does not exist or may not be executed
  bool timed_out = false;
  int exit_status = 0;
  int signal = 0;
};

// Runs `command` (found in $PATH) with no input and with its output, both streams, in the file
// `log`. At the deadline the process and what it started are killed. Internal: there was no process
// to be had.
absl::StatusOr<ProcessResult> RunProcess(const std::vector<std::string>& command,
                                         const std::string& log,
                                         std::chrono::milliseconds deadline);

}  // namespace irate::c_target
