#include "execution/zygote_client.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "execution/child_process.h"
#include "execution/printable.h"
#include "execution/protocol.h"
#include "execution/watch.h"

namespace irate {
namespace {

// The zygote only forks and waits, so it answers at once or is lost.
constexpr std::chrono::seconds kAnswerDeadline{20};
constexpr std::chrono::seconds kEndDeadline{5};
constexpr size_t kQuotedLogBytes = 2000;

// Away from the numbers that the new process expects its descriptors at.
absl::StatusOr<UniqueFd> AboveStandardFds(const UniqueFd& fd) {
  UniqueFd moved(fcntl(fd.get(), F_DUPFD_CLOEXEC, 10));
  if (!moved.valid()) return absl::ErrnoToStatus(errno, "cannot duplicate a descriptor");
  return moved;
}

absl::Status CannotStart(const std::string& executable, int error) {
  return absl::ErrnoToStatus(
      error, absl::StrCat("cannot start the worker '", executable,
                          "'; it is built by `ninja irate-worker` and named by --worker"));
}

class SpawnActions {
 public:
  SpawnActions() {
    posix_spawn_file_actions_init(&actions_);
    posix_spawnattr_init(&attributes_);
    // A harness that ignores or blocks signals must not hand that down.
    sigset_t signals;
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes_, &signals);
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnActions() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnActions(const SpawnActions&) = delete;
  SpawnActions& operator=(const SpawnActions&) = delete;

  void Redirect(int from, int to) { posix_spawn_file_actions_adddup2(&actions_, from, to); }
  void OpenNull(int to) {
    posix_spawn_file_actions_addopen(&actions_, to, "/dev/null", O_RDONLY, 0);
  }
  // An errno.
  int Spawn(const WorkerOptions& options, pid_t* pid) {
    std::string executable = options.executable;
    std::string target = absl::StrCat("--target=", options.target);
    std::string control = absl::StrCat("--control-fd=", kWorkerSocketFd);
    char* argv[] = {executable.data(), target.data(), control.data(), nullptr};
    return posix_spawn(pid, options.executable.c_str(), &actions_, &attributes_, argv, environ);
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

// Waits for a child to end; kills it when the time is over. The wait status.
int EndChild(pid_t pid, std::chrono::milliseconds time) {
  if (!WaitForEnd(pid, time)) kill(pid, SIGKILL);
  int wait_status = 0;
  while (waitpid(pid, &wait_status, 0) < 0 && errno == EINTR) {
  }
  return wait_status;
}

std::string DescribeEnd(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    return absl::StrCat("it died of SIG", sigabbrev_np(WTERMSIG(wait_status)));
  }
  return absl::StrCat("it ended with exit status ", WEXITSTATUS(wait_status));
}

std::string QuoteLog(LogTail& log) {
  log.Drain();
  std::string text = Printable(log.text());
  absl::StripAsciiWhitespace(&text);
  if (text.empty()) return "; it printed nothing";
  if (text.size() > kQuotedLogBytes) text.erase(0, text.size() - kQuotedLogBytes);
  return absl::StrCat("; it printed:\n", text);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ZygoteClient>> ZygoteClient::Start(const WorkerOptions& options) {
  absl::StatusOr<std::pair<UniqueFd, UniqueFd>> sockets = Channel::SocketPair();
  if (!sockets.ok()) return sockets.status();
  absl::StatusOr<std::pair<LogTail, UniqueFd>> log = LogTail::Create();
  if (!log.ok()) return log.status();
  absl::StatusOr<UniqueFd> control = AboveStandardFds(sockets->second);
  if (!control.ok()) return control.status();
  absl::StatusOr<UniqueFd> output = AboveStandardFds(log->second);
  if (!output.ok()) return output.status();

  SpawnActions actions;
  actions.OpenNull(STDIN_FILENO);
  actions.Redirect(output->get(), STDOUT_FILENO);
  actions.Redirect(output->get(), STDERR_FILENO);
  actions.Redirect(control->get(), kWorkerSocketFd);
  pid_t pid = 0;
  if (const int error = actions.Spawn(options, &pid); error != 0) {
    return CannotStart(options.executable, error);
  }
  // The other ends must be the process's alone, or its end would go unnoticed.
  sockets->second.reset();
  log->second.reset();
  control->reset();
  output->reset();

  std::unique_ptr<ZygoteClient> zygote(
      new ZygoteClient(pid, Channel(std::move(sockets->first)), std::move(log->first)));
  if (absl::Status status = zygote->ReceiveHello(options); !status.ok()) return status;
  zygote->ready_ = true;
  return zygote;
}

absl::Status ZygoteClient::ReceiveHello(const WorkerOptions& options) {
  const std::string who =
      absl::StrCat("the worker '", options.executable, "' for target '", options.target, "'");
  const absl::Status status = control_.Receive(&hello_, Watch(&log_, options.start_deadline));
  if (absl::IsDeadlineExceeded(status)) {
    return absl::DeadlineExceededError(absl::StrCat(
        who, " was not ready after ", options.start_deadline.count(), " ms", QuoteLog(log_)));
  }
  if (absl::IsUnavailable(status)) {
    const int wait_status = EndChild(std::exchange(pid_, 0), kEndDeadline);
    return absl::InternalError(
        absl::StrCat(who, " was never ready: ", DescribeEnd(wait_status), QuoteLog(log_)));
  }
  if (!status.ok()) {
    return absl::FailedPreconditionError(absl::StrCat(
        who, " does not speak the worker protocol: ", status.message(), QuoteLog(log_)));
  }
  if (hello_.protocol() != kProtocolVersion) {
    return absl::FailedPreconditionError(
        absl::StrCat(who, " speaks protocol ", hello_.protocol(), " and this program ",
                     kProtocolVersion, ": they are of different builds; build both again"));
  }
  if (!hello_.error().empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat("target '", options.target, "' cannot be loaded: ", hello_.error()));
  }
  return absl::OkStatus();
}

ZygoteClient::~ZygoteClient() {
  if (pid_ == 0) return;
  // The closed socket tells the zygote to end its workers and itself. What has not said Hello may
  // be anything.
  control_ = Channel(UniqueFd());
  EndChild(pid_, ready_ ? kEndDeadline : std::chrono::seconds(0));
}

absl::StatusOr<ZygoteReply> ZygoteClient::Ask(const ZygoteRequest& request,
                                              std::span<const int> fds) {
  Watch watch(&log_, kAnswerDeadline);
  ZygoteReply reply;
  if (absl::Status status = control_.Send(request, std::ref(watch), fds); !status.ok())
    return status;
  if (absl::Status status = control_.Receive(&reply, std::ref(watch)); !status.ok()) return status;
  if (!reply.error().empty()) return absl::InternalError(reply.error());
  return reply;
}

absl::StatusOr<WorkerProcess> ZygoteClient::Spawn(uint64_t memory_limit) {
  absl::StatusOr<std::pair<UniqueFd, UniqueFd>> sockets = Channel::SocketPair();
  if (!sockets.ok()) return sockets.status();
  absl::StatusOr<std::pair<SharedMapping, UniqueFd>> page = SharedMapping::Create();
  if (!page.ok()) return page.status();
  ZygoteRequest request;
  request.mutable_spawn()->set_memory_limit(memory_limit);
  const int fds[] = {sockets->second.get(), page->second.get()};
  absl::StatusOr<ZygoteReply> reply = Ask(request, fds);
  if (!reply.ok()) return reply.status();
  WorkerProcess worker{reply->pid(), Channel(std::move(sockets->first)), std::move(page->first),
                       ProcessProbe(reply->pid())};
  worker.memory_at_start = worker.probe.AnonymousBytes();
  return worker;
}

absl::StatusOr<ZygoteReply> ZygoteClient::End(pid_t worker, std::chrono::milliseconds grace) {
  ZygoteRequest request;
  request.mutable_end()->set_pid(worker);
  request.mutable_end()->set_grace_ms(static_cast<uint32_t>(grace.count()));
  return Ask(request);
}

absl::StatusOr<std::vector<std::string>> ZygoteClient::Symbolize(
    const std::vector<uint64_t>& addresses) {
  ZygoteRequest request;
  request.mutable_symbolize()->mutable_addresses()->Add(addresses.begin(), addresses.end());
  absl::StatusOr<ZygoteReply> reply = Ask(request);
  if (!reply.ok()) return reply.status();
  return std::vector<std::string>(reply->frames().begin(), reply->frames().end());
}

}  // namespace irate
