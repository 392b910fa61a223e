// Target descriptions as text.
#pragma once

#include <string>

#include "targets/tvm/native.h"

namespace irate::tvm_target {

// The target.Target as JSON from which target.Target makes it again. Not TVM's own
// target.TargetAsJSON: that text is remembered in the object and copied with it, so it may lack a
// host that was added later (0.27).
std::string TargetToJson(const Any& target);

// "llvm"
std::string TargetKind(const Any& target);

}  // namespace irate::tvm_target
