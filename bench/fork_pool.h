// Work in several processes: numbered chunks in, bytes out.
//
// Processes and not threads, as what they run may crash, and some of it keeps global state.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace irate {

// Calls `work(chunk)` for each chunk in [0, chunks) in one of `jobs` child processes (0: one for
// each processor) and `done(chunk, result)` here, in the order in which they end. A chunk whose
// process died is Aborted, with the signal or exit status; the others are not affected. `start`
// runs first in each process. Internal: there were no processes to be had.
absl::Status RunChunks(
    uint64_t chunks, int jobs, const std::function<void()>& start,
    const std::function<std::string(uint64_t chunk)>& work,
    const std::function<void(uint64_t chunk, absl::StatusOr<std::string> result)>& done);

}  // namespace irate
