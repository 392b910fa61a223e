// The identity of the null bench through a compiler under test: its lowering, our lifting, and
// passes that promise to change nothing.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "bench/null.h"
#include "execution/api/target.h"

namespace irate {

// For NullOptions.make_identity: makes and loads a target in the process that calls it, and runs
// Cases through `passes` (full names, without arguments; none: only down and up again) without
// building. Every lifted module is an identity. What the target refuses, cannot express or cannot
// lift is Unimplemented; a crash ends the process, which the bench reports.
std::function<absl::StatusOr<Identity>()> TargetIdentity(
    std::function<std::unique_ptr<Target>()> make, std::vector<std::string> passes);

}  // namespace irate
