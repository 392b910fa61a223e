#include "targets/c/compiler.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "fmt/format.h"
#include "ir/status_macros.h"
#include "targets/c/subprocess.h"

namespace irate::c_target {
namespace {

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Compilers run their stages as processes of their own: the driver that lives reports those that
// died. 127 is the shell's and posix_spawn's word for a missing program.
bool ReportsCrash(const std::string& diagnostics) {
  return absl::StrContains(diagnostics, "internal compiler error") ||
         absl::StrContains(diagnostics, "PLEASE submit a bug report") ||
         absl::StrContains(diagnostics, "LLVM ERROR") ||
         absl::StrContains(diagnostics, "failed due to signal") ||
         absl::StrContains(diagnostics, "Killed signal terminated program");
}

}  // namespace

absl::StatusOr<ScratchDirectory> ScratchDirectory::Create() {
  const char* parent = std::getenv("TMPDIR");
  std::string path = fmt::format("{}/irate-c-XXXXXX", parent == nullptr ? "/tmp" : parent);
  if (mkdtemp(path.data()) == nullptr) {
    return absl::InternalError(fmt::format("cannot create a scratch directory {}: {}", path,
                                           std::generic_category().message(errno)));
  }
  return ScratchDirectory(path);
}

ScratchDirectory::ScratchDirectory(ScratchDirectory&& other) noexcept
    : path_(std::exchange(other.path_, "")) {}

ScratchDirectory::~ScratchDirectory() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

absl::StatusOr<CompileResult> CompileShared(const std::string& source,
                                            const CompilerOptions& options,
                                            const ScratchDirectory& directory) {
  const std::string input = directory.path() + "/program.c";
  const std::string log = directory.path() + "/diagnostics.txt";
  CompileResult result;
  result.library = directory.path() + "/program.so";
  if (std::ofstream file(input, std::ios::binary); !(file << source << std::flush)) {
    return absl::InternalError(fmt::format("cannot write {}", input));
  }
  std::vector<std::string> command = {options.compiler, "-shared", "-fPIC", "-std=gnu17", "-w"};
  command.insert(command.end(), options.flags.begin(), options.flags.end());
  command.insert(command.end(), {"-o", result.library, input, "-lm"});
  IRATE_ASSIGN_OR_RETURN(const ProcessResult process, RunProcess(command, log, options.deadline));
  result.diagnostics = ReadFile(log);
  if (process.missing) {
    result.outcome = CompileResult::Outcome::kMissing;
  } else if (process.timed_out) {
    result.outcome = CompileResult::Outcome::kTimedOut;
  } else if (process.signal != 0 || ReportsCrash(result.diagnostics)) {
    result.outcome = CompileResult::Outcome::kCrashed;
    result.signal = process.signal;
  } else if (process.exit_status != 0) {
    result.outcome = CompileResult::Outcome::kRefused;
  }
  return result;
}

absl::StatusOr<std::string> CompilerVersion(const std::string& compiler) {
  IRATE_ASSIGN_OR_RETURN(const ScratchDirectory directory, ScratchDirectory::Create());
  const std::string log = directory.path() + "/version.txt";
  IRATE_ASSIGN_OR_RETURN(
      const ProcessResult process,
      RunProcess({compiler, "--version"}, log, std::chrono::milliseconds(10'000)));
  if (process.missing || process.exit_status != 0) {
    return absl::NotFoundError(
        fmt::format("there is no working C compiler {}: install it (Debian: apt-get install {}) or "
                    "name another one in the target's options",
                    compiler, compiler));
  }
  const std::string text = ReadFile(log);
  return text.substr(0, text.find('\n'));
}

}  // namespace irate::c_target
