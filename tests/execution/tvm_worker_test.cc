// The real compiler in a worker: end to end, and dead in every way.
#include <signal.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "execution/harness.h"
#include "execution/protocol.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/compare.h"
#include "tests/execution/worker_testing.h"

namespace irate {
namespace {

using testing::StartsWith;

class TvmWorkerTest : public testing::Test {
 protected:
  void SetUp() override {
    HarnessOptions options{.worker = SelftestOptions()};
    options.worker.target = "tvm";
    auto harness = Harness::Create(options);
    ASSERT_TRUE(harness.ok()) << harness.status();
    harness_ = *std::move(harness);
  }
  Failure Plant(FaultRequest::Kind kind) {
    FaultRequest fault;
    fault.set_kind(kind);
    auto failure = harness_->worker().PlantFault(fault);
    EXPECT_TRUE(failure.ok()) << failure.status();
    return failure.ok() ? *failure : Failure();
  }
  // A defined Case compiles, means the same after each pass, and runs rightly.
  void ExpectSound() {
    const auto seen = harness_->Execute(SmallCase());
    ASSERT_TRUE(seen.ok()) << seen.status();
    for (const VariantObservation& variant : seen->variants()) {
      EXPECT_EQ(variant.failure().kind(), Failure::NONE) << variant.failure().DebugString();
      for (const StepObservation& step : variant.steps()) {
        if (!step.has_lifted()) continue;
        EXPECT_EQ(step.interpretation().status(), Interpretation::DEFINED)
            << step.pass() << ": " << step.interpretation().reason();
        EXPECT_FALSE(Compare(seen->reference(), step.interpretation()).has_value()) << step.pass();
      }
      const std::vector<Tensor> outputs(variant.outputs().begin(), variant.outputs().end());
      EXPECT_FALSE(Compare(seen->reference(), outputs).has_value());
    }
  }

  std::unique_ptr<Harness> harness_;
};

TEST_F(TvmWorkerTest, HelloHasTheVersionAndOneThread) {
  const Hello& hello = harness_->worker().hello();
  EXPECT_EQ(hello.target(), "tvm");
  EXPECT_THAT(hello.target_version(), StartsWith("0.27"));
  EXPECT_EQ(hello.threads(), 1u);
  EXPECT_GE(hello.default_specs_size(), 1);
}

TEST_F(TvmWorkerTest, SoundInManyForks) {
  for (int i = 0; i < 5; ++i) {
    ExpectSound();
    harness_->worker().Restart();
  }
}

// The library's own signal handlers do not get in the way.
TEST_F(TvmWorkerTest, DeathsAreSeenWithTheLibraryLoaded) {
  Failure failure = Plant(FaultRequest::SEGV);
  EXPECT_EQ(failure.kind(), Failure::SIGNAL);
  EXPECT_EQ(failure.signal(), SIGSEGV);
  ASSERT_GE(failure.frames_size(), 1);
  EXPECT_EQ(failure.frames(0), "irate::CommitFault(...)");
  ExpectSound();
  failure = Plant(FaultRequest::ABORT);
  EXPECT_EQ(failure.signal(), SIGABRT);
  ExpectSound();
  failure = Plant(FaultRequest::STACK_OVERFLOW);
  EXPECT_EQ(failure.message(), "SIGSEGV: stack overflow");
  ExpectSound();
}

// After a run the worker has threads of the runtime's pool; a death must not wait for them.
TEST_F(TvmWorkerTest, DeathAfterAParallelRun) {
  ExpectSound();
  EXPECT_EQ(Plant(FaultRequest::SEGV).signal(), SIGSEGV);
  ExpectSound();
  EXPECT_EQ(Plant(FaultRequest::EXIT).error_kind(), "Exit");
  ExpectSound();
}

}  // namespace
}  // namespace irate
