#include "fuzzers/loop.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <new>
#include <utility>

#include "execution/channel.h"
#include "fmt/format.h"
#include "fuzzers/job.h"
#include "ir/status_macros.h"
#include "oracles/normalise.h"
#include "triage/finding_store.h"

namespace irate {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kTick{200};
// A job that keeps dying is not worth another try.
constexpr int kMaxDeaths = 20;
// How long a job may take to end after it was told to.
constexpr std::chrono::seconds kStopGrace{15};

struct RunningJob {
  pid_t pid = -1;
  std::unique_ptr<Channel> channel;
  JobPage* page = nullptr;  // shared with the process
  uint64_t first_index = 0;
  bool finished = false;  // said so
  bool over = true;       // no process any more
};

absl::StatusOr<JobPage*> NewPage() {
  void* memory =
      mmap(nullptr, sizeof(JobPage), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    return absl::ResourceExhaustedError(fmt::format("no shared memory: {}", strerror(errno)));
  }
  return new (memory) JobPage;
}

class Loop {
 public:
  Loop(const FuzzOptions& options, const std::function<void(const FuzzSummary&)>& progress,
       const std::function<bool()>& stop)
      : options_(options), progress_(progress), stop_(stop) {}

  ~Loop() {
    for (RunningJob& job : jobs_) {
      if (!job.over) {
        kill(job.pid, SIGKILL);
        waitpid(job.pid, nullptr, 0);
      }
      munmap(job.page, sizeof(JobPage));
    }
  }

  absl::StatusOr<FuzzSummary> Run() {
    // Before anything is started: a folder that cannot be written is an error of the caller.
    IRATE_RETURN_IF_ERROR(FindingStore::Open(options_.findings).status());
    jobs_.resize(static_cast<size_t>(options_.jobs));
    for (size_t i = 0; i < jobs_.size(); ++i) {
      IRATE_ASSIGN_OR_RETURN(jobs_[i].page, NewPage());
      jobs_[i].first_index = options_.first + i;
    }
    for (RunningJob& job : jobs_) IRATE_RETURN_IF_ERROR(StartJob(&job));
    while (std::ranges::any_of(jobs_, [](const RunningJob& job) { return !job.over; })) {
      WaitForEvents();
      for (RunningJob& job : jobs_) IRATE_RETURN_IF_ERROR(Serve(&job));
      if (stop_() && !summary_.interrupted) Stop();
      if (Clock::now() > kill_at_) KillAll();
      if (Clock::now() - shown_ >= kTick) Show();
    }
    if (!fatal_.ok()) return fatal_;
    Show();
    return summary_;
  }

 private:
  absl::Status StartJob(RunningJob* job) {
    IRATE_ASSIGN_OR_RETURN(auto ends, Channel::SocketPair());
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid < 0) return absl::UnavailableError(fmt::format("cannot fork: {}", strerror(errno)));
    if (pid == 0) {
      ends.first.reset();
      RunChild(*job, parent, std::move(ends.second));
    }
    job->pid = pid;
    job->channel = std::make_unique<Channel>(std::move(ends.first));
    job->finished = false;
    job->over = false;
    return absl::OkStatus();
  }

  // A process group of its own: Ctrl-C reaches the loop alone, never a compiler under test, whose
  // death by SIGINT would look like a finding.
  [[noreturn]] void RunChild(const RunningJob& job, pid_t parent, UniqueFd fd) {
    setpgid(0, 0);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(1);
    Channel channel(std::move(fd));
    const JobOptions job_options = {.fuzz = &options_, .first_index = job.first_index};
    const absl::Status status = RunJob(job_options, job.page, &channel);
    _exit(status.ok() ? 0 : 1);
  }

  // At the first sign of a job that is ready: starting a compiler is not fuzzing.
  void StartClock() {
    if (clock_started_) return;
    clock_started_ = true;
    started_ = Clock::now();
    if (options_.seconds <= 0) return;
    deadline_ = started_ + std::chrono::duration_cast<Clock::duration>(
                               std::chrono::duration<double>(options_.seconds));
    for (RunningJob& job : jobs_) job.page->deadline_ns = deadline_.time_since_epoch().count();
  }

  void WaitForEvents() {
    std::vector<pollfd> waited;
    for (const RunningJob& job : jobs_) {
      if (!job.over) waited.push_back({job.channel->fd(), POLLIN, 0});
    }
    poll(waited.data(), waited.size(), static_cast<int>(kTick.count()));
  }

  // Every event that is there; the end of a process that closed its socket.
  absl::Status Serve(RunningJob* job) {
    while (!job->over) {
      pollfd waited = {job->channel->fd(), POLLIN, 0};
      if (poll(&waited, 1, 0) <= 0) return absl::OkStatus();
      JobEvent event;
      if (job->channel->Receive(&event).ok()) {
        Handle(event, job);
      } else {
        IRATE_RETURN_IF_ERROR(Reap(job));
      }
    }
    return absl::OkStatus();
  }

  void Handle(const JobEvent& event, RunningJob* job) {
    switch (event.event_case()) {
      case JobEvent::kProgress:
        StartClock();
        summary_.Add(event.progress());
        break;
      case JobEvent::kSighting:
        summary_.Add(event.sighting());
        break;
      case JobEvent::kFault:
        if (event.fault().fatal()) {
          fatal_ = absl::UnavailableError(event.fault().message());
          job->finished = true;
          Stop();
        } else {
          summary_.Add(event.fault());
        }
        break;
      case JobEvent::kMutators:
        summary_.Add(event.mutators());
        break;
      case JobEvent::kFinished:
        job->finished = true;
        break;
      case JobEvent::EVENT_NOT_SET:
        break;
    }
  }

  absl::Status Reap(RunningJob* job) {
    int status = 0;
    while (waitpid(job->pid, &status, 0) < 0 && errno == EINTR) {
    }
    job->over = true;
    if (job->finished || Clock::now() > kill_at_) return absl::OkStatus();
    JobFault fault;
    fault.set_case_index(job->page->case_index);
    fault.set_message(
        fmt::format("the job died: {}", WIFSIGNALED(status)
                                            ? SignalName(WTERMSIG(status))
                                            : fmt::format("exit code {}", WEXITSTATUS(status))));
    summary_.Add(fault);
    if (++deaths_ > kMaxDeaths) {
      Stop();
      fatal_ = absl::InternalError(
          fmt::format("jobs died {} times, the last at {}", deaths_, fault.message()));
    }
    if (job->page->stop || Clock::now() >= deadline_) return absl::OkStatus();
    job->first_index = job->page->case_index + static_cast<uint64_t>(options_.jobs);
    return StartJob(job);
  }

  void Stop() {
    summary_.interrupted = stop_();
    for (RunningJob& job : jobs_) job.page->stop = true;
    kill_at_ = std::min(kill_at_, Clock::now() + kStopGrace);
  }

  void KillAll() {
    for (RunningJob& job : jobs_) {
      if (!job.over) kill(job.pid, SIGKILL);
    }
  }

  void Show() {
    shown_ = Clock::now();
    summary_.first = options_.first;
    summary_.next = options_.first;
    for (const RunningJob& job : jobs_) {
      if (summary_.cases == 0) break;
      summary_.next = std::max(summary_.next, job.page->case_index + 1);
    }
    summary_.seconds = std::chrono::duration<double>(shown_ - started_).count();
    progress_(summary_);
  }

  const FuzzOptions& options_;
  const std::function<void(const FuzzSummary&)>& progress_;
  const std::function<bool()>& stop_;
  bool clock_started_ = false;
  Clock::time_point started_ = Clock::now();
  Clock::time_point deadline_ = Clock::time_point::max();
  Clock::time_point kill_at_ = Clock::time_point::max();
  Clock::time_point shown_ = Clock::now();
  std::vector<RunningJob> jobs_;
  FuzzSummary summary_;
  absl::Status fatal_;
  int deaths_ = 0;
};

}  // namespace

absl::StatusOr<FuzzSummary> RunFuzzLoop(const FuzzOptions& options,
                                        const std::function<void(const FuzzSummary&)>& progress,
                                        const std::function<bool()>& stop) {
  if (options.jobs < 1) return absl::InvalidArgumentError("jobs must be at least 1");
  return Loop(options, progress, stop).Run();
}

}  // namespace irate
