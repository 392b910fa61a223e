// Which of several seeded faults a finding comes from: the ground truth for reduction and buckets.
//
// A Case is run with a fault and its siblings, the other faults of the same passes, switched on
// together, as a compiler has several bugs in one pass. A finding is the fault's own if it shows
//   - with all of them on,
//   - with that fault alone,
//   - and not with the siblings alone, nor with none of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "bench/faults/fault_harness.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"
#include "ir/rewrite/rule.h"

namespace irate {

// What the Case names to switch on `rule` and its siblings, in the order of `rules`. Faults of the
// runtime have none, as only one of these can be on; siblings that hang or take memory are left
// out, as they would hide the others at the price of a deadline.
std::vector<std::string> WithSiblings(const rewrite::Rule& rule,
                                      const std::vector<rewrite::Rule>& rules);

enum class Origin {
  kOwn,      // of the fault alone
  kMixed,    // of the fault, and of a sibling as well
  kSibling,  // a sibling's and not the fault's
  kLive,     // of the compiler itself: it shows with no fault on
  kLost,     // it does not show
};
std::string_view OriginName(Origin origin);
std::optional<Origin> OriginFrom(std::string_view name);

class FaultTruth {
 public:
  // `harnesses` outlives it.
  explicit FaultTruth(FaultHarnesses* harnesses) : harnesses_(*harnesses) {}

  // A finding of the Case (its faults are set by us) that is the fault's own and that a fresh
  // worker shows again; the one that the rule expects if there is one.
  absl::StatusOr<std::optional<Finding>> OwnFinding(const rewrite::Rule& rule,
                                                    const std::vector<std::string>& faults,
                                                    const Case& test_case, const std::string& pass);

  // Where the finding of `raw_signature` in the Case, which has its faults on, comes from.
  absl::StatusOr<Origin> OriginOf(const rewrite::Rule& rule, const Case& test_case,
                                  const std::string& oracle, const std::string& raw_signature);

 private:
  absl::StatusOr<std::optional<Finding>> OwnFindingIn(Harness& harness, const rewrite::Rule& rule,
                                                      const Case& with, const std::string& pass);

  FaultHarnesses& harnesses_;
};

}  // namespace irate
