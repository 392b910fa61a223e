// Case IR to TVM IR.
//
// One Case IR operator becomes one TVM node: nothing is folded or simplified on the way, so what a
// generator made is what the first pass sees. A module is lowered as TVMScript's parser would have
// made it: functions carry `s_tir`, a function with blocks gets its root block, and blocks without
// read or write regions get those that TVM's own access analysis finds.
#pragma once

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"
#include "targets/tvm/native.h"

namespace irate::tvm_target {

// An ir.IRModule. InvalidArgument if a construct has no TVM IR or TVM refuses to build it (the
// message is TVM's); the module is assumed to be verified.
absl::StatusOr<Any> LowerModule(const Module& module);

}  // namespace irate::tvm_target
