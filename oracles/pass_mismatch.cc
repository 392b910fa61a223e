// A pass whose result does not mean what its input means, by the interpreter: other values, other
// outputs, undefined behaviour, or a program that runs ten times longer without an end. Strict mode
// only: an order that breaks a pass's precondition may give wrong results.
//
// Shape: "value", "outputs", "undefined: <rule>" or "diverges".

#include "fmt/format.h"
#include "oracles/failure.h"
#include "oracles/normalise.h"
#include "oracles/oracle_list.h"
#include "oracles/pass_walk.h"

namespace irate {
namespace {

using Kind = PassDeviation::Kind;

std::string Shape(const PassDeviation& deviation) {
  switch (deviation.kind) {
    case Kind::kValue:
      return "value";
    case Kind::kOutputs:
      return "outputs";
    case Kind::kUndefined:
      return fmt::format("undefined: {}", NormaliseReason(deviation.after->reason()));
    case Kind::kDiverges:
      return "diverges";
  }
  return "";
}

std::string Detail(const PassDeviation& deviation) {
  switch (deviation.kind) {
    case Kind::kUndefined:
      return fmt::format("the input of {} is defined, its result is not: {} at {}",
                         deviation.culprit, deviation.after->reason(), deviation.after->place());
    case Kind::kDiverges:
      return fmt::format("the input of {} ends after {} steps, its result does not within {}",
                         deviation.culprit, deviation.before->steps(), deviation.after->steps());
    default:
      return fmt::format("before and after {}: {}", deviation.culprit,
                         deviation.difference->ToString());
  }
}

std::string Summary(const PassDeviation& deviation) {
  switch (deviation.kind) {
    case Kind::kUndefined:
      return fmt::format("{} makes a defined program undefined: {}", deviation.culprit,
                         deviation.after->reason());
    case Kind::kDiverges:
      return fmt::format("{} makes a program that ends run on", deviation.culprit);
    default:
      return fmt::format("{} changes a result from {} to {}", deviation.culprit,
                         deviation.difference->expected, deviation.difference->actual);
  }
}

class PassMismatchOracle : public Oracle {
 public:
  std::string_view Name() const override { return "pass-mismatch"; }
  std::string_view Description() const override {
    return "a pass changes what the program computes, by the interpreter (strict mode)";
  }
  std::vector<Finding> Judge(const Case& test_case, const Observation& observation,
                             uint32_t variant) const override {
    if (!IsStrict(test_case)) return {};
    std::vector<Finding> findings;
    for (const PassDeviation& deviation : WalkPasses(observation, variant).deviations) {
      Finding finding = NewFinding(Name(), observation, variant, deviation.culprit, deviation.step);
      finding.set_shape(Shape(deviation));
      finding.set_summary(Summary(deviation));
      finding.set_detail(Detail(deviation));
      findings.push_back(std::move(finding));
    }
    return findings;
  }
};

}  // namespace

std::unique_ptr<Oracle> MakePassMismatchOracle() { return std::make_unique<PassMismatchOracle>(); }

}  // namespace irate
