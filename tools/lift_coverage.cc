#include "tools/lift_coverage.h"

#include <set>

#include "fmt/format.h"
#include "ir/status_macros.h"
#include "nlohmann/json.hpp"
#include "oracles/normalise.h"

namespace irate {
namespace {

using Json = nlohmann::ordered_json;

bool SplitsHostAndDevice(const std::string& pass) { return pass.ends_with("SplitHostDevice"); }

void Add(const StepObservation& step, LiftCount* count) {
  ++count->changed;
  if (!step.has_lifted()) return;
  ++count->lifted;
  count->interpreted += step.interpretation().status() != Interpretation::UNSUPPORTED ? 1 : 0;
}

// Empty where the step was lifted and interpreted.
std::string Missing(const StepObservation& step, const std::set<std::string>& names) {
  if (!step.has_lifted()) {
    return step.lift_failure().empty() ? "not lifted"
                                       : NormaliseMessage(step.lift_failure(), names);
  }
  if (step.interpretation().status() != Interpretation::UNSUPPORTED) return "";
  return NormaliseMessage(step.interpretation().reason(), names);
}

void Add(const Case& test_case, const VariantObservation& variant, LiftCoverage* coverage) {
  const std::set<std::string> names = ProgramNames(test_case.module());
  bool split = false;
  for (const StepObservation& step : variant.steps()) {
    split = split || SplitsHostAndDevice(step.pass());
    if (step.index() < 0 || step.outcome() != StepObservation::CHANGED) continue;
    Add(step, split ? &coverage->after_split : &coverage->before_split);
    Add(step, &coverage->passes[step.pass()]);
    const std::string missing = Missing(step, names);
    if (!missing.empty()) ++coverage->constructs[fmt::format("{}: {}", step.pass(), missing)];
  }
}

Json ToJsonValue(const LiftCount& count) {
  return {{"changed", count.changed},
          {"lifted", count.lifted},
          {"interpreted", count.interpreted},
          {"share", count.Share()}};
}

std::string Row(const std::string& name, const LiftCount& count) {
  return fmt::format("{:<52} {:>8} {:>8} {:>11}  {:6.2f} %\n", name, count.changed, count.lifted,
                     count.interpreted, 100 * count.Share());
}

}  // namespace

std::string LiftCoverage::ToText() const {
  std::string text = fmt::format("{} cases\n{:<52} {:>8} {:>8} {:>11}\n", cases, "pass", "changed",
                                 "lifted", "interpreted");
  for (const auto& [pass, count] : passes) text += Row(pass, count);
  text += Row("before the host/device split (95 % asked)", before_split);
  text += Row("from the host/device split on (80 % asked)", after_split);
  for (const auto& [construct, count] : constructs) {
    text += fmt::format("missing {:>8}  {}\n", count, construct);
  }
  return text;
}

std::string LiftCoverage::ToJson() const {
  Json by_pass = Json::object();
  for (const auto& [pass, count] : passes) by_pass[pass] = ToJsonValue(count);
  const Json json = {{"cases", cases},
                     {"ok", Sufficient()},
                     {"before_split", ToJsonValue(before_split)},
                     {"after_split", ToJsonValue(after_split)},
                     {"passes", by_pass},
                     {"missing", constructs}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

absl::StatusOr<LiftCoverage> MeasureLifting(Harness& harness, uint64_t seed, uint64_t count,
                                            const std::function<void(uint64_t)>& progress) {
  LiftCoverage coverage;
  for (uint64_t i = 0; i < count; ++i) {
    const Case test_case = GenerateCase(CaseSeed(seed, i));
    IRATE_ASSIGN_OR_RETURN(const Observation observation, harness.Execute(test_case));
    ++coverage.cases;
    for (const VariantObservation& variant : observation.variants()) {
      Add(test_case, variant, &coverage);
    }
    progress(i + 1);
  }
  return coverage;
}

}  // namespace irate
