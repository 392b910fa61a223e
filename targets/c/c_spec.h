// The options of the C target, out of their JSON form.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"

namespace irate::c_target {

struct CSpec {
  std::string compiler = "clang-22";
  std::string opt = "-O2";
  std::vector<std::string> flags;
};

// InvalidArgument names the key or the place in the text.
absl::StatusOr<CSpec> ParseSpec(const std::string& options);
std::string FormatSpec(const CSpec& spec);

}  // namespace irate::c_target
