// The standalone program that shows a finding to somebody who does not have irate.
//
// For TVM it is a Python file that needs `tvm` and `numpy` alone: the module as TVMScript, the
// inputs, the expected outputs, and what to do with them. Its exit code is 1 while the bug is
// there, 0 if it is fixed, and 2 if it could not run. For a target without a language of its own it
// is a Python file that calls `irate run` on the Case beside it, with the same exit codes.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "execution/harness.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"

namespace irate {

struct Reproducer {
  std::string text;
  // It was run and exited 1.
  bool verified = false;
  // What it printed, or why it was not run.
  std::string output;
};

struct ReproducerOptions {
  std::string python;  // an interpreter that can import tvm; empty: nothing is run
  std::string irate;   // path of the command, for targets without a language of their own
  std::chrono::milliseconds deadline{120'000};
};

// Writes the program in the shortest form that shows the finding: with the default pipeline, with
// the passes of the Case, with the passes up to the culprit. Each form is run; the first that exits
// 1 is returned, else the first form with `verified` false. Unimplemented, with the reason, if the
// program cannot be written standalone.
absl::StatusOr<Reproducer> MakeReproducer(const Case& test_case, const Observation& observation,
                                          const Finding& finding, WorkerClient& worker,
                                          const ReproducerOptions& options);

}  // namespace irate
