#include "fuzzers/case_source.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "fmt/format.h"
#include "fuzzers/case_codec.h"
#include "generators/generator.h"
#include "ir/file.h"
#include "ir/status_macros.h"
#include "ir/text.h"
#include "nlohmann/json.hpp"
#include "triage/files.h"

namespace irate {
namespace {

namespace fs = std::filesystem;

// Added to the run's seed, so that what is drawn for mutation is not what is drawn for generation.
constexpr uint64_t kMutationSeed = 0x6d757461746531;
// Parents are drawn from the newest ones half of the time.
constexpr int64_t kNewest = 64;
// One in so many children has parts of two parents.
constexpr int kCrossOneIn = 6;
// Without feedback: one in so many Cases goes to the pool.
constexpr uint64_t kKeepOneIn = 8;

std::string StateFolder(const std::string& corpus) { return corpus + "/.state"; }

uint64_t HashOf(std::string_view bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : bytes) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  return hash;
}

// In order of name; a folder that cannot be read has none.
std::vector<std::string> FilesIn(const std::string& folder) {
  return ListFiles(folder, "").value_or(std::vector<std::string>());
}

bool IsDefined(const Observation& observation) {
  return observation.reference().status() == Interpretation::DEFINED ||
         observation.reference().status() == Interpretation::NOT_RUN;  // wild
}

}  // namespace

CaseSource::CaseSource(const CaseSourceOptions& options, MutateOptions mutate, uint64_t seed,
                       uint64_t job, std::function<Case(uint64_t)> generate)
    : options_(options),
      seed_(seed),
      features_file_(options.corpus.empty()
                         ? ""
                         : fmt::format("{}/features-{}.bin", StateFolder(options.corpus), job)),
      generate_(std::move(generate)),
      engine_([&] {
        mutate.learn &= options.feedback;
        return std::move(mutate);
      }()) {}

absl::StatusOr<std::unique_ptr<CaseSource>> CaseSource::Open(
    const CaseSourceOptions& options, MutateOptions mutate, uint64_t seed, uint64_t job,
    std::function<Case(uint64_t)> generate) {
  std::unique_ptr<CaseSource> source(
      new CaseSource(options, std::move(mutate), seed, job, std::move(generate)));
  if (!options.corpus.empty()) IRATE_RETURN_IF_ERROR(source->Load());
  return source;
}

absl::Status CaseSource::Load() {
  IRATE_RETURN_IF_ERROR(MakeDirectories(StateFolder(options_.corpus)));
  for (const std::string& file : FilesIn(options_.corpus)) {
    const absl::StatusOr<std::string> contents = ReadFile(file, kMaxInputBytes);
    if (!contents.ok()) continue;
    absl::StatusOr<Case> test_case =
        DecodeCase({reinterpret_cast<const uint8_t*>(contents->data()), contents->size()});
    if (test_case.ok()) AddToPool(*std::move(test_case));
  }
  for (const std::string& file : FilesIn(StateFolder(options_.corpus))) {
    if (!file.ends_with(".bin")) continue;
    IRATE_ASSIGN_OR_RETURN(const std::string contents, ReadFile(file, size_t{1} << 28));
    std::vector<uint32_t> features(contents.size() / sizeof(uint32_t));
    // What a killed run left half written would shift all that is appended.
    std::error_code error;
    if (file == features_file_) fs::resize_file(file, features.size() * sizeof(uint32_t), error);
    std::copy_n(contents.data(), features.size() * sizeof(uint32_t),
                reinterpret_cast<char*>(features.data()));
    seen_.Add(features);
  }
  return absl::OkStatus();
}

void CaseSource::AddToPool(Case test_case) {
  if (pool_.size() < options_.pool) {
    pool_.push_back(std::move(test_case));
    return;
  }
  pool_[replaced_] = std::move(test_case);
  replaced_ = (replaced_ + 1) % pool_.size();
}

const Case& CaseSource::PickParent(ChoiceSource& choices) const {
  const auto size = static_cast<int64_t>(pool_.size());
  const int64_t first = choices.Chance(1, 2) ? std::max<int64_t>(0, size - kNewest) : 0;
  return pool_[static_cast<size_t>(choices.Range(first, size - 1))];
}

Case CaseSource::Next(uint64_t index) {
  last_.reset();
  last_index_ = index;
  ChoiceSource choices(CaseSeed(seed_ + kMutationSeed, index));
  if (!options_.mutate || !choices.Chance(options_.mutated_percent, 100) || pool_.empty()) {
    return generate_(index);
  }
  const Case& parent = PickParent(choices);
  const Case& donor = PickParent(choices);
  last_ = choices.Chance(1, kCrossOneIn) ? engine_.Cross(parent, donor, choices)
                                         : engine_.Mutate(parent, &donor, choices);
  return last_.has_value() ? last_->test_case : generate_(index);
}

absl::StatusOr<bool> CaseSource::Learn(const Case& test_case, const Observation& observation) {
  if (!options_.mutate || !IsDefined(observation)) return false;
  if (!options_.feedback) {
    if (CaseSeed(seed_ + kMutationSeed + 1, last_index_) % kKeepOneIn != 0) return false;
    AddToPool(test_case);
    return false;
  }
  const std::vector<uint32_t> features = NoveltyFeatures(test_case, observation);
  const bool interesting = seen_.Add(features) > 0;
  if (last_.has_value()) engine_.Learn(*last_, interesting);
  if (!interesting) return false;
  AddToPool(test_case);
  if (!options_.corpus.empty()) IRATE_RETURN_IF_ERROR(Keep(test_case, features));
  return true;
}

absl::Status CaseSource::Keep(const Case& test_case, const std::vector<uint32_t>& features) {
  const std::string path =
      fmt::format("{}/{:016x}.irate", options_.corpus, HashOf(EncodeCase(test_case)));
  IRATE_RETURN_IF_ERROR(WriteCaseFile(path, test_case));
  std::ofstream file(features_file_, std::ios::binary | std::ios::app);
  file.write(reinterpret_cast<const char*>(features.data()),
             static_cast<std::streamsize>(features.size() * sizeof(uint32_t)));
  file.flush();
  if (!file) return absl::UnavailableError(fmt::format("cannot write {}", features_file_));
  return absl::OkStatus();
}

absl::StatusOr<CorpusProgress> ReadCorpusProgress(const std::string& corpus) {
  const std::string path = StateFolder(corpus) + "/progress.json";
  IRATE_ASSIGN_OR_RETURN(const std::string text, ReadFile(path, size_t{1} << 20));
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("seed") || !json["seed"].is_number_unsigned() ||
      !json.contains("next") || !json["next"].is_number_unsigned()) {
    return absl::InvalidArgumentError(
        fmt::format("{} is damaged; remove it to start the numbers anew", path));
  }
  return CorpusProgress{json["seed"].get<uint64_t>(), json["next"].get<uint64_t>()};
}

absl::Status WriteCorpusProgress(const std::string& corpus, const CorpusProgress& progress) {
  IRATE_RETURN_IF_ERROR(MakeDirectories(StateFolder(corpus)));
  const nlohmann::ordered_json json = {{"seed", progress.seed}, {"next", progress.next}};
  return WriteFileAtomically(StateFolder(corpus) + "/progress.json", json.dump() + "\n");
}

}  // namespace irate
