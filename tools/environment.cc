#include "tools/environment.h"

#include <unistd.h>

#include "execution/find_worker.h"
#include "fmt/format.h"
#include "ir/status_macros.h"

namespace irate {
namespace {

constexpr char kQuickstart[] = "run ./quickstart, which builds and installs all that is needed";

absl::StatusOr<WorkerOptions> Find(const std::string& path, const std::string& name,
                                   const EnvironmentOptions& options) {
  absl::StatusOr<WorkerOptions> worker = WorkerAt(path, name);
  if (!worker.ok()) {
    return absl::NotFoundError(
        fmt::format("{}: {}", std::string(worker.status().message()), kQuickstart));
  }
  worker->target = options.target;
  worker->deadline = std::chrono::milliseconds(static_cast<int64_t>(options.deadline * 1000));
  return worker;
}

}  // namespace

absl::StatusOr<WorkerOptions> FindWorker(const EnvironmentOptions& options) {
  return Find(options.worker, "irate-worker", options);
}

absl::StatusOr<WorkerOptions> FindAsanWorker(const EnvironmentOptions& options) {
  return Find(options.asan_worker, "irate-worker-asan", options);
}

std::string FindPython(const EnvironmentOptions& options) {
  const std::string python = options.python.empty() ? IRATE_VENV "/bin/python" : options.python;
  return access(python.c_str(), X_OK) == 0 ? python : "";
}

std::string DefaultRegressionsFolder() { return IRATE_SOURCE_DIR "/corpus/regressions"; }

std::string DefaultVersionsFolder() { return IRATE_SOURCE_DIR "/build/versions"; }

std::string DefaultKnownFolder() { return IRATE_SOURCE_DIR "/corpus/known"; }

std::string DefaultSeedsFolder() { return IRATE_SOURCE_DIR "/corpus/seeds"; }

std::string DefaultDoubtfulFile() { return DefaultKnownFolder() + "/doubtful.txt"; }

std::string DefaultAvoidFile() { return DefaultKnownFolder() + "/avoid.txt"; }

absl::StatusOr<std::unique_ptr<Harness>> MakeHarness(const EnvironmentOptions& options,
                                                     const TargetOptions& target) {
  HarnessOptions harness;
  harness.target = target;
  IRATE_ASSIGN_OR_RETURN(harness.worker, FindWorker(options));
  absl::StatusOr<std::unique_ptr<Harness>> made = Harness::Create(harness);
  if (!made.ok()) {
    return absl::Status(made.status().code(),
                        fmt::format("the target {} cannot be started: {}\n{}", options.target,
                                    std::string(made.status().message()), kQuickstart));
  }
  return made;
}

}  // namespace irate
