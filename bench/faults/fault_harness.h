// The ways in which a Case with a seeded fault is run, started when first asked for.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "execution/harness.h"
#include "execution/sanitized_tier.h"

namespace irate {

class FaultHarnesses {
 public:
  // `options` but for what is asked of the workers. `asan_worker` without executable: there is
  // no sanitized run. `rules`: text that has the faults.
  FaultHarnesses(HarnessOptions options, WorkerOptions asan_worker, std::string rules);

  // Stops before code generation.
  absl::StatusOr<Harness*> Quick();
  // All but the sanitized run: twice, and with the compiler's own checks.
  absl::StatusOr<Harness*> Thorough();
  bool CanSanitize() const { return !asan_worker_.executable.empty(); }
  absl::StatusOr<Harness*> Sanitized();

 private:
  const HarnessOptions options_;
  const WorkerOptions asan_worker_;
  const std::string rules_;
  std::unique_ptr<Harness> quick_;
  std::unique_ptr<Harness> thorough_;
  std::unique_ptr<SanitizedTier> sanitized_;
};

}  // namespace irate
