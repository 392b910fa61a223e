// One worker for each target, started when it is first asked for.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "execution/worker_client.h"

namespace irate {

class WorkerPool {
 public:
  // `options` of every worker, but for the target.
  explicit WorkerPool(WorkerOptions options);

  // Errors as WorkerClient::Start; the next request for the target tries again.
  absl::StatusOr<WorkerClient*> For(const std::string& target);
  // Every worker's next request is served by a fresh process.
  void RestartAll();

 private:
  const WorkerOptions options_;
  std::map<std::string, std::unique_ptr<WorkerClient>> workers_;  // by target
};

}  // namespace irate
