#include "oracles/violations.h"

#include <map>

#include "fmt/format.h"
#include "oracles/failure.h"
#include "oracles/pass_walk.h"

namespace irate {
namespace {

std::string FirstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

std::string Describe(const ContractViolation& violation, size_t others) {
  std::string text = violation.detail();
  if (!violation.function().empty()) text += fmt::format("\nin {}", violation.function());
  if (!violation.place().empty()) text += fmt::format("\nat {}", violation.place());
  if (others > 0) text += fmt::format("\nand {} more of this kind", others);
  return text;
}

}  // namespace

std::vector<Finding> ViolationFindings(
    std::string_view oracle, std::string_view family, const Case& test_case,
    const Observation& observation, uint32_t variant,
    const std::function<std::string(std::string_view kind)>& culprit) {
  if (!IsStrict(test_case)) return {};
  const std::string prefix = fmt::format("{}.", family);
  std::map<std::string, std::vector<const ContractViolation*>> by_kind;
  for (const ContractViolation& violation :
       observation.variants(static_cast<int>(variant)).violations()) {
    if (violation.advisory() || !violation.kind().starts_with(prefix)) continue;
    by_kind[violation.kind().substr(prefix.size())].push_back(&violation);
  }
  if (by_kind.empty()) return {};
  const PassWalk walk = WalkPasses(observation, variant);
  if (walk.last->status() != Interpretation::DEFINED) return {};
  std::vector<Finding> findings;
  for (const auto& [kind, violations] : by_kind) {
    std::string blamed = culprit ? culprit(kind) : "";
    if (blamed.empty()) blamed = CodegenCulprit(walk);
    Finding finding = NewFinding(oracle, observation, variant, blamed, -1);
    finding.set_shape(kind);
    finding.set_summary(FirstLine(violations.front()->detail()));
    finding.set_detail(Describe(*violations.front(), violations.size() - 1));
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace irate
