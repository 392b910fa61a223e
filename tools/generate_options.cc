#include "tools/generate_options.h"

#include "fmt/format.h"
#include "generators/features.h"

namespace irate {

void AddGenerateOptions(CLI::App* command, GenerateArguments* arguments) {
  command->add_option("--family", arguments->family, "Generate only this family of programs");
  command->add_option("--disable", arguments->disabled, "Leave out a feature; may be repeated");
}

absl::StatusOr<GenerateOptions> MakeGenerateOptions(const GenerateArguments& arguments) {
  std::string families;
  bool found = arguments.family.empty();
  for (const auto& generator : Generators()) {
    families += fmt::format(" {}", generator->Family());
    found |= generator->Family() == arguments.family;
  }
  if (!found) {
    return absl::InvalidArgumentError(
        fmt::format("there is no family {}; there are:{}", arguments.family, families));
  }
  for (const std::string& name : arguments.disabled) {
    if (FindFeature(name).has_value()) continue;
    return absl::InvalidArgumentError(
        fmt::format("there is no feature {}; `irate generate --list-features` names them", name));
  }
  GenerateOptions options;
  options.family = arguments.family;
  options.disabled_features = {arguments.disabled.begin(), arguments.disabled.end()};
  return options;
}

}  // namespace irate
