#include "bench/faults/fault_judge.h"

#include <algorithm>
#include <set>

#include "ir/status_macros.h"
#include "oracles/oracle.h"

namespace irate {
namespace {

std::vector<Finding> Findings(const Case& test_case, const Observation& observation) {
  std::vector<Finding> findings = JudgeAll(test_case, observation);
  // A refusal is no finding for a user, but it is what a fault that refuses does.
  for (Finding& finding : JudgeAdvisory(test_case, observation)) {
    findings.push_back(std::move(finding));
  }
  return findings;
}

bool IsAdvisory(const Finding& finding) { return finding.oracle() == "rejected"; }

}  // namespace

std::string ExpectedCulprit(const rewrite::Rule& rule, const std::string& culprit,
                            const std::string& pass) {
  const std::vector<std::string>& stated = rule.expected_culprits;
  if (stated.empty() && pass == rewrite::kAtRuntime) {
    return rule.message.starts_with("runtime.") ? rewrite::kAtRuntime : rewrite::kAtCodegen;
  }
  if (stated.empty()) return pass;
  return std::ranges::find(stated, culprit) != stated.end() ? culprit : stated[0];
}

bool NeedsSanitizedRun(const rewrite::Rule& rule) {
  for (const std::string& oracle : rewrite::ExpectedOracles(rule)) {
    for (const char* name :
         {"memory-error", "value-error", "contract-violation", "abi-violation", "wrong-call"}) {
      if (oracle == name) return true;
    }
  }
  return false;
}

bool IsExpected(const rewrite::Rule& rule, const std::string& oracle, const std::string& culprit,
                const std::string& pass) {
  const std::vector<std::string> oracles = rewrite::ExpectedOracles(rule);
  return std::ranges::find(oracles, oracle) != oracles.end() &&
         culprit == ExpectedCulprit(rule, culprit, pass);
}

std::string FaultSwitch(const rewrite::Rule& rule) {
  return rule.action == rewrite::Rule::Action::kRuntime ? rule.message : rule.name;
}

absl::StatusOr<FaultVerdict> FaultJudge::Compare(const Case& with, Harness& harness,
                                                 const std::string& pass) {
  FaultVerdict verdict;
  IRATE_ASSIGN_OR_RETURN(const Observation on, harness.Execute(with));
  for (const VariantObservation& variant : on.variants()) {
    for (const FaultObservation& fault : variant.faults()) verdict.triggered |= fault.triggered();
  }
  std::vector<Finding> findings = Findings(with, on);
  if (findings.empty()) return verdict;
  Case without = with;
  without.clear_faults();
  IRATE_ASSIGN_OR_RETURN(const Observation off, harness.Execute(without));
  std::set<std::string> live;
  for (const Finding& finding : Findings(without, off)) live.insert(finding.signature());
  std::erase_if(findings, [&](const Finding& f) { return live.contains(f.signature()); });
  if (findings.empty()) return verdict;
  IRATE_ASSIGN_OR_RETURN(const Observation again, harness.ExecuteFresh(with));
  std::set<std::string> confirmed;
  for (const Finding& finding : Findings(with, again)) confirmed.insert(finding.signature());
  std::erase_if(findings, [&](const Finding& f) { return !confirmed.contains(f.signature()); });
  const std::vector<std::string> oracles = rewrite::ExpectedOracles(rule_);
  const bool refusal_wanted = std::ranges::find(oracles, "rejected") != oracles.end();
  if (!refusal_wanted) std::erase_if(findings, IsAdvisory);
  if (findings.empty()) return verdict;
  const auto best = std::ranges::find_if(findings, [&](const Finding& finding) {
    return IsExpected(rule_, finding.oracle(), finding.culprit(), pass);
  });
  const Finding& finding = best == findings.end() ? findings[0] : *best;
  verdict.detected = true;
  verdict.oracle = finding.oracle();
  verdict.culprit = finding.culprit();
  verdict.summary = finding.summary();
  return verdict;
}

absl::StatusOr<FaultVerdict> FaultJudge::Judge(const Case& test_case, const PassSequence& passes,
                                               int last, const std::string& pass, bool sanitize) {
  Case with = test_case;
  with.clear_faults();
  with.add_faults(FaultSwitch(rule_));
  *with.mutable_passes() = passes;
  const bool needs_code = rule_.action == rewrite::Rule::Action::kRuntime;
  if (last > 0 && last < passes.steps_size() && !rule_.is_null && !needs_code) {
    Case prefix = with;
    prefix.mutable_passes()->mutable_steps()->DeleteSubrange(last, passes.steps_size() - last);
    IRATE_ASSIGN_OR_RETURN(Harness * quick, harnesses_.Quick());
    IRATE_ASSIGN_OR_RETURN(FaultVerdict verdict, Compare(prefix, *quick, pass));
    if (verdict.detected && IsExpected(rule_, verdict.oracle, verdict.culprit, pass)) {
      return verdict;
    }
  }
  FaultVerdict verdict;
  if (!needs_code) {
    IRATE_ASSIGN_OR_RETURN(Harness * thorough, harnesses_.Thorough());
    IRATE_ASSIGN_OR_RETURN(verdict, Compare(with, *thorough, pass));
    const bool is_expected =
        verdict.detected && IsExpected(rule_, verdict.oracle, verdict.culprit, pass);
    if (is_expected || (verdict.detected && !NeedsSanitizedRun(rule_))) return verdict;
  }
  if (!harnesses_.CanSanitize() || !(sanitize || needs_code)) return verdict;
  IRATE_ASSIGN_OR_RETURN(Harness * sanitized, harnesses_.Sanitized());
  return Compare(with, *sanitized, pass);
}

}  // namespace irate
