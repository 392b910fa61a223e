#include "execution/worker_pool.h"

#include <utility>

namespace irate {

WorkerPool::WorkerPool(WorkerOptions options) : options_(std::move(options)) {}

absl::StatusOr<WorkerClient*> WorkerPool::For(const std::string& target) {
  std::unique_ptr<WorkerClient>& client = workers_[target];
  if (client == nullptr) {
    WorkerOptions options = options_;
    options.target = target;
    absl::StatusOr<std::unique_ptr<WorkerClient>> started = WorkerClient::Start(options);
    if (!started.ok()) {
      workers_.erase(target);
      return started.status();
    }
    client = *std::move(started);
  }
  return client.get();
}

void WorkerPool::RestartAll() {
  for (auto& [target, client] : workers_) client->Restart();
}

}  // namespace irate
