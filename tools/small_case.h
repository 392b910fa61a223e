// The program that irate doctor runs.
#pragma once

#include "ir/irate.pb.h"

namespace irate {

// B[i] = A[i] * 3 + 7, in a parallel loop over 16 elements, so that a pass has something to do and
// a device a group of work-items. It names no target.
Case SmallCase();

}  // namespace irate
