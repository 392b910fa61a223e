// The calls in emitted LLVM IR against what their callees read, without running anything.
//
// Clauses:
//  * call-signature: a function of the module is called with another type than it has;
//  * runtime-signature: a function of the runtime is called with another type than it has;
//  * calling-convention: a function is called as a packed function, by name, and is none; or a
//    function of the host has a device's convention;
//  * packed-argument-count: a packed call passes another number of arguments than the callee, where
//    the module has it, demands or reads;
//  * packed-array-size: a packed call's arguments or result lie outside of the stack array;
//  * packed-argument-unset: on some path to a packed call an argument slot is not written;
//  * launch-closure: a parallel task reads more of its closure than was written.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace irate::sanitized {

struct AbiViolation {
  std::string clause;
  std::string function;   // the caller
  std::string statement;  // the call
  std::string text;       // one sentence
};

// InvalidArgument if the text does not parse.
absl::StatusOr<std::vector<AbiViolation>> CheckAbi(const std::string& ir_text);

}  // namespace irate::sanitized
