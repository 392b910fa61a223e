#include "triage/finding_probe.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "ir/status_macros.h"
#include "oracles/oracle.h"
#include "triage/finding_harness.h"
#include "triage/strictness.h"
#include "triage/triager.h"

namespace irate {

namespace {

// A program that hangs is asked for again and again, each time until the deadline.
constexpr std::chrono::milliseconds kHangDeadline(1000);

// What the finding's oracle needs to be looked at.
HarnessOptions OptionsFor(const HarnessOptions& options, std::string_view oracle_or_signature) {
  HarnessOptions result = options;
  for (const std::string_view oracle : {"nondeterminism", "input-mutated", "ill-formed"}) {
    if (!oracle_or_signature.starts_with(oracle)) continue;
    result.target.repeat = true;
    result.target.check_well_formed = true;
  }
  return result;
}

}  // namespace

bool IsWrongResult(const Finding& finding) {
  return finding.oracle() == "pass-mismatch" || finding.oracle() == "codegen-mismatch";
}

bool ShowsInPasses(const Finding& finding) {
  return finding.oracle() == "pass-mismatch" ||
         (finding.oracle() != "codegen-mismatch" && finding.step() >= 0 &&
          !NeedsSanitizedRun(finding.oracle()));
}

void KeepOnlyVariant(Case* test_case, Finding* finding) {
  if (test_case->targets_size() > static_cast<int>(finding->variant())) {
    const TargetSpec spec = test_case->targets(static_cast<int>(finding->variant()));
    test_case->clear_targets();
    *test_case->add_targets() = spec;
    finding->set_variant(0);
  }
}

absl::StatusOr<Finding> FindSignature(Harness& harness, const Case& test_case,
                                      const std::string& signature) {
  IRATE_ASSIGN_OR_RETURN(const Observation observation, harness.ExecuteFresh(test_case));
  const std::vector<Finding> findings = JudgeAll(test_case, observation);
  std::string seen;
  const Finding* similar = nullptr;
  for (const Finding& finding : findings) {
    Finding named = finding;
    named.set_shape(FinalShape(finding, test_case));
    if (signature.empty() || MakeSignature(named) == signature ||
        finding.signature() == signature) {
      return finding;
    }
    if (similar == nullptr && signature.starts_with(finding.signature())) similar = &finding;
    seen += fmt::format("{}{}", seen.empty() ? "" : ", ", MakeSignature(named));
  }
  if (similar != nullptr) return *similar;
  const std::string reference = Interpretation::Status_Name(observation.reference().status());
  return absl::NotFoundError(
      fmt::format("the Case does not show {}: {}", signature.empty() ? "any finding" : signature,
                  seen.empty() ? fmt::format("no findings (reference: {})", reference)
                               : fmt::format("it shows {}", seen)));
}

absl::StatusOr<std::unique_ptr<Harness>> FindingProbe::MakeHarness(
    const HarnessOptions& options, const std::string& oracle_or_signature) {
  return CreateFindingHarness(OptionsFor(options, oracle_or_signature),
                              NeedsSanitizedRun(oracle_or_signature));
}

absl::StatusOr<std::unique_ptr<FindingProbe>> FindingProbe::Create(const HarnessOptions& options,
                                                                   const Case& original,
                                                                   const Finding& finding,
                                                                   const PassMap* pass_map) {
  std::unique_ptr<FindingProbe> probe(new FindingProbe(finding));
  probe->pass_map_ = pass_map;
  probe->original_ = original.passes();
  if (ShowsInPasses(finding) && finding.step() >= 0 &&
      finding.step() + 1 < probe->original_.steps_size()) {
    probe->original_.mutable_steps()->DeleteSubrange(
        finding.step() + 1, probe->original_.steps_size() - finding.step() - 1);
  }
  HarnessOptions harness = OptionsFor(options, finding.oracle());
  if (finding.oracle() == "hang") {
    harness.worker.deadline = std::min(harness.worker.deadline, kHangDeadline);
  }
  if (ShowsInPasses(finding)) harness.target.run_native = false;
  IRATE_ASSIGN_OR_RETURN(probe->harness_,
                         CreateFindingHarness(harness, NeedsSanitizedRun(finding.oracle())));
  if (ShowsInPasses(finding) && original.passes().steps().empty()) {
    TargetSpec spec;
    spec.set_target(finding.target());
    if (original.targets_size() > static_cast<int>(finding.variant())) {
      spec = original.targets(static_cast<int>(finding.variant()));
    }
    IRATE_ASSIGN_OR_RETURN(PassSequence passes, probe->harness_->worker().DefaultPasses(
                                                    spec, original.passes().config()));
    // A schedule that a primitive gets wrong needs one pass at most.
    const int last = finding.culprit().starts_with("schedule.") ? 0 : finding.step();
    if (last >= 0 && last + 1 < passes.steps_size()) {
      passes.mutable_steps()->DeleteSubrange(last + 1, passes.steps_size() - last - 1);
    }
    probe->needed_ = std::move(passes);
  }
  return probe;
}

bool FindingProbe::StaysStrict(const Case& test_case) const {
  return pass_map_ == nullptr || irate::StaysStrict(*pass_map_, original_, test_case.passes());
}

absl::StatusOr<bool> FindingProbe::ShowsOnce(const Case& test_case) {
  const absl::StatusOr<Observation> observation = harness_->Execute(test_case);
  // The edit made a module that its inputs do not fit.
  if (absl::IsInvalidArgument(observation.status())) return false;
  if (!observation.ok()) return observation.status();
  return FindSame(JudgeAll(test_case, *observation), finding_) != nullptr;
}

absl::StatusOr<bool> FindingProbe::Shows(const Case& test_case, int trials) {
  Case probe = test_case;
  if (needed_.has_value() && probe.passes().steps().empty()) {
    *probe.mutable_passes()->mutable_steps() = needed_->steps();
  }
  std::vector<Case> all = {probe};
  if (!StaysStrict(probe)) {
    *probe.mutable_passes()->mutable_steps() = original_.steps();
    all.push_back(probe);
  }
  for (const Case& one : all) {
    bool shows = false;
    for (int i = 0; i < trials && !shows; ++i) {
      IRATE_ASSIGN_OR_RETURN(shows, ShowsOnce(one));
    }
    if (!shows) return false;
  }
  return true;
}

}  // namespace irate
