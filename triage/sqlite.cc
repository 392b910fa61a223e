#include "triage/sqlite.h"

#include "fmt/format.h"

namespace irate {
namespace {

absl::Status Error(sqlite3* raw, int code, std::string_view what) {
  const std::string message =
      fmt::format("{}: {}", what, raw == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(raw));
  switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return absl::DataLossError(message);
    case SQLITE_FULL:
      return absl::ResourceExhaustedError(message);
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return absl::PermissionDeniedError(message);
    case SQLITE_ERROR:  // the schema is another one
      return absl::DataLossError(message);
    default:
      return absl::UnavailableError(message);
  }
}

}  // namespace

absl::StatusOr<Sqlite> Sqlite::Open(const std::string& path, int busy_ms) {
  sqlite3* raw = nullptr;
  const int code =
      sqlite3_open_v2(path.c_str(), &raw, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  Sqlite database(raw);
  if (code != SQLITE_OK) return Error(raw, code, fmt::format("cannot open {}", path));
  sqlite3_busy_timeout(raw, busy_ms);
  // Readers and one writer at a time; a commit survives the end of the process.
  const absl::Status status =
      database.Execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;");
  if (!status.ok()) {
    return absl::Status(status.code(),
                        fmt::format("cannot open {}: {}", path, std::string(status.message())));
  }
  return database;
}

absl::StatusOr<Sqlite::Statement> Sqlite::Prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code =
      sqlite3_prepare_v2(raw_.get(), sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  if (code != SQLITE_OK) return Error(raw_.get(), code, "the database");
  return Statement(statement);
}

absl::Status Sqlite::Execute(const std::string& sql) {
  const int code = sqlite3_exec(raw_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  return code == SQLITE_OK ? absl::OkStatus() : Error(raw_.get(), code, "the database");
}

void Sqlite::Statement::Bind(std::string_view text) {
  sqlite3_bind_text64(raw_.get(), ++bound_, text.data(), text.size(), SQLITE_TRANSIENT,
                      SQLITE_UTF8);
}

void Sqlite::Statement::Bind(int64_t value) { sqlite3_bind_int64(raw_.get(), ++bound_, value); }

absl::StatusOr<bool> Sqlite::Statement::Step() {
  const int code = sqlite3_step(raw_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return Error(sqlite3_db_handle(raw_.get()), code, "the database");
}

std::string Sqlite::Statement::Text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(raw_.get(), column));
  const int size = sqlite3_column_bytes(raw_.get(), column);
  return text == nullptr ? std::string() : std::string(text, static_cast<size_t>(size));
}

int64_t Sqlite::Statement::Int(int column) const {
  return sqlite3_column_int64(raw_.get(), column);
}

}  // namespace irate
