// One Case and one fault: where the fault triggers, and what the oracles make of it.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "bench/faults/fault_harness.h"
#include "bench/faults/fault_judge.h"
#include "bench/faults/fault_probe.h"
#include "ir/irate.pb.h"
#include "ir/rewrite/rule.h"

namespace irate {

struct FaultRun {
  FaultProbe probe;
  bool triggered = false;  // by the probe; for faults of the runtime, as the runtime says
  FaultVerdict verdict;    // where it triggered
};

class FaultRunner {
 public:
  // `rule` and `harnesses` outlive the runner.
  FaultRunner(const rewrite::Rule& rule, FaultHarnesses* harnesses)
      : rule_(rule), harnesses_(*harnesses) {}

  // Starts a worker; errors are those of the harness.
  absl::Status Start();
  // `sanitize`: instrumented as well, should nothing else show the fault.
  absl::StatusOr<FaultRun> Run(const Case& test_case, bool sanitize);

 private:
  const rewrite::Rule& rule_;
  FaultHarnesses& harnesses_;
  WorkerClient* worker_ = nullptr;
  TargetSpec spec_;
  PassSequence default_passes_;
};

}  // namespace irate
