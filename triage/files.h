// What a folder needs that several processes write to; files themselves: ir/file.h.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace irate {

// As mkdir -p. Errors name the folder and the system's reason.
absl::Status MakeDirectories(const std::string& path);

// "2026-01-31T12:00:00Z", now.
std::string UtcNow();

// An exclusive lock of a file, held for the life of the object; waits for other holders.
class FileLock {
 public:
  static absl::StatusOr<FileLock> Take(const std::string& path);
  FileLock(FileLock&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
  FileLock& operator=(FileLock&&) = delete;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int fd) : fd_(fd) {}
  int fd_;
};

}  // namespace irate
