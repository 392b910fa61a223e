// The harness that a finding is looked for with: findings of sanitized runs need those.
#pragma once

#include <memory>
#include <string_view>

#include "absl/status/statusor.h"
#include "execution/harness.h"
#include "ir/observation.pb.h"

namespace irate {

// Of an oracle's name or of a signature, which begins with it: only a run in tier 2
// (execution/sanitized_tier.h) tells.
bool NeedsSanitizedRun(std::string_view oracle_or_signature);

// Harness::Create, with tier 2 on top where that is asked for: its worker is irate-worker-asan
// beside the worker of `options`. NotFound if there is none.
absl::StatusOr<std::unique_ptr<Harness>> CreateFindingHarness(const HarnessOptions& options,
                                                              bool sanitized);

}  // namespace irate
