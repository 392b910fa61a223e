// Where the parts are that a command needs, and what to do if one is missing.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "execution/harness.h"
#include "execution/worker_client.h"

namespace irate {

// Options that several commands share, as given on the command line.
struct EnvironmentOptions {
  std::string target = "tvm";
  std::string worker;       // path of irate-worker; empty: beside this program
  std::string python;       // an interpreter that can import the compiler; empty: that of the build
  double deadline = 10;     // seconds for one Case
  std::string asan_worker;  // path of irate-worker-asan; empty: beside this program
};

// NotFound, with the command that mends it, where there is no worker.
absl::StatusOr<WorkerOptions> FindWorker(const EnvironmentOptions& options);
// The same for irate-worker-asan.
absl::StatusOr<WorkerOptions> FindAsanWorker(const EnvironmentOptions& options);
// The interpreter; empty if there is none, which only costs the verification of reproducers.
std::string FindPython(const EnvironmentOptions& options);
// corpus/known of the source tree.
std::string DefaultKnownFolder();
// corpus/regressions of the source tree.
std::string DefaultRegressionsFolder();
// build/versions of the source tree, which scripts/install-versions fills.
std::string DefaultVersionsFolder();
// corpus/seeds of the source tree.
std::string DefaultSeedsFolder();
// Features that dominate what is known.
std::string DefaultAvoidFile();
// Features whose findings are in doubt.
std::string DefaultDoubtfulFile();

// A harness for the target, or what is wrong with its worker or compiler and how to mend it.
absl::StatusOr<std::unique_ptr<Harness>> MakeHarness(const EnvironmentOptions& options,
                                                     const TargetOptions& target = {});

}  // namespace irate
