// Tier 2 on top of a harness: what ran and was sound runs again in a worker that is built with
// AddressSanitizer, where its generated code is instrumented and its contracts are checked.
//
// A variant is taken if it ran to its end natively. Of its sanitized run it gets `violations`,
// `not_sanitized` and `faults`, and a failure where the compiler itself was stopped by a signal or
// by AddressSanitizer. What only takes too long or too much memory there is `not_sanitized`: the
// generated code is many times slower than in tier 1.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "execution/case_passes.h"
#include "execution/harness.h"
#include "execution/worker_client.h"
#include "execution/worker_pool.h"

namespace irate {

struct SanitizedStats {
  uint64_t variants = 0;
  uint64_t not_sanitized = 0;
  double wall_ms = 0;
  double cpu_ms = 0;    // of the sanitized worker
  double run_ms = 0;    // of it in the sanitizer: instrumenting, compiling, running
  double build_ms = 0;  // of it in the compiler, emitting
};

class SanitizedTier : public Harness {
 public:
  // `base` outlives the tier. `worker` names irate-worker-asan. `fault_rules` as in TargetOptions.
  static absl::StatusOr<std::unique_ptr<SanitizedTier>> Create(Harness* base,
                                                               const WorkerOptions& worker,
                                                               const std::string& fault_rules = {});

  // Adds this tier to what `base` made of the Case.
  absl::Status Add(const Case& test_case, Observation* observation);

  absl::StatusOr<Observation> Execute(const Case& test_case) override;
  // This tier's own worker is fresh: only what runs before it needs the earlier Cases.
  absl::StatusOr<Observation> ExecuteAfter(std::span<const Case> earlier,
                                           const Case& test_case) override;
  WorkerHistory History(uint32_t variant) const override { return base_.History(variant); }
  WorkerClient& worker() override { return base_.worker(); }
  const HarnessStats& stats() const override { return base_.stats(); }
  const SanitizedStats& sanitized_stats() const { return stats_; }

 private:
  SanitizedTier(Harness* base, const WorkerOptions& worker, std::string fault_rules)
      : base_(*base), workers_(worker), fault_rules_(std::move(fault_rules)) {}
  absl::Status AddVariant(const Case& test_case, VariantObservation* variant);

  Harness& base_;
  WorkerPool workers_;
  const std::string fault_rules_;
  CasePasses passes_;
  SanitizedStats stats_;
};

}  // namespace irate
