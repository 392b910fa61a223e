// Faults on purpose: what `irate doctor` and the tests kill workers with.
#pragma once

#include "execution/protocol.pb.h"

namespace irate {

// Commits the fault in this process. Does not return but for NONE and, where nothing watches for
// it, HEAP_OVERFLOW.
void CommitFault(FaultRequest::Kind kind);

}  // namespace irate
