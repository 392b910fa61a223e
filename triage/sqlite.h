// SQLite with errors as values: a connection and its statements.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace irate {

class Sqlite {
 public:
  // Creates the file if there is none. Other writers are waited for, for `busy_ms`. DataLoss if the
  // file is no database or damaged.
  static absl::StatusOr<Sqlite> Open(const std::string& path, int busy_ms);

  // One prepared statement, run once: `Bind` in order, then `Step` until it says false.
  class Statement {
   public:
    void Bind(std::string_view text);
    void Bind(int64_t value);
    // True if there is a row.
    absl::StatusOr<bool> Step();
    std::string Text(int column) const;
    int64_t Int(int column) const;

   private:
    friend class Sqlite;
    explicit Statement(sqlite3_stmt* raw) : raw_(raw, &sqlite3_finalize) {}
    std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> raw_;
    int bound_ = 0;
  };

  absl::StatusOr<Statement> Prepare(std::string_view sql);
  // Statements without parameters and results.
  absl::Status Execute(const std::string& sql);

 private:
  explicit Sqlite(sqlite3* raw) : raw_(raw, &sqlite3_close_v2) {}
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> raw_;
};

}  // namespace irate
