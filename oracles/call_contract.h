// Calls in the IR after a pass against the functions that they call, without running anything.
#pragma once

#include <string>
#include <vector>

#include "ir/irate.pb.h"

namespace irate {

struct CallFault {
  // "argument-count": a call within the module passes another number than its callee takes.
  // "packed-argument-count": a packed call passes another number than its callee demands.
  // "calling-convention": a function is called as a packed one and is none, or a function of the
  //     host has the convention of a device's kernel and is called.
  std::string kind;
  std::string text;  // one sentence

  friend bool operator==(const CallFault&, const CallFault&) = default;
};

// In order of the functions. Calls of what the module does not define are not judged.
std::vector<CallFault> CheckCalls(const Module& module);

}  // namespace irate
