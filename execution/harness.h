// One Case through everything that runs: reference interpretation, workers, and the interpretation
// of every lifted module. The result is what oracles read.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "absl/status/statusor.h"
#include "execution/worker_client.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"

namespace irate {

struct HarnessOptions {
  WorkerOptions worker;
  // What is asked of the workers. Wild Cases are neither lifted nor run, whatever this says.
  TargetOptions target{};
  // Of the interpreter, for the Case's own module. A lifted module is given ten times the steps of
  // the reference and kFuelFloor more, at most this.
  uint64_t fuel = 20'000'000;
};

inline constexpr uint64_t kFuelFloor = 100'000;

// Totals since the harness was created.
struct HarnessStats {
  uint64_t cases = 0;
  uint64_t dropped = 0;  // not DEFINED, so no compiler was asked
  uint64_t variants = 0;
  uint64_t prefix_replays = 0;
  uint64_t interpretations = 0;  // of lifted modules
  uint64_t reused = 0;           // lifted modules equal to one that was interpreted already
  // Processor time.
  double reference_ms = 0;
  double interpret_ms = 0;  // of lifted modules
  double features_ms = 0;
};

class Harness {
 public:
  static absl::StatusOr<std::unique_ptr<Harness>> Create(const HarnessOptions& options);
  virtual ~Harness() = default;

  // 1. Interprets the module; if it is not DEFINED no compiler is asked (wild Cases excepted: these
  //    are not interpreted at all, nor lifted, nor run).
  // 2. Runs each variant in a worker of its target. Without passes: the target's default ones, with
  //    the Case's config.
  // 3. If the worker died in pass k, asks again for the passes before k, so that what they did is
  //    not lost.
  // 4. Interprets every lifted module; one that is equal to another of this Case shares its result.
  //    What the interpreter refuses is UNSUPPORTED.
  //
  // Errors: InvalidArgument (the inputs do not fit the module), or the worker cannot be started.
  virtual absl::StatusOr<Observation> Execute(const Case& test_case) = 0;
  // The same in a process that has served nothing before.
  absl::StatusOr<Observation> ExecuteFresh(const Case& test_case) {
    return ExecuteAfter({}, test_case);
  }
  // The same in a process that has served `earlier` before, whatever came of those.
  virtual absl::StatusOr<Observation> ExecuteAfter(std::span<const Case> earlier,
                                                   const Case& test_case) = 0;
  // What the process that ran this variant of the last Execute had served.
  virtual WorkerHistory History(uint32_t variant) const = 0;
  // Of HarnessOptions::worker. Targets that only a Case names have workers of their own.
  virtual WorkerClient& worker() = 0;
  virtual const HarnessStats& stats() const = 0;
};

}  // namespace irate
