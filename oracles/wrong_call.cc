// A call with wrong arguments, made on purpose, was not refused: it returned success, or did
// damage. Culprit: what makes the checks, the packed API. Shape: what was wrong and what came of
// it: "alignment.accepted", "rank.out-of-bounds".
//
// The checks are asserts. Where a pass was asked to take asserts out (TVM's SkipAssert, which the
// option tirx.disable_assert puts into the pipeline) there is nothing to expect of them.
#include <algorithm>

#include "oracles/oracle_list.h"
#include "oracles/violations.h"

namespace irate {
namespace {

std::string Culprit(std::string_view) { return "packed-api"; }

bool HasNoAsserts(const VariantObservation& variant) {
  return std::ranges::any_of(variant.steps(), [](const StepObservation& step) {
    return step.pass().ends_with("SkipAssert") && step.outcome() != StepObservation::SKIPPED;
  });
}

class WrongCallOracle : public Oracle {
 public:
  std::string_view Name() const override { return "wrong-call"; }
  std::string_view Description() const override {
    return "a call with wrong arguments is not refused by the function's own checks";
  }
  std::vector<Finding> Judge(const Case& test_case, const Observation& observation,
                             uint32_t variant) const override {
    if (HasNoAsserts(observation.variants(static_cast<int>(variant)))) return {};
    return ViolationFindings(Name(), "wrong-call", test_case, observation, variant, Culprit);
  }
};

}  // namespace

std::unique_ptr<Oracle> MakeWrongCallOracle() { return std::make_unique<WrongCallOracle>(); }

}  // namespace irate
