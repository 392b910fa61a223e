#include "triage/bucket_database.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include "fmt/format.h"
#include "ir/status_macros.h"
#include "spdlog/spdlog.h"

namespace irate {
namespace fs = std::filesystem;
namespace {

constexpr int kBusyMs = 20'000;

constexpr char kSchema[] =
    "CREATE TABLE IF NOT EXISTS bucket ("
    " signature TEXT PRIMARY KEY, state TEXT NOT NULL, oracle TEXT NOT NULL, target TEXT NOT NULL,"
    " culprit TEXT NOT NULL, count INTEGER NOT NULL, size INTEGER NOT NULL,"
    " first_seen TEXT NOT NULL, last_seen TEXT NOT NULL, record TEXT NOT NULL,"
    " case_text TEXT NOT NULL DEFAULT '') WITHOUT ROWID;"
    "CREATE INDEX IF NOT EXISTS bucket_state ON bucket(state);";

absl::StatusOr<int64_t> CountRows(Sqlite& sqlite) {
  IRATE_ASSIGN_OR_RETURN(Sqlite::Statement statement,
                         sqlite.Prepare("SELECT count(*) FROM bucket"));
  IRATE_RETURN_IF_ERROR(statement.Step().status());
  return statement.Int(0);
}

absl::StatusOr<Sqlite> OpenChecked(const std::string& path, bool* is_new) {
  IRATE_ASSIGN_OR_RETURN(Sqlite sqlite, Sqlite::Open(path, kBusyMs));
  IRATE_RETURN_IF_ERROR(sqlite.Execute(kSchema));
  IRATE_ASSIGN_OR_RETURN(Sqlite::Statement check, sqlite.Prepare("PRAGMA quick_check(1)"));
  IRATE_ASSIGN_OR_RETURN(const bool answered, check.Step());
  if (!answered || check.Text(0) != "ok") {
    return absl::DataLossError(fmt::format("{}: {}", path, answered ? check.Text(0) : "no answer"));
  }
  IRATE_ASSIGN_OR_RETURN(const int64_t rows, CountRows(sqlite));
  *is_new = rows == 0;
  return sqlite;
}

void SetAside(const std::string& path) {
  std::error_code error;
  for (const char* suffix : {"", "-wal", "-shm"}) {
    fs::rename(path + suffix, fmt::format("{}.damaged{}", path, suffix), error);
  }
}

}  // namespace

absl::StatusOr<BucketDatabase> BucketDatabase::Open(const std::string& directory, bool* is_new) {
  const std::string path = fmt::format("{}/{}", directory, kBucketDatabase);
  absl::StatusOr<Sqlite> sqlite = OpenChecked(path, is_new);
  if (absl::IsDataLoss(sqlite.status())) {
    spdlog::warn("{}; kept aside as {}.damaged and made anew from the folders",
                 std::string(sqlite.status().message()), path);
    SetAside(path);
    sqlite = OpenChecked(path, is_new);
  }
  if (!sqlite.ok()) return sqlite.status();
  return BucketDatabase(*std::move(sqlite));
}

absl::Status BucketDatabase::Put(const FindingRecord& record, std::string_view case_text) {
  IRATE_ASSIGN_OR_RETURN(
      Sqlite::Statement statement,
      sqlite_.Prepare(
          "INSERT INTO bucket VALUES (?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT(signature) DO UPDATE SET"
          " state=excluded.state, oracle=excluded.oracle, target=excluded.target,"
          " culprit=excluded.culprit, count=excluded.count, size=excluded.size,"
          " first_seen=excluded.first_seen, last_seen=excluded.last_seen, record=excluded.record,"
          " case_text=CASE excluded.case_text WHEN '' THEN case_text ELSE excluded.case_text END"));
  const Finding& finding = record.finding;
  statement.Bind(finding.signature());
  statement.Bind(BucketStateName(record.life.state));
  statement.Bind(finding.oracle());
  statement.Bind(finding.target());
  statement.Bind(finding.culprit());
  statement.Bind(static_cast<int64_t>(record.count));
  statement.Bind(static_cast<int64_t>(record.size));
  statement.Bind(record.first_seen);
  statement.Bind(record.last_seen);
  statement.Bind(ToJson(record));
  statement.Bind(case_text);
  return statement.Step().status();
}

absl::Status BucketDatabase::Remove(const std::string& signature) {
  IRATE_ASSIGN_OR_RETURN(Sqlite::Statement statement,
                         sqlite_.Prepare("DELETE FROM bucket WHERE signature=?"));
  statement.Bind(signature);
  return statement.Step().status();
}

absl::StatusOr<std::optional<FindingRecord>> BucketDatabase::Find(const std::string& signature) {
  IRATE_ASSIGN_OR_RETURN(Sqlite::Statement statement,
                         sqlite_.Prepare("SELECT record FROM bucket WHERE signature=?"));
  statement.Bind(signature);
  IRATE_ASSIGN_OR_RETURN(const bool found, statement.Step());
  if (!found) return std::optional<FindingRecord>();
  IRATE_ASSIGN_OR_RETURN(FindingRecord record, FindingRecordFromJson(statement.Text(0)));
  return std::optional<FindingRecord>(std::move(record));
}

absl::StatusOr<std::string> BucketDatabase::CaseText(const std::string& signature) {
  IRATE_ASSIGN_OR_RETURN(Sqlite::Statement statement,
                         sqlite_.Prepare("SELECT case_text FROM bucket WHERE signature=?"));
  statement.Bind(signature);
  IRATE_ASSIGN_OR_RETURN(const bool found, statement.Step());
  return found ? statement.Text(0) : std::string();
}

absl::StatusOr<std::vector<FindingRecord>> BucketDatabase::List() {
  IRATE_ASSIGN_OR_RETURN(
      Sqlite::Statement statement,
      sqlite_.Prepare("SELECT record FROM bucket ORDER BY CASE state WHEN 'regressed' THEN 0"
                      " WHEN 'new' THEN 1 WHEN 'known' THEN 2 WHEN 'muted' THEN 3 ELSE 4 END,"
                      " count DESC, signature"));
  std::vector<FindingRecord> records;
  while (true) {
    IRATE_ASSIGN_OR_RETURN(const bool row, statement.Step());
    if (!row) return records;
    IRATE_ASSIGN_OR_RETURN(FindingRecord record, FindingRecordFromJson(statement.Text(0)));
    records.push_back(std::move(record));
  }
}

}  // namespace irate
