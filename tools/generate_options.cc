#include "tools/generate_options.h"

#include <algorithm>
#include <memory>
#include <sstream>
#include <utility>
#include <vector>

#include "fmt/format.h"
#include "generators/feature_list.h"
#include "generators/features.h"
#include "generators/seed_programs.h"
#include "generators/sequence.h"
#include "ir/file.h"
#include "ir/status_macros.h"
#include "targets/pass_maps.h"
#include "tools/environment.h"

namespace irate {
namespace {

constexpr char kMix[] = "mix";

absl::Status ChooseSequences(const std::string& kind, const std::string& target,
                             GenerateOptions* options) {
  if (kind == Name(SequenceKind::kDefault)) return absl::OkStatus();
  const std::optional<SequenceKind> found = FindSequenceKind(kind);
  if (kind != kMix && !found.has_value()) {
    return absl::InvalidArgumentError(fmt::format(
        "there is no kind of pass sequence {}; there are: mix default options strict wild", kind));
  }
  const absl::StatusOr<const PassMap*> map = PassMapOf(target);
  if (absl::IsNotFound(map.status())) {
    if (kind == kMix) return absl::OkStatus();
    return absl::InvalidArgumentError(
        fmt::format("{}, which --sequences {} needs", std::string(map.status().message()), kind));
  }
  if (!map.ok()) return map.status();
  options->pass_map = *map;
  if (found.has_value()) options->sequences = Only(*found);
  return absl::OkStatus();
}

absl::Status CheckFeature(const std::string& name) {
  if (FindFeature(name).has_value()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      fmt::format("there is no feature {}; `irate generate --list-features` names them", name));
}

absl::Status ReadNames(const std::string& path, std::set<std::string>* features) {
  constexpr size_t kMaxBytes = 1 << 20;
  IRATE_ASSIGN_OR_RETURN(const std::string text, ReadFile(path, kMaxBytes));
  for (const std::string& name : ListedFeatures(text)) {
    IRATE_RETURN_IF_ERROR(CheckFeature(name));
    features->insert(name);
  }
  return absl::OkStatus();
}

// Without the source tree beside it the program goes without its lists.
absl::Status ReadIfThere(const std::string& path, std::set<std::string>* features) {
  const absl::Status status = ReadNames(path, features);
  return absl::IsNotFound(status) ? absl::OkStatus() : status;
}

}  // namespace

void AddGenerateOptions(CLI::App* command, GenerateArguments* arguments) {
  command->add_option("--family", arguments->family, "Generate only this family of programs");
  command->add_option("--disable", arguments->disabled, "Leave out a feature; may be repeated");
  command->add_flag("--no-schedules", arguments->no_schedules,
                    "The same programs without their schedules");
  command->add_option("--seeds", arguments->seeds,
                      "Folder of programs that some Cases are made of; none: no such Cases;\n"
                      "without the option: corpus/seeds");
  command->add_option("--avoid", arguments->avoid,
                      "File of features that three Cases of four are made without; none: no such\n"
                      "features; without the option: corpus/known/avoid.txt");
  command->add_flag("--doubtful", arguments->doubtful,
                    "Also what is left out because its findings are in doubt:\n"
                    "corpus/known/doubtful.txt");
  command
      ->add_option(
          "--sequences", arguments->sequences,
          "Passes of the Cases: default (the compiler's pipeline), options (the same under "
          "drawn options), strict (changed as the pass map allows), wild (any order), or mix")
      ->capture_default_str();
}

absl::StatusOr<GenerateOptions> MakeGenerateOptions(const GenerateArguments& arguments,
                                                    const std::string& target) {
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
  for (const std::string& name : arguments.disabled) IRATE_RETURN_IF_ERROR(CheckFeature(name));
  GenerateOptions options;
  if (arguments.avoid.empty()) {
    IRATE_RETURN_IF_ERROR(ReadIfThere(DefaultAvoidFile(), &options.avoided_features));
  } else if (arguments.avoid != "none") {
    IRATE_RETURN_IF_ERROR(ReadNames(arguments.avoid, &options.avoided_features));
  }
  IRATE_RETURN_IF_ERROR(ChooseSequences(arguments.sequences, target, &options));
  options.family = arguments.family;
  if (arguments.seeds != "none") {
    IRATE_ASSIGN_OR_RETURN(
        std::vector<Case> seeds,
        LoadSeedPrograms(arguments.seeds.empty() ? DefaultSeedsFolder() : arguments.seeds));
    options.seeds = std::make_shared<const std::vector<Case>>(std::move(seeds));
  }
  options.devices = target == "tvm";
  options.schedules = !arguments.no_schedules;
  options.disabled_features = {arguments.disabled.begin(), arguments.disabled.end()};
  if (!arguments.doubtful) {
    IRATE_RETURN_IF_ERROR(ReadIfThere(DefaultDoubtfulFile(), &options.disabled_features));
  }
  return options;
}

}  // namespace irate
