// A schedule as Python statements.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"

namespace irate {

// The statements that make `sch` of `Module` and apply the steps to `function`; without those that
// TVM refused in `observation`. Empty if no step is left.
absl::StatusOr<std::string> TvmScheduleText(const Schedule& schedule, const std::string& function,
                                            const VariantObservation& observation);

}  // namespace irate
