// The options of commands that generate Cases: which family, which features.
#pragma once

#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "absl/status/statusor.h"
#include "generators/generator.h"

namespace irate {

struct GenerateArguments {
  std::string family;
  std::vector<std::string> disabled;
  bool no_schedules = false;
  std::string seeds;
  std::string avoid;  // a file of feature names; empty: DefaultAvoidFile(); "none"
};

void AddGenerateOptions(CLI::App* command, GenerateArguments* arguments);

// InvalidArgument, with what names there are, for a family or feature that there is not.
absl::StatusOr<GenerateOptions> MakeGenerateOptions(const GenerateArguments& arguments);

}  // namespace irate
