#include "triage/triager.h"

#include <optional>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "ir/compare.h"
#include "ir/status_macros.h"
#include "ir/text.h"
#include "oracles/oracle.h"
#include "triage/earlier_cases.h"
#include "triage/feature_shape.h"
#include "triage/finding_probe.h"
#include "triage/sighting.h"
#include "triage/strictness.h"

namespace irate {
namespace {

using Outcome = TriageResult::Outcome;

// The passes that the finding needs: none after its culprit.
PassSequence UpTo(const PassSequence& passes, int step) {
  PassSequence result = passes;
  if (step >= 0 && step + 1 < result.steps_size()) {
    result.mutable_steps()->DeleteSubrange(step + 1, result.steps_size() - step - 1);
  }
  return result;
}

// Generated code has no names, and a compiler's library may have lost its own: such a stack is the
// same for every crash.
bool NamesNoFunction(const Finding& finding) {
  // What generated code does to memory and values has as many causes as there are wrong rewrites
  // before it.
  if (finding.oracle() == "generated-code-crash" || finding.oracle() == "memory-error" ||
      finding.oracle() == "value-error") {
    return true;
  }
  return finding.oracle() == "compiler-crash" && finding.shape().find("::") == std::string::npos;
}

}  // namespace

struct Triager::Confirmed {
  std::optional<Finding> finding;
  Case test_case;
  Observation observation;
  std::vector<Case> earlier;  // that the worker must have served before
};

const Finding* FindSame(const std::vector<Finding>& findings, const Finding& finding) {
  for (const Finding& candidate : findings) {
    if (candidate.signature() == finding.signature() && candidate.variant() == finding.variant()) {
      return &candidate;
    }
  }
  return nullptr;
}

std::string FinalShape(const Finding& finding, const Case& reduced) {
  if (!IsWrongResult(finding) && !NamesNoFunction(finding)) return finding.shape();
  const std::string features = FeatureShape(reduced.module());
  return features.empty() ? finding.shape() : finding.shape() + "-" + features;
}

Triager::Triager(Harness* harness, Harness* passes_only, const FindingStore* store,
                 TriageOptions options)
    : harness_(*harness),
      passes_only_(*passes_only),
      store_(*store),
      options_(std::move(options)) {}

absl::StatusOr<TriageResult> Triager::Triage(const Case& test_case, const Finding& finding,
                                             const WorkerHistory& history) {
  TriageResult result;
  result.finding = finding;
  IRATE_ASSIGN_OR_RETURN(result.reduced, Reduce(test_case, finding, &result.tests));
  if (options_.reduce.stop && options_.reduce.stop()) {
    result.outcome = Outcome::kStopped;
    return result;
  }
  const auto set_signature = [&result] {
    result.finding.set_shape(FinalShape(result.finding, result.reduced));
    result.finding.set_signature(MakeSignature(result.finding));
  };
  set_signature();
  if (options_.known.contains(result.finding.signature())) {
    result.outcome = Outcome::kKnown;
    return result;
  }
  if (store_.Contains(result.finding.signature()) &&
      !store_.WouldStore(result.finding.signature(), CaseSize(result.reduced))) {
    IRATE_RETURN_IF_ERROR(Write([store = &store_, signature = result.finding.signature()] {
      return store->Count(signature, 1);
    }));
    result.outcome = Outcome::kSeen;
    result.path = store_.PathOf(result.finding.signature());
    return result;
  }
  IRATE_ASSIGN_OR_RETURN(Confirmed confirmed, Confirm(result.reduced, finding));
  if (!confirmed.finding.has_value()) {
    IRATE_ASSIGN_OR_RETURN(confirmed, Confirm(test_case, finding));
  }
  if (!confirmed.finding.has_value()) {
    IRATE_ASSIGN_OR_RETURN(confirmed, ConfirmAfter(history.Before(), test_case, finding));
  }
  if (!confirmed.finding.has_value()) {
    result.outcome = Outcome::kNotReproduced;
    return result;
  }
  result.finding = *confirmed.finding;
  result.reduced = confirmed.test_case;
  set_signature();
  if (IsWrongResult(finding)) {
    if (!RefereeAgrees(confirmed.test_case, confirmed.observation.reference())) {
      result.outcome = Outcome::kRefereeDisagrees;
      return result;
    }
  }
  IRATE_ASSIGN_OR_RETURN(const bool is_new, Store(confirmed, &result));
  result.outcome = is_new ? Outcome::kNew : Outcome::kSeen;
  return result;
}

absl::StatusOr<Case> Triager::Reduce(const Case& test_case, const Finding& finding, int* tests) {
  Harness& harness = ShowsInPasses(finding) ? passes_only_ : harness_;
  std::optional<PassSequence> needed;
  // A schedule that a primitive gets wrong needs one pass at most.
  const bool in_schedule = finding.culprit().starts_with("schedule.");
  if (ShowsInPasses(finding) && test_case.passes().steps().empty()) {
    TargetSpec spec;
    spec.set_target(finding.target());
    if (static_cast<uint32_t>(test_case.targets_size()) > finding.variant()) {
      spec = test_case.targets(static_cast<int>(finding.variant()));
    }
    IRATE_ASSIGN_OR_RETURN(PassSequence passes,
                           harness.worker().DefaultPasses(spec, test_case.passes().config()));
    needed = UpTo(passes, in_schedule ? 0 : finding.step());
  }
  const auto keeps = [&](const Case& candidate) -> absl::StatusOr<bool> {
    Case probe = candidate;
    if (needed.has_value()) *probe.mutable_passes()->mutable_steps() = needed->steps();
    if (options_.pass_map != nullptr &&
        !StaysStrict(*options_.pass_map, test_case.passes(), probe.passes())) {
      return false;
    }
    const absl::StatusOr<Observation> observation = harness.Execute(probe);
    // The edit made a module that its inputs do not fit.
    if (absl::IsInvalidArgument(observation.status())) return false;
    if (!observation.ok()) return observation.status();
    return FindSame(JudgeAll(probe, *observation), finding) != nullptr;
  };
  IRATE_ASSIGN_OR_RETURN(ReduceResult reduced, ThinReduce(test_case, keeps, options_.reduce));
  *tests = reduced.tests;
  return std::move(reduced.reduced);
}

absl::StatusOr<Triager::Confirmed> Triager::Confirm(const Case& test_case, const Finding& finding) {
  Confirmed confirmed;
  confirmed.test_case = test_case;
  IRATE_ASSIGN_OR_RETURN(confirmed.observation, harness_.ExecuteFresh(test_case));
  const std::vector<Finding> findings = JudgeAll(test_case, confirmed.observation);
  if (const Finding* same = FindSame(findings, finding)) confirmed.finding = *same;
  return confirmed;
}

absl::StatusOr<Triager::Confirmed> Triager::ConfirmAfter(std::span<const Case> earlier,
                                                         const Case& test_case,
                                                         const Finding& finding) {
  Confirmed confirmed;
  confirmed.test_case = test_case;
  const auto shows = [&](std::span<const Case> before) -> absl::StatusOr<bool> {
    IRATE_ASSIGN_OR_RETURN(Observation observation, harness_.ExecuteAfter(before, test_case));
    const std::vector<Finding> findings = JudgeAll(test_case, observation);
    const Finding* same = FindSame(findings, finding);
    if (same == nullptr) return false;
    confirmed.finding = *same;
    confirmed.observation = std::move(observation);
    return true;
  };
  EarlierOptions options;
  options.stop = options_.reduce.stop;
  IRATE_ASSIGN_OR_RETURN(confirmed.earlier, NeededEarlierCases(earlier, shows, options));
  return confirmed;
}

// A referee that has no opinion (no compiler, a construct without C) does not stand in the way.
bool Triager::RefereeAgrees(const Case& test_case, const Interpretation& reference) {
  if (!options_.referee) return true;
  const absl::StatusOr<std::vector<Tensor>> outputs = options_.referee(test_case);
  if (absl::IsUnimplemented(outputs.status()) || absl::IsNotFound(outputs.status())) return true;
  return outputs.ok() && !Compare(reference, *outputs).has_value();
}

absl::Status Triager::Write(const std::function<absl::Status()>& write) {
  absl::Status status = write();
  return status.ok() || !options_.defer ? status : options_.defer(write, status);
}

absl::StatusOr<bool> Triager::Store(const Confirmed& confirmed, TriageResult* result) {
  const bool is_new = !store_.Contains(result->finding.signature());
  IRATE_ASSIGN_OR_RETURN(Sighting sighting,
                         MakeSighting(confirmed.test_case, confirmed.observation, result->finding,
                                      harness_.worker(), options_.reproducer));
  sighting.earlier = confirmed.earlier;
  result->path = store_.PathOf(result->finding.signature());
  result->reproducer_verified = sighting.reproducer_verified;
  IRATE_RETURN_IF_ERROR(Write([store = &store_, sighting = std::move(sighting)] {
    return store->Record(sighting).status();
  }));
  return is_new;
}

}  // namespace irate
