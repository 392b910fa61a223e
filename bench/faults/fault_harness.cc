#include "bench/faults/fault_harness.h"

#include <utility>

#include "ir/status_macros.h"

namespace irate {

FaultHarnesses::FaultHarnesses(HarnessOptions options, WorkerOptions asan_worker, std::string rules)
    : options_(std::move(options)),
      asan_worker_(std::move(asan_worker)),
      rules_(std::move(rules)) {}

absl::StatusOr<Harness*> FaultHarnesses::Quick() {
  if (quick_ == nullptr) {
    HarnessOptions options = options_;
    options.target = {.run_native = false, .fault_rules = rules_};
    IRATE_ASSIGN_OR_RETURN(quick_, Harness::Create(options));
  }
  return quick_.get();
}

absl::StatusOr<Harness*> FaultHarnesses::Thorough() {
  if (thorough_ == nullptr) {
    HarnessOptions options = options_;
    options.target.run_native = true;
    options.target.repeat = true;
    options.target.check_well_formed = true;
    options.target.fault_rules = rules_;
    IRATE_ASSIGN_OR_RETURN(thorough_, Harness::Create(options));
  }
  return thorough_.get();
}

absl::StatusOr<Harness*> FaultHarnesses::Sanitized() {
  if (sanitized_ == nullptr) {
    IRATE_ASSIGN_OR_RETURN(Harness * base, Thorough());
    IRATE_ASSIGN_OR_RETURN(sanitized_, SanitizedTier::Create(base, asan_worker_, rules_));
  }
  return sanitized_.get();
}

}  // namespace irate
