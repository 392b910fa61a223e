// irate run --findings: what irate fuzz does with a finding, for one Case.
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"
#include "tools/environment.h"

namespace irate {

// Reduces (with `reduce`), names, confirms and records each of `findings` (of `test_case`) in the
// folder `directory`, and says on stderr where, or why not. Nothing is taken as known.
absl::Status RecordFindings(const Case& test_case, const std::vector<Finding>& findings,
                            const EnvironmentOptions& environment, const std::string& directory,
                            bool reduce);

}  // namespace irate
