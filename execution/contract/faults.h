// Ways in which this runtime can break its own side of the contract, each off unless asked for: the
// ground truth for the checks that must notice.
#pragma once

#include <string_view>
#include <vector>

#include "absl/status/status.h"

namespace irate::contract {

enum class Fault {
  kNone,
  kWorkspaceAlign16,    // addresses are multiples of 16 only
  kWorkspaceAlign32,    // ... of 32 only
  kWorkspaceOffByOne,   // one byte past an aligned address
  kLaunchSkipTask,      // the last task is not run
  kLaunchRepeatTask,    // task 0 runs twice
  kLaunchOverCount,     // a task with the id num_task runs as well
  kPackedDropArgument,  // a packed call passes one argument less on
};

// "workspace-align-16", ...
std::string_view FaultName(Fault fault);
// InvalidArgument lists the names.
absl::Status ParseFault(std::string_view name, Fault* fault);
std::vector<Fault> AllFaults();  // without kNone

}  // namespace irate::contract
