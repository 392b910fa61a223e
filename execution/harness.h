// One Case through everything that runs: reference interpretation, workers, and the interpretation
// of every lifted module. The result is what oracles read.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "execution/worker_client.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"

namespace irate {

struct HarnessOptions {
  WorkerOptions worker;
  bool run_native = true;
};

class Harness {
 public:
  static absl::StatusOr<std::unique_ptr<Harness>> Create(const HarnessOptions& options);
  virtual ~Harness() = default;

  // 1. Interprets the module; if it is not DEFINED no compiler is asked (wild Cases excepted).
  // 2. Runs each variant in the worker.
  // 3. Interprets every lifted module (a module equal to its predecessor keeps that result).
  virtual absl::StatusOr<Observation> Execute(const Case& test_case) = 0;
  // The same in a process that has served nothing before.
  virtual absl::StatusOr<Observation> ExecuteFresh(const Case& test_case) = 0;
  virtual WorkerClient& worker() = 0;
};

}  // namespace irate
