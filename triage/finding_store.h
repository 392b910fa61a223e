// The folder of findings: findings/<signature>/ with the smallest Case so far.
//
//   case.irate       the Case in text form
//   reproducer.py    runs against the wheel alone; exits 1 while the bug is there
//   finding.json     {"signature", "oracle", "target", "culprit", "shape", "summary", "detail",
//                     "count", "size", "first_seen", "last_seen", "versions", "reproduced",
//                     "reproducer_verified"}
//   log.txt          what the oracle saw, for a person
//
// Several processes may write to one folder: files are replaced by rename, the count is kept under
// a lock. A finding that is recorded was seen in a fresh worker.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"

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

// One finding with all that is kept of it.
struct Sighting {
  Finding finding;
  Case test_case;
  std::string compiler_version;
  std::string reproducer;            // the text of reproducer.py; empty: none is written
  bool reproducer_verified = false;  // it ran and exited 1
  std::string log;
};

class FindingStore {
 public:
  // Creates the folder. Errors name it and the reason (no permission, disk full).
  static absl::StatusOr<FindingStore> Open(const std::string& directory);

  // Adds one sighting. Returns true if the Case was stored: the signature is new, or the Case is
  // smaller than the stored one. A damaged finding.json is kept aside as finding.json.damaged, a
  // warning is logged, and the sighting is stored as new.
  absl::StatusOr<bool> Record(const Sighting& sighting) const;
  // Adds `count` sightings of a signature that is already stored.
  absl::Status Count(const std::string& signature, uint64_t count) const;

  bool Contains(const std::string& signature) const;
  // Whether Record would store a Case of this size: see CaseSize.
  bool WouldStore(const std::string& signature, uint64_t size) const;
  // In order of signature; damaged folders included, see StoredFinding::problem.
  absl::StatusOr<std::vector<StoredFinding>> List() const;
  const std::string& directory() const { return directory_; }
  std::string PathOf(const std::string& signature) const { return directory_ + "/" + signature; }

 private:
  explicit FindingStore(std::string directory) : directory_(std::move(directory)) {}
  std::string directory_;
};

// What "smaller" compares: expressions, statements and passes.
uint64_t CaseSize(const Case& test_case);

// The signatures of a folder laid out like a store (corpus/known): its sub-folders that hold a
// finding.json. An absent folder has none.
absl::StatusOr<std::vector<std::string>> SignaturesIn(const std::string& directory);

}  // namespace irate
