// TVMBackendParallelLaunch and TVMBackendParallelBarrier, in any order of tasks or in real threads.
//
// Generated code must give the same result for every order of tasks and every number of them: it
// reads the number from the environment and promises that tasks conflict nowhere but across a
// barrier. In turn each task id below the number runs exactly once; a launch counts what it ran, by
// itself, so that a runtime that skips, repeats or invents a task is found out.
//
// Serial orders are the default: one task after another on the calling thread, hence reproducible.
// Where the code has a barrier, each task gets a thread but only one runs at a time, in the same
// order, up to its next barrier.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "execution/contract/faults.h"
#include "execution/contract/guarded_memory.h"
#include "execution/contract/packed_abi.h"
#include "execution/contract/region.h"
#include "execution/contract/report.h"

namespace irate::contract {

enum class TaskOrder { kForward, kReverse, kShuffled, kThreads };

struct ParallelOptions {
  TaskOrder order = TaskOrder::kForward;
  uint64_t seed = 0;  // of kShuffled
  // Used where the code asks for "all threads" (0).
  int tasks = 4;
  // The code contains a barrier.
  bool barriers = false;
  Fault fault = Fault::kNone;
};

class ParallelLauncher {
 public:
  // Runs a task on a thread of its own or on this one; returns what the task returned. A caller who
  // must protect each thread that enters generated code sets this.
  using TaskGuard = std::function<int(const std::function<int()>&)>;

  ParallelLauncher(const ParallelOptions& options, RegionMap* regions, ReportSink sink);
  void set_task_guard(TaskGuard guard) { guard_ = std::move(guard); }

  // 0, or -1 if a task failed: every task runs in any case, as in TVM's thread pool.
  int Launch(ParallelTask task, void* closure, int num_task, const void* caller);
  int Barrier(int task_id, ParallelEnvironment* environment, const void* caller);

  bool fault_triggered() const { return fault_triggered_; }
  int launches() const { return static_cast<int>(launches_); }

 private:
  absl::StatusOr<ParallelEnvironment*> MakeEnvironment(int num_task);

  ParallelOptions options_;
  RegionMap* regions_;
  ReportSink sink_;
  TaskGuard guard_;
  std::mutex mutex_;
  std::optional<GuardedArena> environments_;
  std::atomic<uint32_t> launches_{0};
  bool fault_triggered_ = false;
};

// The ids 0..count-1 in the order's sequence, with the fault's change.
std::vector<int> TaskSequence(const ParallelOptions& options, int count);

}  // namespace irate::contract
