#include "execution/contract/parallel.h"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/execution/contract/recorder.h"

namespace irate::contract {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

ParallelOptions Options(TaskOrder order, int tasks = 4) {
  ParallelOptions options;
  options.order = order;
  options.tasks = tasks;
  options.seed = 3;
  return options;
}

TEST(TaskSequence, Orders) {
  EXPECT_THAT(TaskSequence(Options(TaskOrder::kForward), 4), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(TaskSequence(Options(TaskOrder::kReverse), 4), ElementsAre(3, 2, 1, 0));
  const auto shuffled = TaskSequence(Options(TaskOrder::kShuffled), 16);
  EXPECT_EQ(shuffled, TaskSequence(Options(TaskOrder::kShuffled), 16));
  ParallelOptions other = Options(TaskOrder::kShuffled);
  other.seed = 4;
  EXPECT_NE(shuffled, TaskSequence(other, 16));
  EXPECT_THAT(TaskSequence(Options(TaskOrder::kShuffled), 4), UnorderedElementsAre(0, 1, 2, 3));
}

struct Closure {
  std::atomic<int> next{0};
  int order[64] = {};
  std::atomic<int> num_task{0};
};
int Record(int task, ParallelEnvironment* environment, void* data) {
  auto* closure = static_cast<Closure*>(data);
  closure->order[closure->next++] = task;
  closure->num_task = environment->num_task;
  return 0;
}

TEST(Launch, RunsEachTaskOnceAndTellsTheCount) {
  for (TaskOrder order :
       {TaskOrder::kForward, TaskOrder::kReverse, TaskOrder::kShuffled, TaskOrder::kThreads}) {
    for (bool barriers : {false, true}) {
      for (int requested : {0, 1, 7}) {
        Recorder recorder;
        RegionMap regions;
        ParallelOptions options = Options(order, 5);
        options.barriers = barriers;
        ParallelLauncher launcher(options, &regions, recorder.Sink());
        Closure closure;
        EXPECT_EQ(launcher.Launch(Record, &closure, requested, nullptr), 0);
        const int expected = requested == 0 ? 5 : requested;
        EXPECT_EQ(closure.next, expected);
        EXPECT_EQ(closure.num_task, expected);
        EXPECT_THAT(recorder.reports(), IsEmpty()) << recorder.Text();
      }
    }
  }
}

TEST(Launch, FaultsAreCaughtByTheCount) {
  for (const auto& [fault, text] :
       {std::pair{Fault::kLaunchSkipTask, "task 3 of 4 ran 0 times"},
        std::pair{Fault::kLaunchRepeatTask, "task 0 of 4 ran 2 times"},
        std::pair{Fault::kLaunchOverCount, "task 4 ran, but the launch has 4 tasks"}}) {
    for (TaskOrder order : {TaskOrder::kForward, TaskOrder::kShuffled, TaskOrder::kThreads}) {
      Recorder recorder;
      RegionMap regions;
      ParallelOptions options = Options(order);
      options.fault = fault;
      ParallelLauncher launcher(options, &regions, recorder.Sink());
      Closure closure;
      launcher.Launch(Record, &closure, 0, nullptr);
      EXPECT_TRUE(launcher.fault_triggered());
      ASSERT_THAT(recorder.Clauses(), ElementsAre(Clause::kLaunchTaskCount));
      EXPECT_THAT(recorder.reports()[0].text, HasSubstr(text));
    }
  }
}

// Four phases; in each, every task must see that all finished the one before.
struct Phases {
  ParallelLauncher* launcher = nullptr;
  std::atomic<int> arrived[4] = {};
  std::atomic<int> wrong{0};
};
int WaitFourTimes(int task, ParallelEnvironment* environment, void* data) {
  auto* phases = static_cast<Phases*>(data);
  for (auto& arrived : phases->arrived) {
    ++arrived;
    phases->launcher->Barrier(task, environment, nullptr);
    if (arrived != environment->num_task) ++phases->wrong;
  }
  return 0;
}

TEST(Barrier, SeparatesPhases) {
  for (TaskOrder order :
       {TaskOrder::kForward, TaskOrder::kReverse, TaskOrder::kShuffled, TaskOrder::kThreads}) {
    Recorder recorder;
    RegionMap regions;
    ParallelOptions options = Options(order, 6);
    options.barriers = true;
    ParallelLauncher launcher(options, &regions, recorder.Sink());
    Phases phases;
    phases.launcher = &launcher;
    EXPECT_EQ(launcher.Launch(WaitFourTimes, &phases, 0, nullptr), 0);
    EXPECT_EQ(phases.wrong, 0);
    EXPECT_THAT(recorder.reports(), IsEmpty()) << recorder.Text();
  }
}

int WaitIfEven(int task, ParallelEnvironment* environment, void* data) {
  if (task % 2 == 0) static_cast<ParallelLauncher*>(data)->Barrier(task, environment, nullptr);
  return 0;
}

TEST(Barrier, DivergenceIsReportedAndDoesNotHang) {
  for (TaskOrder order : {TaskOrder::kForward, TaskOrder::kThreads}) {
    Recorder recorder;
    RegionMap regions;
    ParallelOptions options = Options(order);
    options.barriers = true;
    ParallelLauncher launcher(options, &regions, recorder.Sink());
    launcher.Launch(WaitIfEven, &launcher, 0, nullptr);
    EXPECT_THAT(recorder.Clauses(), ElementsAre(Clause::kBarrierDivergence));
  }
}

int ChangeEnvironment(int, ParallelEnvironment* environment, void*) {
  environment->num_task = 1;
  return 0;
}
int Fail(int task, ParallelEnvironment*, void* data) {
  ++*static_cast<int*>(data);
  return task == 1 ? -1 : 0;
}
int Nest(int, ParallelEnvironment*, void* data) {
  Closure closure;
  return static_cast<ParallelLauncher*>(data)->Launch(Record, &closure, 1, nullptr);
}

TEST(Launch, OtherClauses) {
  Recorder recorder;
  RegionMap regions;
  ParallelLauncher launcher(Options(TaskOrder::kForward), &regions, recorder.Sink());
  EXPECT_EQ(launcher.Launch(nullptr, nullptr, 1, nullptr), -1);
  EXPECT_EQ(launcher.Launch(Record, nullptr, -1, nullptr), -1);
  launcher.Launch(ChangeEnvironment, nullptr, 2, nullptr);
  launcher.Launch(Nest, &launcher, 1, nullptr);
  EXPECT_EQ(launcher.Barrier(0, nullptr, nullptr), -1);
  EXPECT_THAT(recorder.Clauses(), ElementsAre(Clause::kLaunchArguments, Clause::kLaunchArguments,
                                              Clause::kLaunchEnvironment, Clause::kLaunchNested,
                                              Clause::kBarrierOutside));
}

TEST(Launch, AFailedTaskFailsTheLaunchAfterAllRan) {
  Recorder recorder;
  RegionMap regions;
  ParallelLauncher launcher(Options(TaskOrder::kForward), &regions, recorder.Sink());
  int ran = 0;
  EXPECT_EQ(launcher.Launch(Fail, &ran, 4, nullptr), -1);
  EXPECT_EQ(ran, 4);
}

TEST(Launch, ManyLaunchesReuseEnvironments) {
  Recorder recorder;
  RegionMap regions;
  ParallelLauncher launcher(Options(TaskOrder::kForward, 1), &regions, recorder.Sink());
  for (int i = 0; i < 20000; ++i) {
    Closure closure;
    ASSERT_EQ(launcher.Launch(Record, &closure, 1, nullptr), 0);
  }
  EXPECT_LT(regions.All().size(), 20000u);
}

}  // namespace
}  // namespace irate::contract
