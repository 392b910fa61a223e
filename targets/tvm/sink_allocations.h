// Where the buffers of blocks live.
//
// Before PlanAndUpdateBufferAllocationLocation, TVM's blocks list their buffers far above where
// they are used, most of them at the root, and the buffer lies where all of its accesses do:
// iterations of a parallel or vectorized loop around them have one each. In the Case IR a buffer
// lives where it is allocated. So a buffer whose accesses all lie in one such loop is allocated
// there.
#pragma once

#include "ir/irate.pb.h"

namespace irate::tvm_target {

void SinkAllocations(Module* module);

}  // namespace irate::tvm_target
