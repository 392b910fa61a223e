#include "bench/fork_pool.h"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "fmt/format.h"

namespace irate {
namespace {

constexpr uint64_t kNoChunk = UINT64_MAX;
constexpr int kMostJobs = 256;

// Seen by all processes.
struct Shared {
  std::atomic<uint64_t> next{0};
  std::atomic<uint64_t> current[kMostJobs];  // the chunk that each job works on
};

struct Header {
  uint64_t chunk;
  uint64_t size;
};

struct Job {
  pid_t pid = 0;
  int pipe = -1;
  std::string received;
};

bool WriteAll(int file, const void* data, size_t size) {
  const char* next = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t written = write(file, next, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    next += written;
    size -= static_cast<size_t>(written);
  }
  return true;
}

class Pool {
 public:
  using Work = std::function<std::string(uint64_t)>;
  using Done = std::function<void(uint64_t, absl::StatusOr<std::string>)>;

  Pool(uint64_t chunks, const std::function<void()>& start, const Work& work, const Done& done)
      : chunks_(chunks), start_(start), work_(work), done_(done) {}

  ~Pool() {
    for (Job& job : jobs_) {
      if (job.pid > 0) kill(job.pid, SIGKILL);
      Reap(&job);
    }
    if (shared_ != nullptr) munmap(shared_, sizeof(Shared));
  }

  absl::Status Run(int jobs) {
    void* memory =
        mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return SystemError("share memory");
    shared_ = new (memory) Shared;
    jobs_.resize(static_cast<size_t>(jobs));
    for (size_t i = 0; i < jobs_.size(); ++i) {
      if (absl::Status status = Start(i); !status.ok()) return status;
    }
    while (true) {
      std::vector<pollfd> waiting;
      std::vector<size_t> which;
      for (size_t i = 0; i < jobs_.size(); ++i) {
        if (jobs_[i].pipe < 0) continue;
        waiting.push_back({jobs_[i].pipe, POLLIN, 0});
        which.push_back(i);
      }
      if (waiting.empty()) return absl::OkStatus();
      if (poll(waiting.data(), waiting.size(), -1) < 0 && errno != EINTR) {
        return SystemError("wait for child processes");
      }
      for (size_t i = 0; i < waiting.size(); ++i) {
        if (waiting[i].revents == 0) continue;
        if (absl::Status status = Receive(which[i]); !status.ok()) return status;
      }
    }
  }

 private:
  static absl::Status SystemError(std::string_view what) {
    return absl::InternalError(
        fmt::format("cannot {}: {}", what, std::generic_category().message(errno)));
  }

  absl::Status Start(size_t index) {
    int ends[2];
    if (pipe(ends) != 0) return SystemError("make a pipe");
    shared_->current[index].store(kNoChunk);
    const pid_t pid = fork();
    if (pid < 0) return SystemError("start a child process");
    if (pid == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      close(ends[0]);
      start_();
      while (true) {
        const uint64_t chunk = shared_->next.fetch_add(1);
        if (chunk >= chunks_) break;
        shared_->current[index].store(chunk);
        const std::string result = work_(chunk);
        const Header header = {chunk, result.size()};
        if (!WriteAll(ends[1], &header, sizeof header)) break;
        if (!WriteAll(ends[1], result.data(), result.size())) break;
        shared_->current[index].store(kNoChunk);
      }
      _exit(0);
    }
    close(ends[1]);
    jobs_[index].pid = pid;
    jobs_[index].pipe = ends[0];
    jobs_[index].received.clear();
    return absl::OkStatus();
  }

  // Takes what the job wrote; at its end, finds out why it ended.
  absl::Status Receive(size_t index) {
    Job& job = jobs_[index];
    char buffer[65536];
    const ssize_t size = read(job.pipe, buffer, sizeof buffer);
    if (size < 0) return errno == EINTR ? absl::OkStatus() : SystemError("read from a child");
    job.received.append(buffer, static_cast<size_t>(size));
    Header header;
    while (job.received.size() >= sizeof header) {
      std::memcpy(&header, job.received.data(), sizeof header);
      if (job.received.size() < sizeof header + header.size) break;
      done_(header.chunk, job.received.substr(sizeof header, header.size));
      job.received.erase(0, sizeof header + header.size);
    }
    if (size > 0) return absl::OkStatus();
    const int status = Reap(&job);
    const uint64_t lost = shared_->current[index].load();
    if (lost == kNoChunk) return absl::OkStatus();
    done_(lost, absl::AbortedError(
                    WIFSIGNALED(status)
                        ? fmt::format("the process died of SIG{}", sigabbrev_np(WTERMSIG(status)))
                        : fmt::format("the process ended with status {}", WEXITSTATUS(status))));
    return Start(index);
  }

  static int Reap(Job* job) {
    int status = 0;
    if (job->pipe >= 0) close(job->pipe);
    while (job->pid > 0 && waitpid(job->pid, &status, 0) < 0 && errno == EINTR) {
    }
    job->pid = 0;
    job->pipe = -1;
    return status;
  }

  const uint64_t chunks_;
  const std::function<void()>& start_;
  const Work& work_;
  const Done& done_;
  Shared* shared_ = nullptr;
  std::vector<Job> jobs_;
};

}  // namespace

absl::Status RunChunks(
    uint64_t chunks, int jobs, const std::function<void()>& start,
    const std::function<std::string(uint64_t chunk)>& work,
    const std::function<void(uint64_t chunk, absl::StatusOr<std::string> result)>& done) {
  if (jobs <= 0) jobs = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  jobs = static_cast<int>(std::min<uint64_t>(static_cast<uint64_t>(std::min(jobs, kMostJobs)),
                                             std::max<uint64_t>(chunks, 1)));
  return Pool(chunks, start, work, done).Run(jobs);
}

}  // namespace irate
