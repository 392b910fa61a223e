#include "generators/seed_programs.h"

#include <utility>

#include "generators/choice.h"
#include "generators/feature_scan.h"
#include "generators/features.h"
#include "generators/schedule.h"
#include "ir/file.h"
#include "ir/status_macros.h"
#include "ir/text.h"

namespace irate {
namespace {

// In percent of the Cases, and of those that get a schedule.
constexpr int kSeedShare = 8;
constexpr int kScheduled = 80;
// Keeps these choices apart from those of the families for the same seed.
constexpr uint64_t kOwnStream = 0x5EED5EED5EED5EED;

FeatureSet Disabled(const GenerateOptions& options) {
  FeatureSet disabled;
  for (const std::string& name : options.disabled_features) {
    if (const std::optional<Feature> feature = FindFeature(name)) Include(disabled, *feature);
  }
  return disabled;
}

}  // namespace

absl::StatusOr<std::vector<Case>> LoadSeedPrograms(const std::string& folder) {
  // A folder that cannot be read has none.
  const std::vector<std::string> paths =
      ListFiles(folder, ".irate").value_or(std::vector<std::string>());
  std::vector<Case> programs;
  for (const std::string& path : paths) {
    IRATE_ASSIGN_OR_RETURN(Case program, ReadCaseFile(path));
    programs.push_back(std::move(program));
  }
  return programs;
}

std::optional<Case> DrawSeedProgram(uint64_t seed, const GenerateOptions& options) {
  if (options.seeds == nullptr || options.seeds->empty() || !options.family.empty()) {
    return std::nullopt;
  }
  ChoiceSource choices(seed ^ kOwnStream);
  if (!choices.Chance(kSeedShare, 100)) return std::nullopt;
  const auto last = static_cast<int64_t>(options.seeds->size()) - 1;
  Case result = (*options.seeds)[static_cast<size_t>(choices.Range(0, last))];
  const FeatureSet disabled = Disabled(options);
  if ((ScanFeatures(result) & disabled).any()) return std::nullopt;
  if (choices.Chance(kScheduled, 100) && !Has(disabled, Feature::kSchedule)) {
    Schedule schedule = DrawSchedule(choices, result, ~disabled);
    if (options.schedules && schedule.steps_size() != 0) {
      *result.mutable_schedule() = std::move(schedule);
    }
  }
  result.mutable_inputs()->set_seed(
      static_cast<uint64_t>(choices.Range(0, (int64_t{1} << 32) - 1)));
  result.clear_features();
  for (std::string& name : FeatureNames(ScanFeatures(result))) {
    result.add_features(std::move(name));
  }
  return result;
}

}  // namespace irate
