#include "targets/c/isolated_run.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <new>
#include <system_error>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "fmt/format.h"
#include "ir/status_macros.h"
#include "targets/c/prelude_text.h"

namespace irate::c_target {
namespace {

constexpr int kNotLoadedStatus = 71;
constexpr int kFatalSignals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGALRM};

void StartTimer(std::chrono::milliseconds time) {
  itimerval timer = {};
  timer.it_value.tv_sec = time.count() / 1000;
  timer.it_value.tv_usec = (time.count() % 1000) * 1000;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

[[noreturn]] void RunChild(const std::string& library, const std::vector<IsolatedCall>& calls,
                           size_t first, std::chrono::milliseconds per_call, int report,
                           std::atomic<size_t>* current) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  for (const int signal : kFatalSignals) ::signal(signal, SIG_DFL);
  dup2(report, 1);
  dup2(report, 2);
  StartTimer(per_call);
  using EntryFunction = int (*)(void**);
  void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  for (size_t i = first; i < calls.size(); ++i) {
    current->store(i);
    void* symbol = handle == nullptr ? nullptr : dlsym(handle, calls[i].entry.c_str());
    if (symbol == nullptr) {
      dprintf(2, "%s\n", dlerror());
      _exit(kNotLoadedStatus);
    }
    StartTimer(per_call);
    reinterpret_cast<EntryFunction>(symbol)(calls[i].arguments->pointers());
  }
  current->store(calls.size());
  _exit(0);
}

std::string ReadReport(int file) {
  std::string text(4096, '\0');
  const ssize_t size = pread(file, text.data(), text.size(), 0);
  text.resize(size < 0 ? 0 : static_cast<size_t>(size));
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

IsolatedOutcome Explain(int status, int report) {
  using Kind = IsolatedOutcome::Kind;
  IsolatedOutcome outcome;
  outcome.report = ReadReport(report);
  if (WIFSIGNALED(status)) {
    outcome.signal = WTERMSIG(status);
    outcome.kind = outcome.signal == SIGALRM ? Kind::kTimedOut : Kind::kCrashed;
  } else if (WEXITSTATUS(status) == kCheckFailedStatus) {
    outcome.kind = Kind::kCheckFailed;
  } else if (WEXITSTATUS(status) == kNotLoadedStatus) {
    outcome.kind = Kind::kNotLoaded;
  } else {
    outcome.kind = Kind::kCrashed;
    outcome.report = fmt::format("the program ended its process with status {}; {}",
                                 WEXITSTATUS(status), outcome.report);
  }
  return outcome;
}

absl::Status SystemError(std::string_view what) {
  return absl::InternalError(
      fmt::format("cannot {}: {}", what, std::generic_category().message(errno)));
}

}  // namespace

absl::StatusOr<std::vector<IsolatedOutcome>> RunIsolated(const std::string& library,
                                                         const std::vector<IsolatedCall>& calls,
                                                         std::chrono::milliseconds per_call) {
  const int report = memfd_create("irate-report", MFD_CLOEXEC);
  if (report < 0) return SystemError("create a file in memory");
  fcntl(report, F_SETFL, O_APPEND);
  const absl::Cleanup close_report = [report] { close(report); };
  void* shared = mmap(nullptr, sizeof(std::atomic<size_t>), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return SystemError("share memory with a child process");
  const absl::Cleanup unmap = [shared] { munmap(shared, sizeof(std::atomic<size_t>)); };
  auto* current = new (shared) std::atomic<size_t>(0);

  std::vector<IsolatedOutcome> outcomes(calls.size());
  size_t next = 0;
  while (next < calls.size()) {
    current->store(next);
    if (ftruncate(report, 0) != 0) return SystemError("empty a file in memory");
    const pid_t pid = fork();
    if (pid < 0) return SystemError("start a child process");
    if (pid == 0) RunChild(library, calls, next, per_call, report, current);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0) {
      if (errno != EINTR) return SystemError("wait for a child process");
    }
    next = current->load();
    if (next >= calls.size()) break;
    outcomes[next] = Explain(status, report);
    ++next;
  }
  return outcomes;
}

}  // namespace irate::c_target
