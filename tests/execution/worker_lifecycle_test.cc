// Workers over many requests: replaced, recycled, ended, and nothing left behind.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "execution/protocol.pb.h"
#include "execution/worker_client.h"
#include "gtest/gtest.h"
#include "tests/execution/worker_testing.h"

namespace irate {
namespace {

std::unique_ptr<WorkerClient> StartWorker(const WorkerOptions& options = SelftestOptions()) {
  auto worker = WorkerClient::Start(options);
  EXPECT_TRUE(worker.ok()) << worker.status();
  return worker.ok() ? *std::move(worker) : nullptr;
}

Failure::Kind Serve(WorkerClient& worker, const std::string& options = "") {
  const auto seen = worker.Run(SmallCase(), SelftestSpec(options), SelftestPasses(), {});
  EXPECT_TRUE(seen.ok()) << seen.status();
  return seen.ok() ? seen->failure().kind() : Failure::HARNESS;
}

template <typename Condition>
bool Eventually(Condition condition) {
  for (int i = 0; i < 1000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

TEST(WorkerLifecycleTest, ADeathCostsOneFork) {
  const auto worker = StartWorker();
  EXPECT_EQ(worker->starts(), 1);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(Serve(*worker, FaultOptions("segv")), Failure::SIGNAL);
    EXPECT_EQ(Serve(*worker), Failure::NONE);
  }
  EXPECT_EQ(worker->starts(), 6);
  EXPECT_EQ(worker->stats().zygote_starts, 1);
  EXPECT_EQ(worker->stats().deaths, 5u);
  EXPECT_EQ(worker->stats().requests, 10u);
}

TEST(WorkerLifecycleTest, RecycledAfterSoManyRequests) {
  WorkerOptions options = SelftestOptions();
  options.recycle_after = 4;
  const auto worker = StartWorker(options);
  for (int i = 0; i < 12; ++i) EXPECT_EQ(Serve(*worker), Failure::NONE);
  EXPECT_EQ(worker->starts(), 3);
  EXPECT_EQ(worker->stats().recycled, 2u);
  EXPECT_EQ(worker->stats().deaths, 0u);
}

TEST(WorkerLifecycleTest, RestartGivesAWorkerWithoutHistory) {
  const auto worker = StartWorker();
  const std::string options = R"({"fault": "segv", "after": 3})";
  EXPECT_EQ(Serve(*worker, options), Failure::NONE);
  EXPECT_EQ(Serve(*worker, options), Failure::NONE);
  worker->Restart();
  EXPECT_EQ(Serve(*worker, options), Failure::NONE);
  EXPECT_EQ(worker->starts(), 2);
}

TEST(WorkerLifecycleTest, IdleWorkerThatWasKilledIsNoFailureOfTheNextRequest) {
  const auto worker = StartWorker();
  EXPECT_EQ(Serve(*worker), Failure::NONE);
  const std::vector<ProcessInfo> processes = Descendants(getpid());
  ASSERT_EQ(processes.size(), 2u) << "zygote and worker";
  ASSERT_EQ(kill(processes[1].pid, SIGKILL), 0);
  ASSERT_TRUE(Eventually([&] { return !IsRunning(processes[1].pid); }));
  EXPECT_EQ(Serve(*worker), Failure::NONE);
  EXPECT_EQ(worker->starts(), 2);
}

TEST(WorkerLifecycleTest, LostZygoteIsStartedAgain) {
  const auto worker = StartWorker();
  EXPECT_EQ(Serve(*worker), Failure::NONE);
  const std::vector<ProcessInfo> processes = Descendants(getpid());
  ASSERT_EQ(processes.size(), 2u);
  ASSERT_EQ(kill(processes[0].pid, SIGKILL), 0);
  // The worker does not outlive its zygote.
  ASSERT_TRUE(Eventually([&] { return !IsRunning(processes[1].pid); }));
  EXPECT_EQ(Serve(*worker), Failure::NONE);
  EXPECT_EQ(worker->stats().zygote_starts, 2);
}

TEST(WorkerLifecycleTest, NoDescriptorAndNoProcessIsLeftBehind) {
  const int files_before = OpenFileCount();
  {
    const auto worker = StartWorker();
    EXPECT_EQ(Serve(*worker), Failure::NONE);
    const int files = OpenFileCount();
    for (int i = 0; i < 60; ++i) {
      EXPECT_EQ(Serve(*worker, FaultOptions(i % 2 == 0 ? "segv" : "exit")),
                i % 2 == 0 ? Failure::SIGNAL : Failure::INTERNAL_ERROR);
      EXPECT_EQ(Serve(*worker), Failure::NONE);
    }
    EXPECT_EQ(OpenFileCount(), files);
    for (const ProcessInfo& process : Descendants(getpid())) EXPECT_NE(process.state, 'Z');
    EXPECT_EQ(Descendants(getpid()).size(), 2u);
  }
  EXPECT_EQ(OpenFileCount(), files_before);
  EXPECT_TRUE(Descendants(getpid()).empty());
}

TEST(WorkerLifecycleTest, ManyRequestsInOneWorker) {
  WorkerOptions options = SelftestOptions();
  options.recycle_after = 0;
  const auto worker = StartWorker(options);
  FaultRequest nothing;
  const int files = OpenFileCount();
  for (int i = 0; i < 5'000; ++i) {
    const auto failure = worker->PlantFault(nothing);
    ASSERT_TRUE(failure.ok() && failure->kind() == Failure::NONE);
  }
  EXPECT_EQ(worker->starts(), 1);
  EXPECT_EQ(OpenFileCount(), files);
}

TEST(WorkerLifecycleTest, TwoClientsAtATime) {
  const auto serve = [](const char* fault, Failure::Kind kind) {
    const auto worker = StartWorker();
    for (int i = 0; i < 20; ++i) {
      EXPECT_EQ(Serve(*worker, FaultOptions(fault)), kind);
      EXPECT_EQ(Serve(*worker), Failure::NONE);
    }
  };
  std::thread first(serve, "segv", Failure::SIGNAL);
  std::thread second(serve, "exit", Failure::INTERNAL_ERROR);
  first.join();
  second.join();
}

// A client may outlive the thread that started it.
TEST(WorkerLifecycleTest, TheStartingThreadMayEnd) {
  std::unique_ptr<WorkerClient> worker;
  std::thread([&] { worker = StartWorker(); }).join();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Serve(*worker), Failure::NONE);
  EXPECT_EQ(worker->starts(), 1);
}

TEST(WorkerLifecycleTest, ADyingHarnessTakesItsProcessesAlong) {
  const pid_t harness = fork();
  if (harness == 0) {
    WorkerOptions options = SelftestOptions();
    options.deadline = std::chrono::milliseconds(600'000);
    const auto worker = StartWorker(options);
    Serve(*worker, FaultOptions("hang"));
    _exit(0);
  }
  std::vector<ProcessInfo> processes;
  ASSERT_TRUE(Eventually([&] {
    processes = Descendants(harness);
    return processes.size() == 2;
  }));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  ASSERT_EQ(kill(harness, SIGKILL), 0);
  ASSERT_EQ(waitpid(harness, nullptr, 0), harness);
  for (const ProcessInfo& process : processes) {
    EXPECT_TRUE(Eventually([&] { return !IsRunning(process.pid); })) << process.pid;
  }
}

// Ctrl-C at a terminal goes to a whole process group.
TEST(WorkerLifecycleTest, WorkersAreOutOfTheTerminalsProcessGroup) {
  const auto worker = StartWorker();
  EXPECT_EQ(Serve(*worker), Failure::NONE);
  const std::vector<ProcessInfo> processes = Descendants(getpid());
  ASSERT_EQ(processes.size(), 2u);
  for (const ProcessInfo& process : processes) EXPECT_NE(getpgid(process.pid), getpgrp());
}

TEST(WorkerLifecycleTest, ASignalToTheHarnessDoesNotDisturbARequest) {
  struct sigaction action = {};
  action.sa_handler = [](int) {};
  struct sigaction before = {};
  ASSERT_EQ(sigaction(SIGALRM, &action, &before), 0);
  const auto worker = StartWorker();
  ualarm(1'000, 1'000);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(Serve(*worker, FaultOptions("sleep")), Failure::NONE);
  ualarm(0, 0);
  sigaction(SIGALRM, &before, nullptr);
}

TEST(WorkerLifecycleTest, StatsAddUp) {
  const auto worker = StartWorker();
  for (int i = 0; i < 50; ++i) EXPECT_EQ(Serve(*worker), Failure::NONE);
  const WorkerStats& stats = worker->stats();
  EXPECT_EQ(stats.requests, 50u);
  EXPECT_GT(stats.round_trip_ms, 0);
  EXPECT_GT(stats.compiler_ms, 0);
  EXPECT_GT(stats.run_ms, 0);
  EXPECT_GT(stats.worker_ms, 0);
  EXPECT_GT(stats.zygote_start_ms, 0);
}

}  // namespace
}  // namespace irate
