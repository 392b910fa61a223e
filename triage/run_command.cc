#include "triage/run_command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "fmt/format.h"

namespace irate {
namespace {

using Clock = std::chrono::steady_clock;

constexpr size_t kMaxOutput = 65536;
constexpr int kCannotStart = 127;

// In the child, between fork and exec: only calls that are safe there.
[[noreturn]] void Exec(char* const* argv, const char* directory, int output) {
  setpgid(0, 0);
  const int null = open("/dev/null", O_RDONLY);
  if (null >= 0) dup2(null, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  if (chdir(directory) == 0) execv(argv[0], argv);
  _exit(kCannotStart);
}

// Reads until the end of the output or the deadline; true at the end.
bool ReadUntil(int fd, Clock::time_point deadline, std::string* output) {
  char chunk[4096];
  while (true) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) return false;
    pollfd waited = {fd, POLLIN, 0};
    const int ready = poll(&waited, 1, static_cast<int>(std::min<int64_t>(left, 1'000)));
    if (ready <= 0) continue;
    const ssize_t got = read(fd, chunk, sizeof(chunk));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    const size_t room = kMaxOutput - std::min(kMaxOutput, output->size());
    output->append(chunk, std::min(room, static_cast<size_t>(got)));
  }
}

}  // namespace

absl::StatusOr<CommandResult> RunCommand(const std::vector<std::string>& argv,
                                         const std::string& directory,
                                         std::chrono::milliseconds deadline) {
  if (access(argv[0].c_str(), X_OK) != 0) {
    return absl::NotFoundError(fmt::format("cannot run {}: {}", argv[0], strerror(errno)));
  }
  std::vector<char*> raw;
  for (const std::string& arg : argv) raw.push_back(const_cast<char*>(arg.c_str()));
  raw.push_back(nullptr);
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) {
    return absl::UnavailableError(fmt::format("cannot make a pipe: {}", strerror(errno)));
  }
  const pid_t pid = fork();
  if (pid == 0) Exec(raw.data(), directory.c_str(), ends[1]);
  close(ends[1]);
  if (pid < 0) {
    close(ends[0]);
    return absl::UnavailableError(fmt::format("cannot start {}: {}", argv[0], strerror(errno)));
  }
  CommandResult result;
  result.timed_out = !ReadUntil(ends[0], Clock::now() + deadline, &result.output);
  close(ends[0]);
  // The end of the output may come from a child that closed it and lives on.
  if (result.timed_out) kill(-pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  kill(-pid, SIGKILL);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  if (result.exit_code == kCannotStart && result.output.empty()) {
    return absl::UnavailableError(fmt::format("cannot start {} in {}", argv[0], directory));
  }
  return result;
}

}  // namespace irate
