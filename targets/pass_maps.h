// The pass maps of the compilers under test, by target; needs no compiler to be there.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "ir/pass_map.h"

namespace irate {

// NotFound for a target without a map, which can be fuzzed with its default passes only.
// InvalidArgument, with file and line, for a map that is wrong.
absl::StatusOr<const PassMap*> PassMapOf(const std::string& target);

}  // namespace irate
