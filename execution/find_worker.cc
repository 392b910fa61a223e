#include "execution/find_worker.h"

#include <unistd.h>

#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace irate {
namespace fs = std::filesystem;

std::string SelfPath() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).string();
}

absl::StatusOr<WorkerOptions> WorkerAt(const std::string& path, const std::string& name) {
  WorkerOptions worker;
  worker.executable = path.empty() ? (fs::path(SelfPath()).parent_path() / name).string() : path;
  if (access(worker.executable.c_str(), X_OK) != 0) {
    return absl::NotFoundError(absl::StrCat("there is no worker at ", worker.executable));
  }
  return worker;
}

}  // namespace irate
