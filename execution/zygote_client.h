// The harness's end of irate-worker: one zygote and the workers that it forks.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "execution/channel.h"
#include "execution/log_tail.h"
#include "execution/process_probe.h"
#include "execution/protocol.pb.h"
#include "execution/shared_page.h"
#include "execution/worker_client.h"

namespace irate {

struct WorkerProcess {
  pid_t pid = 0;  // of this machine, valid until it is ended through its zygote
  Channel channel;
  SharedMapping page;
  ProcessProbe probe;
  uint64_t memory_at_start = 0;  // its own bytes
};

class ZygoteClient {
 public:
  // Starts the executable and waits for its Hello. Errors: NotFound and PermissionDenied (the
  // executable), FailedPrecondition (it speaks another protocol, or its compiler cannot be loaded),
  // DeadlineExceeded, Internal (it died; with the end of what it printed).
  static absl::StatusOr<std::unique_ptr<ZygoteClient>> Start(const WorkerOptions& options);
  // Ends the zygote and all of its workers.
  ~ZygoteClient();
  ZygoteClient(const ZygoteClient&) = delete;
  ZygoteClient& operator=(const ZygoteClient&) = delete;

  const Hello& hello() const { return hello_; }
  // Common to the zygote and its workers.
  LogTail& log() { return log_; }

  // The errors of these mean that the zygote is lost: destroy this object.
  absl::StatusOr<WorkerProcess> Spawn(uint64_t memory_limit);
  absl::StatusOr<ZygoteReply> End(pid_t worker, std::chrono::milliseconds grace);
  absl::StatusOr<std::vector<std::string>> Symbolize(const std::vector<uint64_t>& addresses);

 private:
  ZygoteClient(pid_t pid, Channel control, LogTail log)
      : pid_(pid), control_(std::move(control)), log_(std::move(log)) {}
  absl::Status ReceiveHello(const WorkerOptions& options);
  absl::StatusOr<ZygoteReply> Ask(const ZygoteRequest& request, std::span<const int> fds = {});

  pid_t pid_;
  Channel control_;
  LogTail log_;
  Hello hello_;
  bool ready_ = false;  // it has said Hello, and the right one
};

}  // namespace irate
