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
  bool doubtful = false;
  std::string avoid;              // a file of feature names; empty: DefaultAvoidFile(); "none"
  std::string sequences = "mix";  // or a kind of pass sequence
  std::string seeds;              // a folder of Cases; empty: DefaultSeedsFolder(); "none"
};

void AddGenerateOptions(CLI::App* command, GenerateArguments* arguments);

// Passes are those of `target`. InvalidArgument, with what names there are, for a family, feature
// or kind of sequence that there is not, and for sequences of a target without a pass map.
absl::StatusOr<GenerateOptions> MakeGenerateOptions(const GenerateArguments& arguments,
                                                    const std::string& target);

}  // namespace irate
