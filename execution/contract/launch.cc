#include "execution/contract/launch.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "execution/contract/task.h"
#include "fmt/format.h"

namespace irate::contract {
namespace {

// A task's own memory: from this frame down, as far as any stack reaches.
constexpr uintptr_t kStackReach = uintptr_t{64} << 20;

thread_local int turn_of_this_thread = -1;

}  // namespace

ActiveLaunch*& ActiveLaunch::OfThisThread() {
  thread_local ActiveLaunch* launch = nullptr;
  return launch;
}

ActiveLaunch::ActiveLaunch(ParallelTask task, void* closure, ParallelEnvironment* environment,
                           uint32_t number, const void* caller,
                           const ParallelLauncher::TaskGuard& guard, ReportSink sink)
    : task_(task),
      closure_(closure),
      environment_(environment),
      number_(number),
      caller_(caller),
      guard_(guard),
      sink_(std::move(sink)) {}

void ActiveLaunch::RunOne(int id) {
  const TaskContext outer = CurrentTask();
  ActiveLaunch* const outer_launch = std::exchange(OfThisThread(), this);
  const uintptr_t frame = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  CurrentTask() = {number_, id, 0, frame - kStackReach, frame};
  {
    std::lock_guard lock(mutex_);
    ran_.push_back(id);
  }
  const auto body = [this, id] { return task_(id, environment_, closure_); };
  const int result = guard_ ? guard_(body) : body();
  if (result != 0) {
    std::lock_guard lock(mutex_);
    ++failed_;
  }
  OfThisThread() = outer_launch;
  CurrentTask() = outer;
}

void ActiveLaunch::RunSerial(const std::vector<int>& sequence) {
  for (int id : sequence) RunOne(id);
}

void ActiveLaunch::RunInTurns(const std::vector<int>& sequence) {
  in_turns_ = true;
  for (int id : sequence) turns_.push_back({id, State::kReady});
  std::vector<std::thread> threads;
  for (size_t i = 0; i < turns_.size(); ++i) {
    threads.emplace_back([this, i] {
      turn_of_this_thread = static_cast<int>(i);
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return turns_[i].state == State::kRunning; });
      }
      RunOne(turns_[i].id);
      std::lock_guard lock(mutex_);
      turns_[i].state = State::kDone;
      changed_.notify_all();
    });
  }
  while (GiveTurns()) {
  }
  for (std::thread& thread : threads) thread.join();
}

// Lets each task that is not done run up to its next barrier. False when all are done.
bool ActiveLaunch::GiveTurns() {
  std::unique_lock lock(mutex_);
  for (Turn& turn : turns_) {
    if (turn.state != State::kReady) continue;
    turn.state = State::kRunning;
    changed_.notify_all();
    changed_.wait(lock, [&] { return turn.state != State::kRunning; });
  }
  bool any_waiting = false;
  bool any_done = false;
  for (const Turn& turn : turns_) {
    any_waiting |= turn.state == State::kWaiting;
    any_done |= turn.state == State::kDone;
  }
  if (any_waiting && any_done) diverged_ = true;
  ++phase_;
  for (Turn& turn : turns_) {
    if (turn.state == State::kWaiting) turn.state = State::kReady;
  }
  return any_waiting;
}

void ActiveLaunch::WaitInTurns(Turn& turn) {
  std::unique_lock lock(mutex_);
  turn.state = State::kWaiting;
  changed_.notify_all();
  changed_.wait(lock, [&] { return turn.state == State::kRunning; });
}

void ActiveLaunch::RunThreads(const std::vector<int>& sequence) {
  alive_ = static_cast<int>(sequence.size());
  std::vector<std::thread> threads;
  for (int id : sequence) {
    threads.emplace_back([this, id] {
      RunOne(id);
      std::lock_guard lock(mutex_);
      --alive_;
      if (waiting_ > 0) {
        diverged_ = true;
        if (waiting_ >= alive_) {
          waiting_ = 0;
          ++phase_;
          changed_.notify_all();
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

void ActiveLaunch::WaitInThreads() {
  std::unique_lock lock(mutex_);
  const uint32_t phase = phase_;
  if (++waiting_ >= alive_) {
    // A task that returned before this one came here has missed the barrier.
    if (alive_ < static_cast<int>(ran_.size())) diverged_ = true;
    waiting_ = 0;
    ++phase_;
    changed_.notify_all();
    return;
  }
  changed_.wait(lock, [&] { return phase_ != phase; });
}

int ActiveLaunch::Barrier(int task_id, ParallelEnvironment* environment, const void* caller) {
  if (task_id != CurrentTask().task || environment != environment_) {
    sink_(
        {Clause::kBarrierArguments,
         fmt::format("task {} waited at a barrier as task {} with {} environment",
                     CurrentTask().task, task_id, environment == environment_ ? "its" : "another"),
         task_id, caller});
  }
  ++CurrentTask().interval;
  if (in_turns_) {
    WaitInTurns(turns_[static_cast<size_t>(turn_of_this_thread)]);
  } else if (alive_ > 0) {
    WaitInThreads();
  }
  return 0;
}

int ActiveLaunch::Finish(int expected_tasks) {
  if (environment_->num_task != expected_tasks) {
    sink_({Clause::kLaunchEnvironment,
           fmt::format("num_task of a launch was {} and is {} afterwards", expected_tasks,
                       environment_->num_task),
           environment_->num_task, caller_});
  }
  if (diverged_) {
    sink_({Clause::kBarrierDivergence,
           "some tasks of a launch returned while others waited at a barrier", 0, caller_});
  }
  for (int id = 0; id < expected_tasks; ++id) {
    const auto times = std::count(ran_.begin(), ran_.end(), id);
    if (times == 1) continue;
    sink_({Clause::kLaunchTaskCount,
           fmt::format("task {} of {} ran {} times", id, expected_tasks, times), id, caller_});
  }
  for (int id : ran_) {
    if (id >= 0 && id < expected_tasks) continue;
    sink_({Clause::kLaunchTaskCount,
           fmt::format("task {} ran, but the launch has {} tasks", id, expected_tasks), id,
           caller_});
  }
  return failed_ > 0 ? -1 : 0;
}

}  // namespace irate::contract
