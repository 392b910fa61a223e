#include "execution/zygote.h"

#include <errno.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "execution/channel.h"
#include "execution/child_process.h"
#include "execution/crash_handler.h"
#include "execution/protocol.h"
#include "execution/protocol.pb.h"
#include "execution/shared_page.h"
#include "execution/symbolizer.h"
#include "execution/timer.h"
#include "execution/worker_server.h"

// Present only in a process that has AddressSanitizer's runtime.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the sanitizer's own name
extern "C" __attribute__((weak)) void __asan_init();

namespace irate {
namespace {

// A number of /proc/self/status, in the unit that the kernel prints; 0 if there is none.
uint64_t ProcessStatus(const std::string& key) {
  std::ifstream file("/proc/self/status");
  std::string name;
  uint64_t value = 0;
  while (file >> name) {
    if (name == key + ":" && file >> value) return value;
    file.ignore(4096, '\n');
  }
  return 0;
}

// Data only: address space that is merely reserved (thread arenas, sanitizer shadow) costs nothing.
void LimitMemory(uint64_t growth) {
  // AddressSanitizer's allocator does not survive a refusal; the harness watches the resident size.
  if (growth == 0 || __asan_init != nullptr) return;
  rlimit limit{};
  getrlimit(RLIMIT_DATA, &limit);
  limit.rlim_cur = std::min<rlim_t>(ProcessStatus("VmData") * 1024 + growth, limit.rlim_max);
  setrlimit(RLIMIT_DATA, &limit);
}

[[noreturn]] void RunWorker(Target& target, const SpawnRequest& request, UniqueFd socket,
                            UniqueFd page_fd, pid_t zygote) {
  // In its own process group, so that a Ctrl-C at the terminal leaves it to the harness, and so
  // that it can be killed together with what it started.
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != zygote) _exit(0);
  if (dup2(socket.get(), kWorkerSocketFd) < 0) _exit(1);
  socket.reset();
  Channel channel{UniqueFd(kWorkerSocketFd)};
  absl::Status status;
  if (absl::StatusOr<SharedMapping> page = SharedMapping::Map(page_fd.get()); page.ok()) {
    page_fd.reset();
    status = InstallCrashHandlers(page->get());
    LimitMemory(request.memory_limit());
    if (status.ok()) status = ServeRequests(target, channel, page->get());
  } else {
    status = page.status();
  }
  if (!status.ok()) std::fprintf(stderr, "irate-worker: %s\n", status.ToString().c_str());
  std::fflush(nullptr);
  // No destructors: the compiler's would run in a process that has only a part of its threads.
  _exit(status.ok() ? 0 : 1);
}

class Zygote {
 public:
  Zygote(Target& target, Channel control) : target_(target), control_(std::move(control)) {}

  int Run() {
    while (true) {
      ZygoteRequest request;
      absl::Status status = control_.Receive(&request);
      if (status.ok()) status = Serve(request);
      if (!status.ok()) {
        KillAll();
        return absl::IsUnavailable(status) ? 0 : 1;
      }
    }
  }

 private:
  absl::Status Serve(const ZygoteRequest& request) {
    ZygoteReply reply;
    switch (request.request_case()) {
      case ZygoteRequest::kSpawn:
        Spawn(request.spawn(), &reply);
        break;
      case ZygoteRequest::kEnd:
        End(request.end(), &reply);
        break;
      case ZygoteRequest::kSymbolize: {
        const auto& addresses = request.symbolize().addresses();
        for (std::string& frame :
             Symbolize(std::vector<uint64_t>(addresses.begin(), addresses.end()))) {
          *reply.add_frames() = std::move(frame);
        }
        break;
      }
      case ZygoteRequest::REQUEST_NOT_SET:
        reply.set_error("the request asks for nothing that this zygote knows");
        break;
    }
    return control_.Send(reply);
  }

  void Spawn(const SpawnRequest& request, ZygoteReply* reply) {
    std::vector<UniqueFd> fds = control_.TakeFds();
    if (fds.size() != 2) {
      reply->set_error(absl::StrCat("a spawn request needs 2 descriptors, not ", fds.size()));
      return;
    }
    const pid_t zygote = getpid();
    const pid_t pid = fork();
    if (pid == 0) {
      RunWorker(target_, request, std::move(fds[0]), std::move(fds[1]), zygote);
    }
    if (pid < 0) {
      reply->set_error(absl::StrCat("cannot fork a worker: ", std::strerror(errno)));
      return;
    }
    workers_.insert(pid);
    reply->set_pid(pid);
  }

  void End(const EndRequest& request, ZygoteReply* reply) {
    const pid_t pid = request.pid();
    if (workers_.erase(pid) == 0) {
      reply->set_error(absl::StrCat("process ", pid, " is no worker of this zygote"));
      return;
    }
    // A process that is not reaped keeps its id, so none of this can hit another one.
    if (!WaitForEnd(pid, std::chrono::milliseconds(request.grace_ms()))) {
      kill(pid, SIGKILL);
      reply->set_killed(true);
    }
    reply->set_pid(pid);
    Reap(pid, reply);
  }

  void Reap(pid_t pid, ZygoteReply* reply) {
    // What it started, before its id is free for another process group.
    kill(-pid, SIGKILL);
    int wait_status = 0;
    rusage usage{};
    while (wait4(pid, &wait_status, 0, &usage) < 0 && errno == EINTR) {
    }
    reply->set_wait_status(wait_status);
    reply->set_peak_rss_bytes(static_cast<uint64_t>(usage.ru_maxrss) * 1024);
  }

  void KillAll() {
    for (pid_t pid : workers_) kill(pid, SIGKILL);
    ZygoteReply ignored;
    for (pid_t pid : workers_) Reap(pid, &ignored);
  }

  Target& target_;
  Channel control_;
  std::set<pid_t> workers_;
};

Hello LoadTarget(Target& target) {
  const Timer timer;
  Hello hello;
  hello.set_protocol(kProtocolVersion);
  hello.set_target(target.Name());
  if (absl::Status status = target.Load(); !status.ok()) {
    hello.set_error(std::string(status.message()));
    return hello;
  }
  WarmUp(target);
  hello.set_target_version(target.Version());
  for (TargetSpec& spec : target.DefaultSpecs()) *hello.add_default_specs() = std::move(spec);
  hello.set_threads(static_cast<uint32_t>(ProcessStatus("Threads")));
  hello.set_load_ms(timer.Ms());
  return hello;
}

}  // namespace

int RunZygote(Target& target, UniqueFd control) {
  setpgid(0, 0);
  signal(SIGPIPE, SIG_IGN);
  // Core dumps of a compiler with hundreds of megabytes take longer than everything else.
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  // A load that never ends must not outlive the harness. Afterwards the closed socket tells, which
  // unlike this signal does not depend on the thread that started the worker.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const Hello hello = LoadTarget(target);
  prctl(PR_SET_PDEATHSIG, 0);
  Channel channel(std::move(control));
  if (!channel.Send(hello).ok() || !hello.error().empty()) return 1;
  return Zygote(target, std::move(channel)).Run();
}

}  // namespace irate
