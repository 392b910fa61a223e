#include "ir/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "fmt/format.h"
#include "ir/status_macros.h"

namespace irate {
namespace {

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  ~FileDescriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;

  int get() const { return fd_; }
  // Closing may report a write that failed late.
  int Close() { return ::close(std::exchange(fd_, -1)); }

 private:
  int fd_;
};

absl::Status SystemError(std::string_view action, const std::string& path) {
  return absl::ErrnoToStatus(errno, fmt::format("cannot {} {}", action, path));
}

absl::Status WriteAll(int fd, const std::string& path, std::string_view contents) {
  while (!contents.empty()) {
    const ssize_t count = ::write(fd, contents.data(), contents.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return SystemError("write", path);
    contents.remove_prefix(static_cast<size_t>(count));
  }
  return absl::OkStatus();
}

absl::Status WriteTemporary(const std::string& temporary, const std::string& path,
                            std::string_view contents) {
  FileDescriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file.get() < 0) return SystemError("create a file beside", path);
  IRATE_RETURN_IF_ERROR(WriteAll(file.get(), path, contents));
  if (::fsync(file.get()) != 0) return SystemError("write", path);
  if (file.Close() != 0) return SystemError("write", path);
  if (::rename(temporary.c_str(), path.c_str()) != 0) return SystemError("replace", path);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> ReadFile(const std::string& path, size_t max_bytes) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) return SystemError("open", path);
  struct stat info = {};
  if (::fstat(file.get(), &info) != 0) return SystemError("read", path);
  if (!S_ISREG(info.st_mode)) {
    return absl::InvalidArgumentError(
        fmt::format("{} is {}, not a file", path,
                    S_ISDIR(info.st_mode) ? "a directory" : "a device, pipe or socket"));
  }
  std::string contents;
  while (true) {
    constexpr size_t kChunk = size_t{1} << 16;
    const size_t size = contents.size();
    contents.resize(size + kChunk);
    const ssize_t count = ::read(file.get(), contents.data() + size, kChunk);
    contents.resize(size + (count > 0 ? static_cast<size_t>(count) : 0));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return SystemError("read", path);
    if (contents.size() > max_bytes) {
      return absl::InvalidArgumentError(fmt::format("{} is larger than {} bytes", path, max_bytes));
    }
    if (count == 0) return contents;
  }
}

absl::Status WriteFileAtomically(const std::string& path, std::string_view contents) {
  static std::atomic<uint64_t> counter{0};
  const std::string temporary = fmt::format("{}.{}-{}.tmp", path, ::getpid(), counter++);
  absl::Status written = WriteTemporary(temporary, path, contents);
  if (!written.ok()) {
    ::unlink(temporary.c_str());
    return written;
  }
  // The rename itself reaches the disk with the directory.
  const size_t slash = path.rfind('/');
  const std::string directory = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const FileDescriptor parent(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (parent.get() < 0 || ::fsync(parent.get()) != 0) return SystemError("sync", directory);
  return absl::OkStatus();
}

absl::StatusOr<std::vector<std::string>> ListFiles(const std::string& folder,
                                                   std::string_view ending) {
  std::error_code error;
  std::vector<std::string> paths;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::string path = entry->path().string();
    std::error_code unreadable;
    if (path.ends_with(ending) && entry->is_regular_file(unreadable)) {
      paths.push_back(std::move(path));
    }
  }
  if (error) return absl::ErrnoToStatus(error.value(), fmt::format("cannot list {}", folder));
  std::ranges::sort(paths);
  return paths;
}

}  // namespace irate
