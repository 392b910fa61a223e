// Every way in which a compiler can fail is reported for what it is, and the next request is
// served.
#include <signal.h>

#include <chrono>
#include <memory>
#include <string>

#include "execution/protocol.pb.h"
#include "execution/worker_client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/execution/worker_testing.h"

namespace irate {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IRATE_TEST_ADDRESS_SANITIZER 1
#endif
#endif

class WorkerFaultTest : public testing::Test {
 protected:
  void StartWorker(WorkerOptions options) {
    auto worker = WorkerClient::Start(options);
    ASSERT_TRUE(worker.ok()) << worker.status();
    worker_ = *std::move(worker);
  }
  void SetUp() override { StartWorker(SelftestOptions()); }
  // Whatever a test did, the worker goes on.
  void TearDown() override {
    const VariantObservation seen = Run("");
    EXPECT_EQ(seen.failure().kind(), Failure::NONE) << seen.failure().DebugString();
    EXPECT_EQ(seen.outputs_size(), 2);
  }

  VariantObservation Run(const std::string& options) {
    auto seen = worker_->Run(SmallCase(), SelftestSpec(options), SelftestPasses(), {});
    EXPECT_TRUE(seen.ok()) << seen.status();
    return seen.ok() ? *seen : VariantObservation();
  }
  Failure RunFault(const std::string& fault, const std::string& stage = "run") {
    return Run(FaultOptions(fault, stage)).failure();
  }

  std::unique_ptr<WorkerClient> worker_;
};

TEST_F(WorkerFaultTest, NoFault) {
  const VariantObservation seen = Run("");
  EXPECT_EQ(seen.failure().kind(), Failure::NONE);
  ASSERT_EQ(seen.steps_size(), 4);
  EXPECT_EQ(seen.steps(0).index(), -1);
  EXPECT_EQ(seen.steps(1).outcome(), StepObservation::UNCHANGED);
  EXPECT_EQ(seen.steps(2).outcome(), StepObservation::CHANGED);
  EXPECT_TRUE(seen.steps(2).has_lifted());
  EXPECT_EQ(seen.compiler_version(), "1");
  EXPECT_EQ(seen.spec().target(), "selftest");
  EXPECT_EQ(worker_->starts(), 1);
}

TEST_F(WorkerFaultTest, EveryStageIsNamed) {
  const struct {
    const char* name;
    Stage stage;
    int step;
  } stages[] = {{"lower", STAGE_LOWER, -1},
                {"pass", STAGE_PASS, 0},
                {"build", STAGE_BUILD, -1},
                {"run", STAGE_RUN, -1}};
  for (const auto& [name, stage, step] : stages) {
    for (const char* fault : {"segv", "killed", "close-socket"}) {
      const Failure failure = RunFault(fault, name);
      EXPECT_NE(failure.kind(), Failure::NONE) << fault << " in " << name;
      EXPECT_EQ(failure.stage(), stage) << fault << " in " << name;
      EXPECT_EQ(failure.step(), step) << fault << " in " << name;
      EXPECT_EQ(failure.pass(), stage == STAGE_PASS ? "selftest.Identity" : "");
    }
  }
}

TEST_F(WorkerFaultTest, ThePassIsNamed) {
  const Failure failure = Run(R"({"fault": "segv", "step": 2})").failure();
  EXPECT_EQ(failure.kind(), Failure::SIGNAL);
  EXPECT_EQ(failure.stage(), STAGE_PASS);
  EXPECT_EQ(failure.step(), 2);
  EXPECT_EQ(failure.pass(), "selftest.CommuteOperands");
}

TEST_F(WorkerFaultTest, Segv) {
  const Failure failure = RunFault("segv");
  EXPECT_EQ(failure.kind(), Failure::SIGNAL);
  EXPECT_EQ(failure.signal(), SIGSEGV);
  EXPECT_EQ(failure.message(), "SIGSEGV: write to a null pointer");
  ASSERT_GE(failure.frames_size(), 2) << "and its callers";
  EXPECT_EQ(failure.frames(0), "irate::CommitFault(...)");
}

TEST_F(WorkerFaultTest, FramesAreTheSameInEveryProcess) {
  const Failure first = RunFault("segv");
  StartWorker(SelftestOptions());  // another address space layout
  const Failure second = RunFault("segv");
  EXPECT_EQ(first.DebugString(), second.DebugString());
}

TEST_F(WorkerFaultTest, NullCallIsBlamedOnItsCaller) {
  const Failure failure = RunFault("null-call");
  EXPECT_EQ(failure.signal(), SIGSEGV);
  EXPECT_EQ(failure.message(), "SIGSEGV: call of a null function pointer");
  ASSERT_GE(failure.frames_size(), 2);
  EXPECT_EQ(failure.frames(0), "irate::CommitFault(...)");
}

TEST_F(WorkerFaultTest, Abort) {
  const Failure failure = RunFault("abort");
  EXPECT_EQ(failure.kind(), Failure::SIGNAL);
  EXPECT_EQ(failure.signal(), SIGABRT);
  ASSERT_GE(failure.frames_size(), 1);
  EXPECT_EQ(failure.frames(0), "irate::CommitFault(...)");
}

TEST_F(WorkerFaultTest, WhatADyingProcessPrintsIsQuoted) {
  const Failure failure = RunFault("uncaught-exception");
  EXPECT_EQ(failure.signal(), SIGABRT);
  EXPECT_THAT(failure.message(), HasSubstr("what():  planted"));
  EXPECT_THAT(failure.log(), HasSubstr("std::runtime_error"));
  EXPECT_THAT(worker_->log(), HasSubstr("std::runtime_error"));
}

TEST_F(WorkerFaultTest, StackOverflow) {
  const Failure failure = RunFault("stack-overflow");
  EXPECT_EQ(failure.signal(), SIGSEGV);
  EXPECT_EQ(failure.message(), "SIGSEGV: stack overflow");
  EXPECT_EQ(failure.stage(), STAGE_RUN);
  EXPECT_GE(failure.frames_size(), 1);
}

TEST_F(WorkerFaultTest, HeapOverflow) {
  const Failure failure = RunFault("heap-overflow");
#ifdef IRATE_TEST_ADDRESS_SANITIZER
  EXPECT_EQ(failure.kind(), Failure::SANITIZER);
  EXPECT_EQ(failure.error_kind(), "heap-buffer-overflow");
  EXPECT_EQ(failure.message(), "AddressSanitizer: heap-buffer-overflow, WRITE of size 1");
  ASSERT_GE(failure.frames_size(), 2);
  EXPECT_THAT(failure.frames(1), HasSubstr("irate::CommitFault"));
#else
  EXPECT_EQ(failure.kind(), Failure::NONE) << "nothing watches the heap of a plain worker";
#endif
}

TEST_F(WorkerFaultTest, Exit) {
  const Failure failure = RunFault("exit", "build");
  EXPECT_EQ(failure.kind(), Failure::INTERNAL_ERROR);
  EXPECT_EQ(failure.error_kind(), "Exit");
  EXPECT_EQ(failure.message(), "the process called exit(3)");
  EXPECT_EQ(failure.stage(), STAGE_BUILD);
}

TEST_F(WorkerFaultTest, KilledFromOutsideIsNoFindingOfTheCompiler) {
  const Failure failure = RunFault("killed");
  EXPECT_EQ(failure.kind(), Failure::HARNESS);
  EXPECT_EQ(failure.signal(), SIGKILL);
}

TEST_F(WorkerFaultTest, Hang) {
  WorkerOptions options = SelftestOptions();
  options.deadline = std::chrono::milliseconds(400);
  StartWorker(options);
  const auto start = std::chrono::steady_clock::now();
  const Failure failure = Run(R"({"fault": "hang", "step": 1})").failure();
  const auto elapsed = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(failure.kind(), Failure::HANG);
  EXPECT_EQ(failure.pass(), "selftest.SerialiseLoops");
  EXPECT_EQ(failure.message(), "no answer within 400 ms");
  ASSERT_GE(failure.frames_size(), 1) << "a sample of the stack";
  EXPECT_EQ(failure.frames(0), "irate::CommitFault(...)");
  EXPECT_GE(elapsed, std::chrono::milliseconds(400));
  EXPECT_LT(elapsed, std::chrono::milliseconds(5'000));
}

TEST_F(WorkerFaultTest, SlowIsNoHang) {
  WorkerOptions options = SelftestOptions();
  options.deadline = std::chrono::milliseconds(5'000);
  StartWorker(options);
  EXPECT_EQ(RunFault("sleep").kind(), Failure::NONE);
}

TEST_F(WorkerFaultTest, MemoryGrowth) {
  WorkerOptions options = SelftestOptions();
  options.memory_limit = uint64_t{200} << 20;
  StartWorker(options);
  const Failure failure = RunFault("out-of-memory", "pass");
  EXPECT_EQ(failure.kind(), Failure::OUT_OF_MEMORY) << failure.DebugString();
  EXPECT_EQ(failure.stage(), STAGE_PASS);
  EXPECT_GE(failure.frames_size(), 1);
}

TEST_F(WorkerFaultTest, BrokenAnswersAreFaultsOfTheHarness) {
  const struct {
    const char* fault;
    const char* message;
  } faults[] = {{"close-socket", "closed the socket"},
                {"truncated-reply", "8 bytes of an unfinished message"},
                {"oversized-reply", "4294967295"},
                {"garbled-reply", "not a valid irate.Reply"}};
  for (const auto& [fault, message] : faults) {
    const Failure failure = RunFault(fault);
    EXPECT_EQ(failure.kind(), Failure::HARNESS) << fault;
    EXPECT_THAT(failure.message(), HasSubstr(message)) << fault;
    EXPECT_EQ(failure.stage(), STAGE_RUN) << fault;
  }
}

TEST_F(WorkerFaultTest, ErrorsOfTheCompilerCostNoWorker) {
  Failure failure = RunFault("internal-error", "pass");
  EXPECT_EQ(failure.kind(), Failure::INTERNAL_ERROR);
  EXPECT_EQ(failure.error_kind(), "InternalError");
  EXPECT_EQ(failure.pass(), "selftest.Identity");
  failure = RunFault("diagnostic", "build");
  EXPECT_EQ(failure.kind(), Failure::DIAGNOSTIC);
  EXPECT_EQ(failure.stage(), STAGE_BUILD);
  EXPECT_EQ(worker_->starts(), 1);
}

TEST_F(WorkerFaultTest, WrongResult) {
  const VariantObservation right = Run("");
  const VariantObservation wrong = Run(R"({"fault": "wrong-result"})");
  EXPECT_EQ(wrong.failure().kind(), Failure::NONE);
  EXPECT_NE(wrong.outputs(0).data(), right.outputs(0).data());
  EXPECT_EQ(wrong.outputs(1).data(), right.outputs(1).data());
}

TEST_F(WorkerFaultTest, WrongPassIsWrongFromThereOn) {
  const VariantObservation right = Run("");
  const VariantObservation wrong = Run(R"({"fault": "wrong-pass", "step": 1})");
  EXPECT_EQ(wrong.steps(0).lifted().SerializeAsString(),
            right.steps(0).lifted().SerializeAsString());
  EXPECT_NE(wrong.steps(2).lifted().SerializeAsString(),
            right.steps(2).lifted().SerializeAsString());
  EXPECT_NE(wrong.outputs(1).data(), right.outputs(1).data());
}

TEST_F(WorkerFaultTest, Nondeterminism) {
  const std::string options = R"({"fault": "nondeterminism"})";
  EXPECT_NE(Run(options).outputs(0).data(), Run(options).outputs(0).data());
}

TEST_F(WorkerFaultTest, FaultThatNeedsAHistory) {
  const std::string options = R"({"fault": "segv", "stage": "run", "after": 4})";
  for (int i = 1; i < 4; ++i) EXPECT_EQ(Run(options).failure().kind(), Failure::NONE) << i;
  EXPECT_EQ(Run(options).failure().kind(), Failure::SIGNAL);
  EXPECT_EQ(Run(options).failure().kind(), Failure::NONE) << "a fresh worker has no history";
}

TEST_F(WorkerFaultTest, OptionsThatAreNotUnderstoodAreADiagnostic) {
  for (const char* options : {"{\"fault\": \"bogus\"}", "not json", "{\"step\": -1}", "[]"}) {
    EXPECT_EQ(Run(options).failure().kind(), Failure::DIAGNOSTIC) << options;
  }
}

// Requests for a value rather than an observation.
TEST_F(WorkerFaultTest, ValuesAndTheirErrors) {
  auto passes = worker_->DefaultPasses(SelftestSpec());
  ASSERT_TRUE(passes.ok()) << passes.status();
  EXPECT_EQ(passes->SerializeAsString(), SelftestPasses().SerializeAsString());
  EXPECT_FALSE(worker_->DefaultPasses(SelftestSpec("bogus")).ok());
  auto text = worker_->PrintNative(SmallCase(), SelftestSpec(), SelftestPasses(), 3);
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_THAT(*text, HasSubstr("main"));
  PassSequence bogus;
  bogus.add_steps()->set_name("selftest.Bogus");
  text = worker_->PrintNative(SmallCase(), SelftestSpec(), bogus, 1);
  ASSERT_FALSE(text.ok());
  EXPECT_THAT(std::string(text.status().message()), HasSubstr("selftest.Bogus"));
}

}  // namespace
}  // namespace irate
