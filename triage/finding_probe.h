// Whether a Case shows a given finding: what reduction, blame and regression runs ask.
//
//  * "The same finding" is the same oracle blaming the same culprit of the same target for the same
//    kind of difference: the signature before the shape of the reduced program is added to it.
//  * A finding that shows in the passes is looked for without code generation, and with the default
//    pipeline cut after its culprit, which is many times faster.
//  * With a pass map, a Case whose sequence of passes is not strict any more must show the finding
//    with the original sequence as well: a shorter sequence may read better, and is no reason to
//    blame a pass for a program that it was not made for.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "execution/harness.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"
#include "ir/pass_map.h"

namespace irate {

// Wrong results: what their signature says of the program left depends on the reduction.
bool IsWrongResult(const Finding& finding);
// The finding shows without code generation.
bool ShowsInPasses(const Finding& finding);

// Only the target that the finding is about, so that its variant is 0.
void KeepOnlyVariant(Case* test_case, Finding* finding);

// The finding of `test_case`, run once, that a folder called `signature` holds: the one with that
// final signature, else one of the oracle and culprit that it begins with. An empty signature takes
// the first of all. NotFound, with what was seen instead, if there is none.
absl::StatusOr<Finding> FindSignature(Harness& harness, const Case& test_case,
                                      const std::string& signature);

class FindingProbe {
 public:
  // Starts a worker of its own. `finding` is what JudgeAll said of `original`.
  // `pass_map`, of the finding's target, outlives the probe; without one no sequence is strict.
  static absl::StatusOr<std::unique_ptr<FindingProbe>> Create(const HarnessOptions& options,
                                                              const Case& original,
                                                              const Finding& finding,
                                                              const PassMap* pass_map = nullptr);
  // One that looks at all that this oracle judges, code generation included: it runs everything
  // twice for nondeterminism, instrumented for memory errors, and so on.
  static absl::StatusOr<std::unique_ptr<Harness>> MakeHarness(
      const HarnessOptions& options, const std::string& oracle_or_signature);

  // Up to `trials` runs, until one shows it. False for a Case whose inputs do not fit.
  absl::StatusOr<bool> Shows(const Case& test_case, int trials = 1);

 private:
  explicit FindingProbe(Finding finding) : finding_(std::move(finding)) {}
  absl::StatusOr<bool> ShowsOnce(const Case& test_case);
  bool StaysStrict(const Case& test_case) const;

  const Finding finding_;
  const PassMap* pass_map_ = nullptr;
  PassSequence original_;             // up to the culprit, where that is a pass
  std::unique_ptr<Harness> harness_;  // without code generation where that shows the finding
  std::optional<PassSequence> needed_;
};

}  // namespace irate
