// The Python process of `irate bench throughput`. Internal to bench.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "execution/worker_client.h"
#include "ir/irate.pb.h"

namespace irate {

struct PeerResult {
  uint64_t cases = 0;
  uint64_t refused = 0;
  double pass_seconds = 0;
  double seconds = 0;       // passes, build, run
  std::string first_error;  // of a refused Case
};

// Gives the Cases, as the TVMScript that the worker prints, with their arguments and the passes of
// the default pipeline, to one process of `python` (bench/python_peer.py) and waits for its
// account.
absl::StatusOr<PeerResult> RunPythonPeer(const std::vector<Case>& cases, const std::string& python,
                                         WorkerClient* worker);

}  // namespace irate
