// A program for the processor as a program for a device, so that every Case can be run on one.
//
//  * Each top-level statement that computes becomes a kernel: an outermost parallel loop over
//    hardware threads or groups, whose iterations do not meet by its promise; anything else over
//    one thread.
//  * Buffers that a kernel allocates are local to the thread; those of the top level stay global.
//  * Parallel loops within a kernel are serial.
//
// A program that binds loops to hardware threads itself is left as it is. Reference and device
// program mean the same.
#pragma once

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"

namespace irate::tvm_target {

// Unimplemented, naming it: a construct that has no place in a kernel.
absl::StatusOr<Module> ToDeviceForm(const Case& test_case);

}  // namespace irate::tvm_target
