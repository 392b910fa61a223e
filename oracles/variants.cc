// Variants of one Case against each other: builds of one module by one compiler with other options
// (opt-level, mcpu, vector-width) must agree, within the sum of the bounds of floats, and one must
// not be refused where another is accepted. A variant that differs from its own interpretation is
// the business of codegen-mismatch and is not compared.
//
// Shape: "value", or "refused: <message>".

#include "fmt/format.h"
#include "ir/compare.h"
#include "ir/device_spec.h"
#include "oracles/failure.h"
#include "oracles/normalise.h"
#include "oracles/oracle_list.h"
#include "oracles/pass_walk.h"

namespace irate {
namespace {

std::vector<Tensor> Outputs(const VariantObservation& variant) {
  return {variant.outputs().begin(), variant.outputs().end()};
}

bool Ran(const VariantObservation& variant) {
  return variant.failure().kind() == Failure::NONE && variant.outputs_size() != 0;
}

// The first variant before `variant` of the same compiler that ran; -1 if there is none.
int PeerOf(const Observation& observation, uint32_t variant) {
  const std::string& target = observation.variants(static_cast<int>(variant)).spec().target();
  for (int i = 0; i < observation.variants_size(); ++i) {
    if (i == static_cast<int>(variant)) continue;
    const VariantObservation& other = observation.variants(i);
    if (other.spec().target() == target && Ran(other)) return i;
  }
  return -1;
}

class VariantsOracle : public Oracle {
 public:
  std::string_view Name() const override { return "variants"; }
  std::string_view Description() const override {
    return "builds of one program with other options disagree";
  }
  std::vector<Finding> Judge(const Case& test_case, const Observation& observation,
                             uint32_t variant) const override {
    if (!IsStrict(test_case)) return {};
    const int peer = PeerOf(observation, variant);
    if (peer < 0) return {};
    const VariantObservation& seen = observation.variants(static_cast<int>(variant));
    const VariantObservation& other = observation.variants(peer);
    // A device may lack what the processor has.
    const bool same_machine = DeviceOf(seen.spec()) == DeviceOf(other.spec());
    if (same_machine && seen.failure().kind() == Failure::DIAGNOSTIC &&
        InCompiler(seen.failure())) {
      Finding finding = NewFinding(Name(), observation, variant, CulpritOf(seen.failure()),
                                   seen.failure().step());
      finding.set_shape(fmt::format(
          "refused: {}",
          NormaliseMessage(seen.failure().message(), ProgramNames(test_case.module()))));
      finding.set_summary(fmt::format("'{}' is refused where '{}' is accepted",
                                      seen.spec().options(), other.spec().options()));
      finding.set_detail(DescribeFailure(seen.failure()));
      return {finding};
    }
    // One finding for a pair.
    if (!Ran(seen) || peer > static_cast<int>(variant)) return {};
    const PassWalk walk = WalkPasses(observation, variant);
    if (walk.last->status() != Interpretation::DEFINED) return {};
    if (Compare(*walk.last, Outputs(seen)).has_value() ||
        Compare(*walk.last, Outputs(other)).has_value() ||
        walk.last->outputs_size() != other.outputs_size()) {
      return {};
    }
    Interpretation expected = *walk.last;
    for (int i = 0; i < other.outputs_size(); ++i) {
      *expected.mutable_outputs(i)->mutable_tensor() = other.outputs(i);
    }
    const std::optional<Difference> difference = Compare(expected, Outputs(seen));
    if (!difference.has_value()) return {};
    Finding finding = NewFinding(Name(), observation, variant, CodegenCulprit(walk), -1);
    finding.set_shape("value");
    finding.set_summary(fmt::format("'{}' computes {}, '{}' {}", seen.spec().options(),
                                    difference->actual, other.spec().options(),
                                    difference->expected));
    finding.set_detail(difference->ToString());
    return {finding};
  }
};

}  // namespace

std::unique_ptr<Oracle> MakeVariantsOracle() { return std::make_unique<VariantsOracle>(); }

}  // namespace irate
