#include "targets/tvm/tvm_target.h"

#include <csignal>
#include <memory>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/builder.h"
#include "ir/schedule.h"
#include "ir/visit.h"
#include "programs.h"

namespace irate {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

class TvmTargetTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    target_ = MakeTvmTarget().release();
    ASSERT_TRUE(target_->Load().ok()) << target_->Load();
  }

  static PassSequence Sequence(std::initializer_list<const char*> names, PassMode mode = STRICT) {
    PassSequence sequence;
    sequence.set_mode(mode);
    for (const char* name : names) sequence.add_steps()->set_name(name);
    return sequence;
  }

  static VariantObservation Run(const Case& test_case, const PassSequence& passes,
                                Progress* progress = nullptr) {
    return target_->Run(test_case, target_->DefaultSpecs()[0], passes, TargetOptions{}, progress);
  }

  static Target* target_;
};

Target* TvmTargetTest::target_ = nullptr;

TEST_F(TvmTargetTest, SaysWhatItIs) {
  EXPECT_EQ(target_->Name(), "tvm");
  EXPECT_THAT(target_->Version(), MatchesRegex("0\\.[0-9]+\\..*"));
  EXPECT_EQ(target_->DefaultSpecs()[0].options(), R"({"kind":"llvm"})");
}

TEST_F(TvmTargetTest, LoadingLeavesNoSignalHandlerOfTvm) {
  struct sigaction action;
  ASSERT_EQ(sigaction(SIGSEGV, nullptr, &action), 0);
#if !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer)
  EXPECT_EQ(action.sa_handler, SIG_DFL);
#else
  EXPECT_NE(action.sa_handler, SIG_DFL);  // AddressSanitizer's is back
#endif
}

TEST_F(TvmTargetTest, ReportsEveryStep) {
  Progress progress;
  const Case test_case = tvm_test::BlockReduction(16, 8);
  const PassSequence passes = target_->DefaultPasses(target_->DefaultSpecs()[0]).value();
  const VariantObservation observation = Run(test_case, passes, &progress);
  ASSERT_FALSE(observation.has_failure()) << observation.failure().ShortDebugString();
  EXPECT_EQ(observation.compiler_version(), target_->Version());
  EXPECT_EQ(observation.steps(0).index(), -1);
  EXPECT_TRUE(observation.steps(0).has_lifted());
  for (int i = 0; i < passes.steps_size(); ++i) {
    EXPECT_EQ(observation.steps(i + 1).index(), i);
    EXPECT_EQ(observation.steps(i + 1).pass(), passes.steps(i).name());
  }
  EXPECT_GT(observation.lower_ms(), 0);
  EXPECT_GT(observation.build_ms(), 0);
  EXPECT_GT(observation.run_ms(), 0);
  EXPECT_EQ(progress.stage.load(), STAGE_RUN);
  EXPECT_EQ(progress.step.load(), -1);
}

TEST_F(TvmTargetTest, StrictModeEndsAtTheFirstError) {
  // The packed API needs a target.
  Progress progress;
  const VariantObservation observation =
      Run(tvm_test::SymbolicShape(4),
          Sequence({"tirx.transform.StmtSimplify", "tirx.transform.MakePackedAPI",
                    "tirx.transform.RemoveNoOp"}),
          &progress);
  const Failure& failure = observation.failure();
  EXPECT_EQ(failure.kind(), Failure::INTERNAL_ERROR);
  EXPECT_EQ(failure.stage(), STAGE_PASS);
  EXPECT_EQ(failure.step(), 1);
  EXPECT_EQ(failure.pass(), "tirx.transform.MakePackedAPI");
  EXPECT_EQ(failure.error_kind(), "InternalError");
  EXPECT_THAT(failure.message(), HasSubstr("MakePackedAPI required the function"));
  ASSERT_GE(failure.frames_size(), 1);
  EXPECT_THAT(failure.frames(0), StartsWith("tvm::tirx::MakePackedAPI"));
  ASSERT_EQ(observation.steps_size(), 3);
  EXPECT_EQ(observation.steps(2).outcome(), StepObservation::FAILED);
  EXPECT_EQ(progress.stage.load(), STAGE_PASS);
  EXPECT_EQ(progress.step.load(), 1);
  EXPECT_STREQ(progress.pass, "tirx.transform.MakePackedAPI");
}

TEST_F(TvmTargetTest, WildModeSkipsWhatDoesNotApply) {
  const VariantObservation observation =
      Run(tvm_test::SymbolicShape(4),
          Sequence({"tirx.transform.MakePackedAPI", "tirx.transform.FlattenBuffer"}, WILD));
  EXPECT_FALSE(observation.has_failure());
  ASSERT_EQ(observation.steps_size(), 3);
  EXPECT_EQ(observation.steps(1).outcome(), StepObservation::SKIPPED);
  EXPECT_THAT(observation.steps(1).skip_reason(), StartsWith("InternalError: Check failed"));
  EXPECT_EQ(observation.steps(2).outcome(), StepObservation::CHANGED);
}

// A step of a program that may not have a schedule is skipped, so that no reduction ends there.
TEST_F(TvmTargetTest, NoStepIsAppliedToAProgramThatIsNotSchedulable) {
  Case test_case = tvm_test::BlockReduction(16, 8);
  std::string block;
  Stmt* loop = nullptr;
  VisitStmts(test_case.mutable_module()->mutable_functions(0), [&](Stmt& stmt) {
    if (stmt.kind() == BLOCK && !stmt.block().iters().empty()) block = stmt.block().name();
    if (stmt.kind() == BLOCK) stmt.mutable_block()->clear_predicate();  // of an argument
    if (stmt.kind() == FOR && loop == nullptr) loop = &stmt;
  });
  ASSERT_NE(loop, nullptr);
  ScheduleStep* step = test_case.mutable_schedule()->add_steps();
  step->set_primitive("unroll");
  *step->add_args() = StepText(block);
  *step->add_args() = StepInt(0);
  const PassSequence passes = Sequence({"tirx.transform.BindTarget"});
  const StepObservation applied = Run(test_case, passes).schedule_steps(0);
  EXPECT_EQ(applied.outcome(), StepObservation::CHANGED) << applied.skip_reason();
  // One iteration less: the block leaves out a part of its domain.
  loop->mutable_args(1)->set_int_value(loop->args(1).int_value() - 1);
  const StepObservation skipped = Run(test_case, passes).schedule_steps(0);
  EXPECT_EQ(skipped.outcome(), StepObservation::SKIPPED);
  EXPECT_THAT(skipped.skip_reason(), HasSubstr("leaves out a part of its domain"));
}

TEST_F(TvmTargetTest, ARefusalIsADiagnostic) {
  // One loop variable for two loops: fine for TVM, but not what this pass wants.
  Case test_case = tvm_test::SymbolicShape(4);
  Function* f = test_case.mutable_module()->mutable_functions(0);
  const Stmt loop = f->body(0);
  *f->add_body() = loop;
  const VariantObservation observation =
      Run(test_case, Sequence({"tirx.transform.VerifySSA", "tirx.transform.RemoveNoOp"}));
  EXPECT_EQ(observation.failure().kind(), Failure::DIAGNOSTIC)
      << observation.failure().ShortDebugString();
  EXPECT_EQ(observation.failure().stage(), STAGE_PASS);
  EXPECT_EQ(observation.failure().step(), 0);
  EXPECT_EQ(observation.failure().error_kind(), "RuntimeError");
  EXPECT_EQ(observation.steps_size(), 2);
}

TEST_F(TvmTargetTest, AnUnfinishedSequenceIsNotBuilt) {
  const VariantObservation observation =
      Run(tvm_test::SymbolicShape(4), Sequence({"tirx.transform.BindTarget"}));
  EXPECT_FALSE(observation.has_failure());
  EXPECT_EQ(observation.build_ms(), 0);
  EXPECT_EQ(observation.outputs_size(), 0);
}

TEST_F(TvmTargetTest, OurOwnFaultsAreNotTvms) {
  const VariantObservation unknown =
      Run(tvm_test::SymbolicShape(4), Sequence({"tirx.transform.NoSuchPass"}));
  EXPECT_EQ(unknown.failure().kind(), Failure::HARNESS);
  EXPECT_THAT(unknown.failure().message(), HasSubstr("no pass named"));

  Case wrong = tvm_test::SymbolicShape(4);
  *wrong.mutable_module()->mutable_functions(0)->add_body() =
      build::Evaluate(build::Call("no_such_thing", I32, {}));
  const VariantObservation lowering = Run(wrong, Sequence({}));
  EXPECT_EQ(lowering.failure().kind(), Failure::HARNESS);
  EXPECT_EQ(lowering.failure().stage(), STAGE_LOWER);

  TargetSpec spec;
  spec.set_options("{\"kind\":\"abacus\"}");
  const VariantObservation target =
      target_->Run(tvm_test::SymbolicShape(4), spec, Sequence({}), TargetOptions{}, nullptr);
  EXPECT_EQ(target.failure().kind(), Failure::HARNESS);
  EXPECT_THAT(target.failure().message(), HasSubstr("abacus"));
  EXPECT_FALSE(target_->DefaultPasses(spec).ok());

  PassSequence option = Sequence({"tirx.transform.StmtSimplify"});
  Attribute* attribute = option.add_config();
  attribute->set_key("tirx.no_such_option");
  *attribute->mutable_value() = build::BoolConst(true);
  const VariantObservation config = Run(tvm_test::SymbolicShape(4), option);
  EXPECT_EQ(config.failure().kind(), Failure::HARNESS);
  EXPECT_THAT(config.failure().message(), HasSubstr("tirx.no_such_option"));
}

TEST_F(TvmTargetTest, OptionsReachTheCodeGenerator) {
  TargetSpec spec;
  spec.set_target("tvm");
  spec.set_options(R"({"kind":"llvm","opt-level":0})");
  const VariantObservation observation = target_->Run(
      tvm_test::Matmul(4), spec, target_->DefaultPasses(spec).value(), TargetOptions{}, nullptr);
  EXPECT_FALSE(observation.has_failure()) << observation.failure().ShortDebugString();
  EXPECT_EQ(observation.outputs_size(), 3);
  const Module& bound = observation.steps(1).lifted();
  bool found = false;
  for (const Attribute& attribute : bound.functions(0).attrs()) {
    if (attribute.key() != "target") continue;
    found = true;
    EXPECT_THAT(attribute.value().name(), HasSubstr("\"opt-level\":0"));
  }
  EXPECT_TRUE(found);
}

TEST_F(TvmTargetTest, OtherKindsAreOnlyBuilt) {
  TargetSpec spec;
  spec.set_options("c");
  const VariantObservation observation = target_->Run(
      tvm_test::Matmul(4), spec, target_->DefaultPasses(spec).value(), TargetOptions{}, nullptr);
  EXPECT_FALSE(observation.has_failure()) << observation.failure().ShortDebugString();
  EXPECT_GT(observation.build_ms(), 0);
  EXPECT_EQ(observation.outputs_size(), 0);
}

TEST_F(TvmTargetTest, PrintsTheModuleAfterAnyStep) {
  const Case test_case = tvm_test::BlockReduction(16, 8);
  const TargetSpec spec = target_->DefaultSpecs()[0];
  const PassSequence passes = target_->DefaultPasses(spec).value();
  EXPECT_THAT(target_->PrintNative(test_case, spec, passes, 0).value(),
              HasSubstr("with T.init():"));
  EXPECT_THAT(target_->PrintNative(test_case, spec, passes, passes.steps_size()).value(),
              HasSubstr("T.tvm_struct_get("));
  const absl::StatusOr<std::string> failed =
      target_->PrintNative(test_case, spec, Sequence({"tirx.transform.MakePackedAPI"}), 1);
  EXPECT_EQ(failed.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(failed.status().message()),
              StartsWith("tirx.transform.MakePackedAPI: InternalError"));
}

TEST_F(TvmTargetTest, RunsAreIndependent) {
  const Case test_case = tvm_test::ScalarTypes();
  const PassSequence passes = target_->DefaultPasses(target_->DefaultSpecs()[0]).value();
  const VariantObservation first = Run(test_case, passes);
  const VariantObservation second = Run(test_case, passes);
  ASSERT_GT(first.outputs_size(), 0);
  for (int i = 0; i < first.outputs_size(); ++i) {
    EXPECT_EQ(first.outputs(i).data(), second.outputs(i).data());
  }
}

}  // namespace
}  // namespace irate
