// The folder of findings: findings/<signature>/ with the smallest Case so far.
//
//   case.irate       the Case in text form
//   reproducer.py    runs against the wheel alone; exits 1 while the bug is there
//   finding.json     {"signature", "oracle", "target", "culprit", "summary", "detail", "count",
//                     "first_seen", "last_seen", "versions", "reproduced"}
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
};

class FindingStore {
 public:
  // Creates the folder. Errors name it and the reason (no permission, disk full).
  static absl::StatusOr<FindingStore> Open(const std::string& directory);

  // Adds one sighting. Returns true if the Case was stored: the signature is new, or the Case is
  // smaller than the stored one.
  absl::StatusOr<bool> Record(const Finding& finding, const Case& test_case,
                              const std::string& compiler_version, const std::string& reproducer);
  bool Contains(const std::string& signature) const;
  absl::StatusOr<std::vector<StoredFinding>> List() const;
  const std::string& directory() const { return directory_; }

 private:
  explicit FindingStore(std::string directory) : directory_(std::move(directory)) {}
  std::string directory_;
};

}  // namespace irate
