// A worker process seen from the harness: started, asked, watched, replaced.
//
// A compiler under test runs only in a worker. If the worker dies, hangs or uses too much memory
// the client reports that as a Failure of the variant, with the stage and pass at which it happened
// (read from shared memory), and starts another one on the next request. Nothing is lost.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"

namespace irate {

class Hello;

struct WorkerOptions {
  std::string executable;  // build/bin/irate-worker
  std::string target = "tvm";
  std::chrono::milliseconds deadline{10'000};  // of one request
  std::chrono::milliseconds start_deadline{60'000};
  uint64_t memory_limit = uint64_t{6} << 30;  // bytes of address space growth after start
  uint32_t recycle_after = 2'000;             // requests; then a new process is started
};

class WorkerClient {
 public:
  static absl::StatusOr<std::unique_ptr<WorkerClient>> Start(const WorkerOptions& options);
  virtual ~WorkerClient() = default;

  virtual const Hello& hello() const = 0;
  // Always returns what happened; a worker that died is a Failure inside. A status is an error of
  // the harness (the worker cannot be started at all).
  virtual absl::StatusOr<VariantObservation> Run(const Case& test_case, const TargetSpec& spec,
                                                 const PassSequence& passes, bool lift,
                                                 bool run_native) = 0;
  virtual absl::StatusOr<std::string> PrintNative(const Case& test_case, const TargetSpec& spec,
                                                  const PassSequence& passes, int steps) = 0;
  virtual absl::StatusOr<PassSequence> DefaultPasses(const TargetSpec& spec) = 0;
  // Ends the process; the next request starts a fresh one.
  virtual void Restart() = 0;
  // How many processes were started so far, the first included.
  virtual int starts() const = 0;
};

}  // namespace irate
