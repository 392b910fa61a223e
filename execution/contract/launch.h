// One parallel launch while it runs. Internal to the launcher.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

#include "execution/contract/packed_abi.h"
#include "execution/contract/parallel.h"
#include "execution/contract/report.h"

namespace irate::contract {

class ActiveLaunch {
 public:
  ActiveLaunch(ParallelTask task, void* closure, ParallelEnvironment* environment, uint32_t number,
               const void* caller, const ParallelLauncher::TaskGuard& guard, ReportSink sink);

  // One after the other on this thread.
  void RunSerial(const std::vector<int>& sequence);
  // A thread each; one runs at a time, in sequence, until it returns or waits at a barrier.
  void RunInTurns(const std::vector<int>& sequence);
  // A thread each, all at once.
  void RunThreads(const std::vector<int>& sequence);

  int Barrier(int task_id, ParallelEnvironment* environment, const void* caller);
  // Counts, environment, divergence. Returns the launch's result.
  int Finish(int expected_tasks);

  ParallelEnvironment* environment() const { return environment_; }
  static ActiveLaunch*& OfThisThread();

 private:
  enum class State { kReady, kRunning, kWaiting, kDone };
  struct Turn {
    int id = 0;
    State state = State::kReady;
  };

  void RunOne(int id);
  void WaitInTurns(Turn& turn);
  void WaitInThreads();
  bool GiveTurns();

  ParallelTask task_;
  void* closure_;
  ParallelEnvironment* environment_;
  uint32_t number_;
  const void* caller_;
  const ParallelLauncher::TaskGuard& guard_;
  ReportSink sink_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Turn> turns_;
  bool in_turns_ = false;
  int alive_ = 0;       // threads that have not returned
  int waiting_ = 0;     // threads at the barrier
  uint32_t phase_ = 0;  // barriers passed by all
  bool diverged_ = false;
  std::vector<int> ran_;  // ids, in order of start
  int failed_ = 0;
};

}  // namespace irate::contract
