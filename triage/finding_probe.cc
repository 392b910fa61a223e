#include "triage/finding_probe.h"

#include <utility>
#include <vector>

#include "fmt/format.h"
#include "ir/status_macros.h"
#include "oracles/oracle.h"
#include "triage/finding_harness.h"
#include "triage/triager.h"

namespace irate {

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

absl::StatusOr<std::unique_ptr<FindingProbe>> FindingProbe::Create(const HarnessOptions& options,
                                                                   const Case& original,
                                                                   const Finding& finding) {
  std::unique_ptr<FindingProbe> probe(new FindingProbe(finding));
  HarnessOptions harness = options;
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

absl::StatusOr<bool> FindingProbe::Shows(const Case& test_case, int trials) {
  Case probe = test_case;
  if (needed_.has_value() && probe.passes().steps().empty()) {
    *probe.mutable_passes()->mutable_steps() = needed_->steps();
  }
  for (int i = 0; i < trials; ++i) {
    const absl::StatusOr<Observation> observation = harness_->Execute(probe);
    // The edit made a module that its inputs do not fit.
    if (absl::IsInvalidArgument(observation.status())) return false;
    if (!observation.ok()) return observation.status();
    if (FindSame(JudgeAll(probe, *observation), finding_) != nullptr) return true;
  }
  return false;
}

}  // namespace irate
