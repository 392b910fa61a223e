// Whether a Case of a device program holds together: mutation and crossing may put parts of host
// and device programs into one.
#pragma once

#include "ir/irate.pb.h"

namespace irate {

// A program that binds no hardware threads has nothing that only devices have. A device program has
// device targets only, is one function, touches buffers in its kernels only, has no parallel loop
// and no schedule, and does not name its passes where they are strict: which of them a device
// program can do without is not known.
bool IsCoherent(const Case& test_case);

}  // namespace irate
