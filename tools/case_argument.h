// A Case on the command line, given as a file or as the folder of a finding.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"

namespace irate {

struct CaseArgument {
  Case test_case;
  std::string case_path;
  std::string folder;     // of the finding; empty for a file
  std::string signature;  // the folder's; empty for a file
};

// Errors say what is missing: no such file, no finding.json beside the Case.
absl::StatusOr<CaseArgument> ReadCaseArgument(const std::string& path);

}  // namespace irate
