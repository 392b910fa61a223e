#include "triage/retriage.h"

#include <filesystem>
#include <memory>
#include <vector>

#include "fmt/format.h"
#include "ir/status_macros.h"
#include "oracles/oracle.h"
#include "triage/finding_harness.h"
#include "triage/finding_store.h"
#include "triage/sighting.h"
#include "triage/triager.h"

namespace irate {

absl::StatusOr<std::string> StoreReduced(const std::string& folder, const ReducedFinding& reduced,
                                         const RetriageOptions& options) {
  const std::filesystem::path path = std::filesystem::absolute(folder);
  IRATE_ASSIGN_OR_RETURN(const FindingStore store, FindingStore::Open(path.parent_path().string()));
  IRATE_ASSIGN_OR_RETURN(
      const std::unique_ptr<Harness> harness,
      CreateFindingHarness(options.harness, NeedsSanitizedRun(reduced.finding.oracle())));
  for (int trial = 0; trial < reduced.trials; ++trial) {
    IRATE_ASSIGN_OR_RETURN(const Observation observation, harness->ExecuteFresh(reduced.reduced));
    for (Finding& finding : JudgeAll(reduced.reduced, observation)) {
      finding.set_shape(FinalShape(finding, reduced.reduced));
      finding.set_signature(MakeSignature(finding));
      if (finding.signature() != reduced.finding.signature()) continue;
      IRATE_ASSIGN_OR_RETURN(const Sighting sighting,
                             MakeSighting(reduced.reduced, observation, finding, harness->worker(),
                                          options.reproducer));
      IRATE_RETURN_IF_ERROR(store.Move(path.filename().string(), sighting));
      return store.PathOf(finding.signature());
    }
  }
  return absl::NotFoundError(fmt::format("{} does not show any more", reduced.finding.signature()));
}

}  // namespace irate
