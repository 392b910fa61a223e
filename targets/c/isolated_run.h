// Running a shared object in a child process, so that a crash is an answer.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "targets/c/argument_memory.h"

namespace irate::c_target {

struct IsolatedCall {
  std::string entry;  // a symbol of the library
  ArgumentMemory* arguments = nullptr;
};

struct IsolatedOutcome {
  enum class Kind {
    kFinished,
    kCheckFailed,  // the program found something undefined; `report` says what
    kCrashed,      // `signal`
    kTimedOut,
    kNotLoaded,  // the library or its entry; `report` is the loader's
  };
  Kind kind = Kind::kFinished;
  std::string report;
  int signal = 0;
};

// Makes the calls in order, in as few processes as their outcomes allow: a call that does not
// finish costs one. What a call writes to its arguments is visible here, and `per_call` is wall
// time. Internal: there was no process to be had.
absl::StatusOr<std::vector<IsolatedOutcome>> RunIsolated(const std::string& library,
                                                         const std::vector<IsolatedCall>& calls,
                                                         std::chrono::milliseconds per_call);

}  // namespace irate::c_target
