// TVM's pass map, targets/tvm/pass_map.json, as it was when this was built. Needs no compiler.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "ir/pass_map.h"

namespace irate {

// The text of the file.
const std::string& TvmPassMapText();

// Parsed once; an error has file and line.
const absl::StatusOr<PassMap>& TvmPassMap();

}  // namespace irate
