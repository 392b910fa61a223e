#include "execution/contract/parallel.h"

#include <algorithm>
#include <new>
#include <numeric>
#include <utility>

#include "absl/status/statusor.h"
#include "execution/contract/guarded_memory.h"
#include "execution/contract/launch.h"
#include "execution/contract/task.h"
#include "fmt/format.h"
#include "ir/status_macros.h"

namespace irate::contract {
namespace {

constexpr size_t kEnvironmentCapacity = size_t{4} << 20;

uint64_t NextRandom(uint64_t& state) {
  uint64_t z = (state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

}  // namespace

std::vector<int> TaskSequence(const ParallelOptions& options, int count) {
  std::vector<int> sequence(static_cast<size_t>(count));
  std::iota(sequence.begin(), sequence.end(), 0);
  if (options.fault == Fault::kLaunchSkipTask) sequence.pop_back();
  if (options.fault == Fault::kLaunchRepeatTask) sequence.push_back(0);
  if (options.fault == Fault::kLaunchOverCount) sequence.push_back(count);
  if (options.order == TaskOrder::kReverse) std::reverse(sequence.begin(), sequence.end());
  if (options.order == TaskOrder::kShuffled) {
    uint64_t state = options.seed;
    for (size_t i = sequence.size(); i > 1; --i) {
      std::swap(sequence[i - 1], sequence[NextRandom(state) % i]);
    }
  }
  return sequence;
}

ParallelLauncher::ParallelLauncher(const ParallelOptions& options, RegionMap* regions,
                                   ReportSink sink)
    : options_(options), regions_(regions), sink_(std::move(sink)) {}

// Environments stay readable in reports: none is handed out twice as long as there is room.
absl::StatusOr<ParallelEnvironment*> ParallelLauncher::MakeEnvironment(int num_task) {
  std::lock_guard lock(mutex_);
  if (!environments_) {
    IRATE_ASSIGN_OR_RETURN(environments_, GuardedArena::Create(kEnvironmentCapacity));
  }
  constexpr size_t kSize = sizeof(ParallelEnvironment);
  constexpr size_t kAlignment = alignof(ParallelEnvironment);
  absl::StatusOr<GuardedSpan> span = environments_->Allocate(kSize, kAlignment);
  if (!span.ok() && CurrentTask().task < 0) {
    regions_->RemoveKind(RegionKind::kRuntime);
    environments_->Reset();
    span = environments_->Allocate(kSize, kAlignment);
  }
  if (!span.ok()) return span.status();
  regions_->Add({RegionKind::kRuntime, "the parallel environment", span->begin, span->end,
                 span->zone_begin, span->zone_end, 4, false, nullptr});
  return new (reinterpret_cast<void*>(span->begin)) ParallelEnvironment{nullptr, num_task};
}

int ParallelLauncher::Launch(ParallelTask task, void* closure, int num_task, const void* caller) {
  if (task == nullptr || num_task < 0) {
    sink_({Clause::kLaunchArguments,
           fmt::format("a launch of {} tasks of {}", num_task,
                       task == nullptr ? "a null function" : "a function"),
           num_task, caller});
    return -1;
  }
  if (CurrentTask().task >= 0) {
    sink_({Clause::kLaunchNested,
           fmt::format("task {} launched parallel tasks; TVM's thread pool refuses that",
                       CurrentTask().task),
           CurrentTask().task, caller});
  }
  const int count = num_task == 0 ? options_.tasks : num_task;
  const absl::StatusOr<ParallelEnvironment*> environment = MakeEnvironment(count);
  if (!environment.ok()) return -1;

  const std::vector<int> sequence = TaskSequence(options_, count);
  ActiveLaunch launch(task, closure, *environment, ++launches_, caller, guard_, sink_);
  fault_triggered_ |= options_.fault == Fault::kLaunchSkipTask ||
                      options_.fault == Fault::kLaunchRepeatTask ||
                      options_.fault == Fault::kLaunchOverCount;
  if (options_.order == TaskOrder::kThreads) {
    launch.RunThreads(sequence);
  } else if (options_.barriers) {
    launch.RunInTurns(sequence);
  } else {
    launch.RunSerial(sequence);
  }
  return launch.Finish(count);
}

int ParallelLauncher::Barrier(int task_id, ParallelEnvironment* environment, const void* caller) {
  ActiveLaunch* launch = ActiveLaunch::OfThisThread();
  if (launch == nullptr) {
    sink_({Clause::kBarrierOutside,
           fmt::format("a barrier was entered as task {} outside of any launch", task_id), task_id,
           caller});
    return -1;
  }
  return launch->Barrier(task_id, environment, caller);
}

}  // namespace irate::contract
