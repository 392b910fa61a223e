// Constants of the worker protocol (execution/protocol.proto) that both sides must agree on.
#pragma once

#include <cstddef>
#include <cstdint>

namespace irate {

// Raised with every change that an older peer would misread.
inline constexpr uint32_t kProtocolVersion = 1;

// Upper bound of one message. Inputs are at most 256 MiB (ir/inputs.h); a length above this is a
// peer that has lost its mind, and is refused before memory is reserved for it.
inline constexpr size_t kMaxMessageBytes = size_t{512} << 20;

// Where irate-worker finds its socket: the control socket in the zygote, the request socket in a
// worker.
inline constexpr int kWorkerSocketFd = 3;

}  // namespace irate
