// A finding that is in a folder already, looked at again: reduced further, under its new name.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "execution/harness.h"
#include "triage/reduce_finding.h"
#include "triage/reproducer.h"

namespace irate {

struct RetriageOptions {
  HarnessOptions harness;
  ReproducerOptions reproducer;
};

// Stores the reduced Case with a new reproducer and log in place of what the folder holds. Where
// the smaller Case has another signature, the bucket moves there: one cause, one bucket. Returns
// the bucket's folder.
absl::StatusOr<std::string> StoreReduced(const std::string& folder, const ReducedFinding& reduced,
                                         const RetriageOptions& options);

}  // namespace irate
