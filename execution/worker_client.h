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
#include "execution/api/target.h"
#include "execution/worker_history.h"
#include "ir/analysis.pb.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"

namespace irate {

class FaultRequest;
class Hello;

struct WorkerOptions {
  std::string executable;  // build/bin/irate-worker
  std::string target = "tvm";
  std::chrono::milliseconds deadline{10'000};  // of one request
  std::chrono::milliseconds start_deadline{60'000};
  uint64_t memory_limit = uint64_t{6} << 30;  // bytes of data beyond those at start; 0: none
  uint32_t recycle_after = 2'000;             // requests; then a new process is started
};

// Totals since the client was started.
struct WorkerStats {
  uint64_t requests = 0;
  uint64_t deaths = 0;    // workers that died, hung or were given up
  uint64_t recycled = 0;  // workers ended after `recycle_after` requests
  int zygote_starts = 0;  // executions of the worker program, the first included
  int spawns = 0;         // workers forked
  double zygote_start_ms = 0;
  double spawn_ms = 0;       // including the end of the worker before
  double round_trip_ms = 0;  // of requests that were answered
  // Processor time of the worker's first thread in answered requests, and what it went to.
  double worker_ms = 0;
  double compiler_ms = 0;  // the compiler's own: passes and build
  double lower_ms = 0;     // ours
  double lift_ms = 0;      // ours
  double run_ms = 0;       // the built functions
  // What is left of it: reading and writing messages, checks of steps, dispatch.
  double DispatchMs() const { return worker_ms - compiler_ms - lower_ms - lift_ms - run_ms; }
};

class WorkerClient {
 public:
  static absl::StatusOr<std::unique_ptr<WorkerClient>> Start(const WorkerOptions& options);
  virtual ~WorkerClient() = default;

  virtual const Hello& hello() const = 0;
  // Always returns what happened; a worker that died is a Failure inside (execution/death.h says
  // which kinds there are). A status is an error of the harness: the worker cannot be started at
  // all. A worker that died while it was idle is replaced and asked again.
  virtual absl::StatusOr<VariantObservation> Run(const Case& test_case, const TargetSpec& spec,
                                                 const PassSequence& passes,
                                                 const TargetOptions& options) = 0;
  virtual absl::StatusOr<std::string> PrintNative(const Case& test_case, const TargetSpec& spec,
                                                  const PassSequence& passes, int steps) = 0;
  virtual absl::StatusOr<PassSequence> DefaultPasses(const TargetSpec& spec,
                                                     const PassConfig& config) = 0;
  absl::StatusOr<PassSequence> DefaultPasses(const TargetSpec& spec) {
    return DefaultPasses(spec, {});
  }
  // Asks the target's integer analyser. Of a worker that died or hung: its Failure, with the
  // question under way as `step`. A status: the worker cannot be started, or cannot do this.
  struct Analysis {
    AnalysisBatchAnswers answers;  // if `failure` is NONE
    Failure failure;
  };
  virtual absl::StatusOr<Analysis> Analyze(AnalysisBatch batch) = 0;
  // Ends the process; the next request starts a fresh one.
  virtual void Restart() = 0;
  // What the process of the last Run had served, that one last, also where it died of it. Since its
  // start: WorkerOptions::recycle_after bounds it.
  virtual WorkerHistory history() const = 0;
  // How many processes were started so far, the first included.
  virtual int starts() const = 0;

  // Makes the worker commit a fault of its own (a FaultRequest::Kind); what came of it, NONE if it
  // answered. For `irate doctor`.
  virtual absl::StatusOr<Failure> PlantFault(const FaultRequest& fault) = 0;
  virtual const WorkerStats& stats() const = 0;
  // What the worker printed while it served the last request, the last 64 KiB.
  virtual std::string log() const = 0;
};

}  // namespace irate
