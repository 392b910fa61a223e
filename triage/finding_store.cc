#include "triage/finding_store.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <utility>

#include "fmt/format.h"
#include "ir/file.h"
#include "ir/status_macros.h"
#include "ir/text.h"
#include "ir/visit.h"
#include "spdlog/spdlog.h"
#include "triage/files.h"
#include "triage/finding_json.h"

namespace irate {
namespace fs = std::filesystem;
namespace {

constexpr char kJsonName[] = "/finding.json";
constexpr size_t kMaxJson = size_t{1} << 20;
constexpr size_t kMaxCaseText = size_t{64} << 20;

absl::StatusOr<FindingRecord> ReadRecord(const std::string& folder) {
  IRATE_ASSIGN_OR_RETURN(const std::string text, ReadFile(folder + kJsonName, kMaxJson));
  absl::StatusOr<FindingRecord> record = FindingRecordFromJson(text);
  if (!record.ok()) {
    return absl::InvalidArgumentError(
        fmt::format("{}{}: {}", folder, kJsonName, std::string(record.status().message())));
  }
  return record;
}

void AddVersion(const std::string& version, FindingRecord* record) {
  if (std::ranges::find(record->versions, version) == record->versions.end()) {
    record->versions.push_back(version);
  }
}

// Two buckets of one bug: all that was seen of either. The finding and the state are those of
// `into`.
FindingRecord Merge(const FindingRecord& into, const FindingRecord& from) {
  FindingRecord merged = into;
  merged.count += from.count;
  if (from.first_seen < merged.first_seen) merged.first_seen = from.first_seen;
  if (from.last_seen > merged.last_seen) merged.last_seen = from.last_seen;
  for (const std::string& version : from.versions) AddVersion(version, &merged);
  for (const auto& [version, verdict] : from.life.verdicts) {
    if (verdict.fails) merged.life.verdicts[version] = verdict;
  }
  return merged;
}

absl::Status WriteEarlier(const std::string& folder, const std::vector<Case>& earlier) {
  std::error_code error;
  fs::remove_all(folder, error);
  if (error) {
    return absl::UnavailableError(fmt::format("cannot remove {}: {}", folder, error.message()));
  }
  if (earlier.empty()) return absl::OkStatus();
  IRATE_RETURN_IF_ERROR(MakeDirectories(folder));
  for (size_t i = 0; i < earlier.size(); ++i) {
    IRATE_RETURN_IF_ERROR(WriteCaseFile(fmt::format("{}/{:04}.irate", folder, i), earlier[i]));
  }
  return absl::OkStatus();
}

absl::Status WriteCaseAndReproducer(const std::string& folder, const Sighting& sighting) {
  IRATE_RETURN_IF_ERROR(WriteEarlier(folder + "/earlier", sighting.earlier));
  IRATE_RETURN_IF_ERROR(WriteCaseFile(folder + "/case.irate", sighting.test_case));
  if (!sighting.reproducer.empty()) {
    IRATE_RETURN_IF_ERROR(WriteFileAtomically(folder + "/reproducer.py", sighting.reproducer));
  }
  for (const char* name : kEvidenceFiles) {
    const std::string path = fmt::format("{}/{}", folder, name);
    const auto file = sighting.files.find(name);
    std::error_code error;
    if (file == sighting.files.end()) {
      fs::remove(path, error);  // that of a Case before
    } else {
      IRATE_RETURN_IF_ERROR(WriteFileAtomically(path, file->second));
    }
  }
  return WriteFileAtomically(folder + "/log.txt", sighting.log);
}

// The sighting's Case becomes that of the bucket.
absl::Status Keep(const std::string& folder, const Sighting& sighting, FindingRecord* record) {
  IRATE_RETURN_IF_ERROR(WriteCaseAndReproducer(folder, sighting));
  record->finding = sighting.finding;
  record->size = CaseSize(sighting.test_case);
  record->earlier_cases = sighting.earlier.size();
  record->reproducer_verified = sighting.reproducer_verified;
  return absl::OkStatus();
}

}  // namespace

uint64_t CaseSize(const Case& test_case) {
  return static_cast<uint64_t>(CountNodes(test_case.module()) + test_case.passes().steps_size());
}

absl::StatusOr<FindingStore> FindingStore::Open(const std::string& directory) {
  IRATE_RETURN_IF_ERROR(MakeDirectories(directory));
  bool is_new = false;
  std::shared_ptr<BucketDatabase> database;
  {
    const absl::StatusOr<FileLock> lock = FileLock::Take(directory + "/.lock");
    if (!lock.ok()) return lock.status();
    absl::StatusOr<BucketDatabase> opened = BucketDatabase::Open(directory, &is_new);
    if (opened.ok()) {
      database = std::make_shared<BucketDatabase>(*std::move(opened));
    } else {
      spdlog::warn("the folders are kept without a database: {}",
                   std::string(opened.status().message()));
    }
  }
  FindingStore store(directory, std::move(database));
  if (is_new) IRATE_RETURN_IF_ERROR(store.Synchronise());
  return store;
}

// A database that fails costs the index, never the finding.
void FindingStore::Index(const FindingRecord& record, const std::string& case_text) const {
  if (database_ == nullptr) return;
  const absl::Status status = database_->Put(record, case_text);
  if (!status.ok()) {
    spdlog::warn("{} is not in the database: {}", record.finding.signature(),
                 std::string(status.message()));
  }
}

// The stored record; none if the folder is new. A damaged finding.json is kept aside; the database
// may still have what it said.
absl::StatusOr<std::optional<FindingRecord>> FindingStore::ReadOrSetAside(
    const std::string& folder, const std::string& signature) const {
  absl::StatusOr<FindingRecord> record = ReadRecord(folder);
  if (record.ok()) return std::optional<FindingRecord>(*std::move(record));
  if (absl::IsNotFound(record.status())) return std::optional<FindingRecord>();
  if (!absl::IsInvalidArgument(record.status())) return record.status();
  const std::string aside = folder + kJsonName + ".damaged";
  spdlog::warn("{}; kept aside as {}", std::string(record.status().message()), aside);
  std::error_code error;
  fs::rename(folder + kJsonName, aside, error);
  if (error) {
    return absl::UnavailableError(
        fmt::format("cannot rename {} to {}: {}", folder + kJsonName, aside, error.message()));
  }
  if (database_ == nullptr) return std::optional<FindingRecord>();
  absl::StatusOr<std::optional<FindingRecord>> row = database_->Find(signature);
  return row.ok() ? *std::move(row) : std::optional<FindingRecord>();
}

absl::StatusOr<bool> FindingStore::Record(const Sighting& sighting) const {
  const std::string& signature = sighting.finding.signature();
  const std::string folder = PathOf(signature);
  const absl::StatusOr<FileLock> lock = FileLock::Take(directory_ + "/.lock");
  if (!lock.ok()) return lock.status();
  IRATE_RETURN_IF_ERROR(MakeDirectories(folder));
  IRATE_ASSIGN_OR_RETURN(std::optional<FindingRecord> stored, ReadOrSetAside(folder, signature));

  const uint64_t size = CaseSize(sighting.test_case);
  const std::string now = UtcNow();
  FindingRecord record;
  if (stored.has_value()) {
    record = *std::move(stored);
  } else {
    record.first_seen = now;
  }
  const bool stores = record.count == 0 || size < record.size;
  if (stores) {
    IRATE_RETURN_IF_ERROR(Keep(folder, sighting, &record));
  }
  record.reproduced = true;
  record.last_seen = now;
  ++record.count;
  AddVersion(sighting.compiler_version, &record);
  ApplySighting(sighting.compiler_version, now, &record.life);
  // Last: a folder without finding.json is no finding, so a crash before this line leaves none.
  IRATE_RETURN_IF_ERROR(WriteFileAtomically(folder + kJsonName, ToJson(record)));
  Index(record, stores ? PrintCase(sighting.test_case) : "");
  return stores;
}

absl::Status FindingStore::Move(const std::string& from, const Sighting& sighting) const {
  const std::string& signature = sighting.finding.signature();
  const std::string folder = PathOf(signature);
  const absl::StatusOr<FileLock> lock = FileLock::Take(directory_ + "/.lock");
  if (!lock.ok()) return lock.status();
  IRATE_ASSIGN_OR_RETURN(FindingRecord record, ReadRecord(PathOf(from)));
  const uint64_t size = CaseSize(sighting.test_case);
  const std::string now = UtcNow();
  bool stores = true;
  if (signature != from) {
    IRATE_RETURN_IF_ERROR(MakeDirectories(folder));
    IRATE_ASSIGN_OR_RETURN(const std::optional<FindingRecord> there,
                           ReadOrSetAside(folder, signature));
    if (there.has_value()) {
      stores = size < there->size;
      record = Merge(*there, record);
    }
    record.life.history.push_back({now, "merged", from});
  }
  if (stores) {
    IRATE_RETURN_IF_ERROR(Keep(folder, sighting, &record));
  }
  record.reproduced = true;
  AddVersion(sighting.compiler_version, &record);
  ApplySighting(sighting.compiler_version, now, &record.life);
  IRATE_RETURN_IF_ERROR(WriteFileAtomically(folder + kJsonName, ToJson(record)));
  Index(record, stores ? PrintCase(sighting.test_case) : "");
  return signature == from ? absl::OkStatus() : SetMerged(from);
}

// The folder of a bucket that went to another one is kept aside.
absl::Status FindingStore::SetMerged(const std::string& from) const {
  const std::string aside = directory_ + "/.merged";
  IRATE_RETURN_IF_ERROR(MakeDirectories(aside));
  std::string target = aside + "/" + from;
  std::error_code error;
  for (int i = 2; fs::exists(target, error); ++i) target = fmt::format("{}/{}.{}", aside, from, i);
  fs::rename(PathOf(from), target, error);
  if (error) {
    return absl::UnavailableError(
        fmt::format("cannot rename {} to {}: {}", PathOf(from), target, error.message()));
  }
  return database_ == nullptr ? absl::OkStatus() : database_->Remove(from);
}

absl::Status FindingStore::Update(const std::string& signature,
                                  const std::function<absl::Status(FindingRecord*)>& change) const {
  const std::string folder = PathOf(signature);
  const absl::StatusOr<FileLock> lock = FileLock::Take(directory_ + "/.lock");
  if (!lock.ok()) return lock.status();
  IRATE_ASSIGN_OR_RETURN(FindingRecord record, ReadRecord(folder));
  IRATE_RETURN_IF_ERROR(change(&record));
  IRATE_RETURN_IF_ERROR(WriteFileAtomically(folder + kJsonName, ToJson(record)));
  Index(record, "");
  return absl::OkStatus();
}

absl::Status FindingStore::Count(const std::string& signature, uint64_t count) const {
  return Update(signature, [count](FindingRecord* record) {
    record->count += count;
    record->last_seen = UtcNow();
    return absl::OkStatus();
  });
}

absl::StatusOr<FindingRecord> FindingStore::Read(const std::string& signature) const {
  return ReadRecord(PathOf(signature));
}

absl::Status FindingStore::Synchronise() const {
  if (database_ == nullptr) return absl::OkStatus();
  const absl::StatusOr<FileLock> lock = FileLock::Take(directory_ + "/.lock");
  if (!lock.ok()) return lock.status();
  IRATE_ASSIGN_OR_RETURN(const std::vector<std::string> signatures, SignaturesIn(directory_));
  for (const std::string& signature : signatures) {
    const absl::StatusOr<FindingRecord> record = ReadRecord(PathOf(signature));
    if (!record.ok()) continue;  // Buckets() tells of it
    const absl::StatusOr<std::string> text =
        ReadFile(PathOf(signature) + "/case.irate", kMaxCaseText);
    Index(*record, text.ok() ? *text : "");
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<StoredBucket>> FindingStore::Buckets() const {
  IRATE_RETURN_IF_ERROR(Synchronise());
  std::vector<StoredBucket> buckets;
  std::set<std::string> listed;
  if (database_ != nullptr) {
    IRATE_ASSIGN_OR_RETURN(std::vector<FindingRecord> records, database_->List());
    for (FindingRecord& record : records) {
      const std::string path = PathOf(record.finding.signature());
      const absl::StatusOr<FindingRecord> folder = ReadRecord(path);
      listed.insert(record.finding.signature());
      buckets.push_back(
          {std::move(record), path, folder.ok() ? "" : std::string(folder.status().message())});
    }
  }
  IRATE_ASSIGN_OR_RETURN(const std::vector<std::string> signatures, SignaturesIn(directory_));
  for (const std::string& signature : signatures) {
    if (listed.contains(signature)) continue;
    StoredBucket bucket;
    bucket.path = PathOf(signature);
    absl::StatusOr<FindingRecord> record = ReadRecord(bucket.path);
    if (record.ok()) {
      bucket.record = *std::move(record);
    } else {
      bucket.record.finding.set_signature(signature);
      bucket.problem = std::string(record.status().message());
    }
    buckets.push_back(std::move(bucket));
  }
  return buckets;
}

bool FindingStore::Contains(const std::string& signature) const {
  std::error_code error;
  return fs::exists(PathOf(signature) + kJsonName, error);
}

bool FindingStore::WouldStore(const std::string& signature, uint64_t size) const {
  const absl::StatusOr<FindingRecord> record = ReadRecord(PathOf(signature));
  return !record.ok() || size < record->size;
}

absl::StatusOr<std::vector<StoredFinding>> FindingStore::List() const {
  IRATE_ASSIGN_OR_RETURN(const std::vector<std::string> signatures, SignaturesIn(directory_));
  std::vector<StoredFinding> result;
  for (const std::string& signature : signatures) {
    StoredFinding stored;
    stored.path = PathOf(signature);
    absl::StatusOr<FindingRecord> record = ReadRecord(stored.path);
    if (record.ok()) {
      stored.finding = record->finding;
      stored.count = record->count;
      stored.reproducer_verified = record->reproducer_verified;
    } else {
      stored.finding.set_signature(signature);
      stored.problem = std::string(record.status().message());
    }
    result.push_back(std::move(stored));
  }
  return result;
}

absl::StatusOr<std::vector<std::string>> SignaturesIn(const std::string& directory) {
  std::error_code error;
  if (!fs::exists(directory, error)) return std::vector<std::string>();
  std::vector<std::string> signatures;
  fs::directory_iterator entries(directory, error);
  if (error) {
    return absl::UnavailableError(fmt::format("cannot list {}: {}", directory, error.message()));
  }
  for (const fs::directory_entry& entry : entries) {
    if (fs::exists(entry.path() / "finding.json", error)) {
      signatures.push_back(entry.path().filename().string());
    }
  }
  std::ranges::sort(signatures);
  return signatures;
}

}  // namespace irate
