// A C compiler as a process: a translation unit in, a shared object out.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace irate::c_target {

// A directory of our own under $TMPDIR (or /tmp), removed with everything in it at the end.
class ScratchDirectory {
 public:
  static absl::StatusOr<ScratchDirectory> Create();
  ScratchDirectory(ScratchDirectory&& other) noexcept;
  ScratchDirectory& operator=(ScratchDirectory&&) = delete;
  ~ScratchDirectory();
  const std::string& path() const { return path_; }

 private:
  explicit ScratchDirectory(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

struct CompilerOptions {
  std::string compiler = "clang-22";  // a path, or a name to be found in $PATH
  std::vector<std::string> flags;     // after the fixed ones: -shared -fPIC -std=gnu17 -w
  std::chrono::milliseconds deadline{60'000};
};

struct CompileResult {
  enum class Outcome {
    kOk,
    kMissing,  // there is no such compiler
    kRefused,  // it ended with diagnostics
    kCrashed,  // a signal or an internal error
    kTimedOut,
  };
  Outcome outcome = Outcome::kOk;
  std::string library;      // path of the shared object, in the directory that was given
  std::string diagnostics;  // what the compiler wrote
  int signal = 0;           // of kCrashed, if the compiler's own process died of one
};

// Writes `source` to `directory` and compiles it. An error status is ours or the machine's (disk
// full, no process): whatever the compiler does is in the result.
absl::StatusOr<CompileResult> CompileShared(const std::string& source,
                                            const CompilerOptions& options,
                                            const ScratchDirectory& directory);

// The first line of `compiler --version`; NotFound if there is no such compiler.
absl::StatusOr<std::string> CompilerVersion(const std::string& compiler);

}  // namespace irate::c_target
