// What a sanitized run reported (VariantObservation.violations), as findings. Shared by the oracles
// of tier 2, each of which takes one family of kinds (execution/sanitized/case_sanitizer.h).
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/observation.pb.h"

namespace irate {

// One finding for each kind of the family, about its first violation; the others are counted in the
// detail. Shape: the kind without the family. None where the compiler's own module was not
// defined any more when code was generated from it: that is a pass's fault.
//
// `culprit` is whom a kind is blamed on; empty: on the code generator.
std::vector<Finding> ViolationFindings(
    std::string_view oracle, std::string_view family, const Case& test_case,
    const Observation& observation, uint32_t variant,
    const std::function<std::string(std::string_view kind)>& culprit = nullptr);

}  // namespace irate
