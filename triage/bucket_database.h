// findings/irate.sqlite: one row per bucket, for questions over all of them and for several
// writers.
//
// Each row holds what the bucket's folder holds (finding.json and the Case), so either can be made
// anew from the other: a database that is missing or damaged from the folders, a damaged
// finding.json from its row.
//
//   bucket(signature, state, oracle, target, culprit, count, size, first_seen, last_seen,
//          record, case_text)
//   `record` is the text of finding.json.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "triage/finding_json.h"
#include "triage/sqlite.h"

namespace irate {

inline constexpr std::string_view kBucketDatabase = "irate.sqlite";

class BucketDatabase {
 public:
  // A damaged file is kept aside as irate.sqlite.damaged, with a warning. `is_new` says that the
  // database is empty and wants to be filled from the folders.
  static absl::StatusOr<BucketDatabase> Open(const std::string& directory, bool* is_new);

  // Adds or replaces a row, in one transaction. An empty `case_text` leaves the stored one.
  absl::Status Put(const FindingRecord& record, std::string_view case_text);
  absl::Status Remove(const std::string& signature);
  absl::StatusOr<std::optional<FindingRecord>> Find(const std::string& signature);
  // "" if there is none.
  absl::StatusOr<std::string> CaseText(const std::string& signature);
  // By state (regressed, new, known, muted, fixed), then the most seen first.
  absl::StatusOr<std::vector<FindingRecord>> List();

 private:
  explicit BucketDatabase(Sqlite sqlite) : sqlite_(std::move(sqlite)) {}
  Sqlite sqlite_;
};

}  // namespace irate
