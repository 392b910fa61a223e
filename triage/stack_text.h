// A failure's stack as AddressSanitizer prints one, so that what reads those reads ours:
// ClusterFuzz's stack parser, editors, symbolisers.
#pragma once

#include <string>

#include "ir/observation.pb.h"

namespace irate {

// "==1==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000 (...)" and a line per
// frame, "    #0 0x000000000001 in tvm::sym::Bind (compiler+0x1)", innermost first. The worker
// names frames and keeps no addresses, which differ from run to run: those printed count the
// frames. Empty if there are no frames.
std::string StackText(const Failure& failure);

}  // namespace irate
