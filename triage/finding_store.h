// The folder of findings: findings/<signature>/ with the smallest Case so far.
//
//   case.irate       the Case in text form
//   reproducer.py    runs against the wheel alone; exits 1 while the bug is there
//   finding.json     {"signature", "oracle", "target", "culprit", "shape", "summary", "detail",
//                     "count", "size", "earlier_cases", "first_seen", "last_seen", "versions",
//                     "reproduced", "reproducer_verified", "state", "mute_reason", "verdicts":
//                     {VERSION:
//                     {"fails", "time"}}, "history": [{"time", "what", "detail"}]}
//   log.txt          what the oracle saw, for a person
//   stack.txt, before.txt, after.txt, tensors.json   see triage/evidence.h
//   earlier/         the Cases that its worker must have served before, in order of name; only of
//                    findings that do not show in a fresh process ("earlier_cases" of finding.json)
//
// Several processes may write to one folder: files are replaced by rename, the count is kept under
// a lock. Every change goes to findings/irate.sqlite as well (triage/bucket_database.h); where that
// cannot be written a warning is logged and the folders alone are kept. A finding that is recorded
// was seen in a fresh worker.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"
#include "triage/bucket_database.h"
#include "triage/finding_json.h"

namespace irate {

struct StoredFinding {
  Finding finding;
  uint64_t count = 0;
  std::string path;  // its folder
  bool reproducer_verified = false;
  // Why the folder cannot be read (finding.json missing or damaged); the rest is then empty but for
  // the path and finding.signature.
  std::string problem;
};

struct StoredBucket {
  FindingRecord record;
  std::string path;  // its folder
  std::string
      problem;  // why the folder cannot be read; the rest is then from the database, or empty
};

// One finding with all that is kept of it.
struct Sighting {
  Finding finding;
  Case test_case;
  std::vector<Case> earlier;  // that the worker must have served before it shows
  std::string compiler_version;
  std::string reproducer;            // the text of reproducer.py; empty: none is written
  bool reproducer_verified = false;  // it ran and exited 1
  std::string log;
  std::map<std::string, std::string> files;  // by name; see triage/evidence.h
};

// The names that Sighting::files may have.
inline constexpr std::array kEvidenceFiles = {"stack.txt", "before.txt", "after.txt",
                                              "tensors.json"};

class FindingStore {
 public:
  // Creates the folder. Errors name it and the reason (no permission, disk full).
  static absl::StatusOr<FindingStore> Open(const std::string& directory);

  // The same without the right to write: no lock is taken and no database opened. For corpus/known.
  static FindingStore ReadOnly(const std::string& directory) {
    return FindingStore(directory, nullptr);
  }

  // Adds one sighting. Returns true if the Case was stored: the signature is new, or the Case is
  // smaller than the stored one. A damaged finding.json is kept aside as finding.json.damaged, a
  // warning is logged, and the sighting is stored as new.
  absl::StatusOr<bool> Record(const Sighting& sighting) const;
  // Adds `count` sightings of a signature that is already stored.
  absl::Status Count(const std::string& signature, uint64_t count) const;

  // What the bucket `from` holds gives way to the sighting, which is counted no further. If the
  // sighting has another signature, the bucket goes there with its counts and dates, and its folder
  // to .merged/; where that signature has a smaller Case already, that stays. NotFound if there is
  // no bucket `from`.
  absl::Status Move(const std::string& from, const Sighting& sighting) const;
  // Changes what is kept of one bucket, under the lock. NotFound if there is none.
  absl::Status Update(const std::string& signature,
                      const std::function<absl::Status(FindingRecord*)>& change) const;
  // Brings the database up to date with the folders: those of before there was one, and those that
  // were copied here. A folder that is gone keeps its row.
  absl::Status Synchronise() const;
  // What is kept of each bucket, in the order of BucketDatabase::List; folders that cannot be read
  // come last, with `problem`.
  absl::StatusOr<std::vector<StoredBucket>> Buckets() const;
  absl::StatusOr<FindingRecord> Read(const std::string& signature) const;

  bool Contains(const std::string& signature) const;
  // Whether Record would store a Case of this size: see CaseSize.
  bool WouldStore(const std::string& signature, uint64_t size) const;
  // In order of signature; damaged folders included, see StoredFinding::problem.
  absl::StatusOr<std::vector<StoredFinding>> List() const;
  const std::string& directory() const { return directory_; }
  std::string PathOf(const std::string& signature) const { return directory_ + "/" + signature; }

 private:
  FindingStore(std::string directory, std::shared_ptr<BucketDatabase> database)
      : directory_(std::move(directory)), database_(std::move(database)) {}
  absl::Status SetMerged(const std::string& from) const;
  void Index(const FindingRecord& record, const std::string& case_text) const;
  absl::StatusOr<std::optional<FindingRecord>> ReadOrSetAside(const std::string& folder,
                                                              const std::string& signature) const;

  std::string directory_;
  std::shared_ptr<BucketDatabase> database_;  // null: none is kept
};

// What "smaller" compares: expressions, statements and passes.
uint64_t CaseSize(const Case& test_case);

// The signatures of a folder laid out like a store (corpus/known): its sub-folders that hold a
// finding.json. An absent folder has none.
absl::StatusOr<std::vector<std::string>> SignaturesIn(const std::string& directory);

}  // namespace irate
