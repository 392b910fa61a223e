// All that is recorded of a finding once it has its final name: the reproducer, written and run,
// and the log.
#pragma once

#include "absl/status/statusor.h"
#include "execution/worker_client.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"
#include "triage/finding_store.h"
#include "triage/reproducer.h"

namespace irate {

// `finding` is about `observation`, which is what `test_case` did. Where no standalone program can
// be written the log says why.
absl::StatusOr<Sighting> MakeSighting(const Case& test_case, const Observation& observation,
                                      const Finding& finding, WorkerClient& worker,
                                      const ReproducerOptions& options);

}  // namespace irate
