#include "bench/triage/fault_truth.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "bench/faults/fault_judge.h"
#include "ir/status_macros.h"
#include "oracles/oracle.h"
#include "triage/finding_harness.h"

namespace irate {
namespace {

using Action = rewrite::Rule::Action;

constexpr auto kOrigins = std::to_array<std::pair<Origin, std::string_view>>({
    {Origin::kOwn, "own"},
    {Origin::kMixed, "mixed"},
    {Origin::kSibling, "sibling"},
    {Origin::kLive, "live"},
    {Origin::kLost, "lost"},
});

bool SharesAPass(const rewrite::Rule& a, const rewrite::Rule& b) {
  return std::ranges::any_of(a.passes, [&](const std::string& pass) {
    return std::ranges::find(b.passes, pass) != b.passes.end();
  });
}

Case WithFaults(const Case& test_case, const std::vector<std::string>& faults) {
  Case result = test_case;
  result.mutable_faults()->Assign(faults.begin(), faults.end());
  return result;
}

std::vector<std::string> Without(const Case& test_case, const std::string& fault) {
  std::vector<std::string> rest;
  for (const std::string& name : test_case.faults()) {
    if (name != fault) rest.push_back(name);
  }
  return rest;
}

absl::StatusOr<std::set<std::string>> Signatures(Harness& harness, const Case& test_case) {
  IRATE_ASSIGN_OR_RETURN(const Observation observation, harness.Execute(test_case));
  std::set<std::string> signatures;
  for (const Finding& finding : JudgeAll(test_case, observation)) {
    signatures.insert(finding.signature());
  }
  return signatures;
}

}  // namespace

std::vector<std::string> WithSiblings(const rewrite::Rule& rule,
                                      const std::vector<rewrite::Rule>& rules) {
  if (rule.action == Action::kRuntime) return {FaultSwitch(rule)};
  std::vector<std::string> names;
  for (const rewrite::Rule& other : rules) {
    const bool is_quick = other.action != Action::kRuntime && other.action != Action::kHang &&
                          other.action != Action::kExhaust && other.action != Action::kLeak;
    const bool is_sibling = !other.is_null && is_quick && SharesAPass(rule, other);
    if (other.name == rule.name || is_sibling) names.push_back(FaultSwitch(other));
  }
  return names;
}

std::string_view OriginName(Origin origin) {
  return std::ranges::find(kOrigins, origin, &std::pair<Origin, std::string_view>::first)->second;
}

std::optional<Origin> OriginFrom(std::string_view name) {
  const auto found =
      std::ranges::find(kOrigins, name, &std::pair<Origin, std::string_view>::second);
  return found == kOrigins.end() ? std::optional<Origin>() : found->first;
}

absl::StatusOr<std::optional<Finding>> FaultTruth::OwnFindingIn(Harness& harness,
                                                                const rewrite::Rule& rule,
                                                                const Case& with,
                                                                const std::string& pass) {
  IRATE_ASSIGN_OR_RETURN(const Observation observation, harness.Execute(with));
  std::vector<Finding> findings = JudgeAll(with, observation);
  if (findings.empty()) return std::optional<Finding>();
  const std::string fault = FaultSwitch(rule);
  const std::vector<std::string> siblings = Without(with, fault);
  IRATE_ASSIGN_OR_RETURN(const std::set<std::string> live,
                         Signatures(harness, WithFaults(with, {})));
  IRATE_ASSIGN_OR_RETURN(const std::set<std::string> alone,
                         Signatures(harness, WithFaults(with, {fault})));
  IRATE_ASSIGN_OR_RETURN(const std::set<std::string> others,
                         Signatures(harness, WithFaults(with, siblings)));
  std::erase_if(findings, [&](const Finding& finding) {
    const std::string& signature = finding.signature();
    return live.contains(signature) || others.contains(signature) || !alone.contains(signature);
  });
  if (findings.empty()) return std::optional<Finding>();
  IRATE_ASSIGN_OR_RETURN(const Observation again, harness.ExecuteFresh(with));
  std::set<std::string> confirmed;
  for (const Finding& finding : JudgeAll(with, again)) confirmed.insert(finding.signature());
  std::erase_if(findings, [&](const Finding& f) { return !confirmed.contains(f.signature()); });
  if (findings.empty()) return std::optional<Finding>();
  const auto best = std::ranges::find_if(findings, [&](const Finding& finding) {
    return IsExpected(rule, finding.oracle(), finding.culprit(), pass);
  });
  return std::optional<Finding>(best == findings.end() ? findings[0] : *best);
}

absl::StatusOr<std::optional<Finding>> FaultTruth::OwnFinding(
    const rewrite::Rule& rule, const std::vector<std::string>& faults, const Case& test_case,
    const std::string& pass) {
  const Case with = WithFaults(test_case, faults);
  if (rule.action != Action::kRuntime) {
    IRATE_ASSIGN_OR_RETURN(Harness * quick, harnesses_.Quick());
    IRATE_ASSIGN_OR_RETURN(std::optional<Finding> finding, OwnFindingIn(*quick, rule, with, pass));
    if (finding.has_value()) return finding;
    IRATE_ASSIGN_OR_RETURN(Harness * thorough, harnesses_.Thorough());
    IRATE_ASSIGN_OR_RETURN(finding, OwnFindingIn(*thorough, rule, with, pass));
    if (finding.has_value()) return finding;
  }
  if (!NeedsSanitizedRun(rule) || !harnesses_.CanSanitize()) return std::optional<Finding>();
  IRATE_ASSIGN_OR_RETURN(Harness * sanitized, harnesses_.Sanitized());
  return OwnFindingIn(*sanitized, rule, with, pass);
}

absl::StatusOr<Origin> FaultTruth::OriginOf(const rewrite::Rule& rule, const Case& test_case,
                                            const std::string& oracle,
                                            const std::string& raw_signature) {
  Harness* harness = nullptr;
  if (NeedsSanitizedRun(oracle)) {
    IRATE_ASSIGN_OR_RETURN(harness, harnesses_.Sanitized());
  } else {
    IRATE_ASSIGN_OR_RETURN(harness, harnesses_.Thorough());
  }
  const auto shows = [&](const std::vector<std::string>& faults) -> absl::StatusOr<bool> {
    IRATE_ASSIGN_OR_RETURN(const std::set<std::string> signatures,
                           Signatures(*harness, WithFaults(test_case, faults)));
    return signatures.contains(raw_signature);
  };
  const std::string fault = FaultSwitch(rule);
  IRATE_ASSIGN_OR_RETURN(const bool shown,
                         shows({test_case.faults().begin(), test_case.faults().end()}));
  if (!shown) return Origin::kLost;
  IRATE_ASSIGN_OR_RETURN(const bool live, shows({}));
  if (live) return Origin::kLive;
  IRATE_ASSIGN_OR_RETURN(const bool alone, shows({fault}));
  if (!alone) return Origin::kSibling;
  IRATE_ASSIGN_OR_RETURN(const bool others, shows(Without(test_case, fault)));
  return others ? Origin::kMixed : Origin::kOwn;
}

}  // namespace irate
