#include <signal.h>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "oracles/oracle.h"
#include "oracles/oracle_list.h"
#include "tests/oracles/observations.h"

namespace irate {
namespace {

using ::irate::testing::Defined;
using ::irate::testing::ObservationBuilder;
using ::irate::testing::StrictCase;
using ::irate::testing::Undefined;
using ::irate::testing::WildCase;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kPass[] = "tirx.transform.UnrollLoop";

ObservationBuilder Crash(Stage stage) {
  ObservationBuilder builder({1, 2});
  builder.Failed(Failure::SIGNAL, stage, stage == STAGE_PASS ? kPass : "")
      .Signal(SIGSEGV,
              {"tvm::tirx::Unroller::Visit(tvm::Stmt const&)", "tvm::Pass::Run()", "main"});
  return builder;
}

TEST(CompilerCrashTest, NamesThePassTheSignalAndTheFrames) {
  const std::vector<Finding> findings =
      MakeCompilerCrashOracle()->Judge(StrictCase(), Crash(STAGE_PASS).get(), 0);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].oracle(), "compiler-crash");
  EXPECT_EQ(findings[0].target(), "tvm");
  EXPECT_EQ(findings[0].culprit(), kPass);
  EXPECT_EQ(findings[0].step(), 0);
  EXPECT_EQ(findings[0].shape(), "SIGSEGV.tvm::tirx::Unroller::Visit.tvm::Pass::Run.main");
}

TEST(CompilerCrashTest, CountsAtEveryStageOfTheCompilerAndInWildMode) {
  for (const auto& [stage, culprit] : {std::pair(STAGE_LOWER, "lower"), {STAGE_BUILD, "codegen"}}) {
    const std::vector<Finding> findings =
        MakeCompilerCrashOracle()->Judge(WildCase(), Crash(stage).get(), 0);
    ASSERT_THAT(findings, SizeIs(1));
    EXPECT_EQ(findings[0].culprit(), culprit);
  }
}

TEST(CompilerCrashTest, NamesTheSanitizerReport) {
  ObservationBuilder builder({1});
  builder.Failed(Failure::SANITIZER, STAGE_BUILD);
  builder.get().mutable_variants(0)->mutable_failure()->set_error_kind("heap-buffer-overflow");
  const std::vector<Finding> findings =
      MakeCompilerCrashOracle()->Judge(StrictCase(), builder.get(), 0);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].shape(), "heap-buffer-overflow");
}

TEST(CompilerCrashTest, IgnoresGeneratedCodeLiftingAndOtherFailures) {
  EXPECT_THAT(MakeCompilerCrashOracle()->Judge(StrictCase(), Crash(STAGE_RUN).get(), 0), IsEmpty());
  EXPECT_THAT(MakeCompilerCrashOracle()->Judge(StrictCase(), Crash(STAGE_LIFT).get(), 0),
              IsEmpty());
  ObservationBuilder hang({1});
  hang.Failed(Failure::HANG, STAGE_PASS, kPass);
  EXPECT_THAT(MakeCompilerCrashOracle()->Judge(StrictCase(), hang.get(), 0), IsEmpty());
}

TEST(GeneratedCodeCrashTest, BlamesCodeGeneration) {
  const std::vector<Finding> findings =
      MakeGeneratedCodeCrashOracle()->Judge(StrictCase(), Crash(STAGE_RUN).get(), 0);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].culprit(), "codegen");
}

TEST(GeneratedCodeCrashTest, IgnoresCompilersAndProgramsThatAPassMadeUndefined) {
  EXPECT_THAT(MakeGeneratedCodeCrashOracle()->Judge(StrictCase(), Crash(STAGE_BUILD).get(), 0),
              IsEmpty());
  ObservationBuilder broken({1, 2});
  broken.Changed(kPass, Undefined("out of bounds: C[9]")).Failed(Failure::SIGNAL, STAGE_RUN);
  EXPECT_THAT(MakeGeneratedCodeCrashOracle()->Judge(StrictCase(), broken.get(), 0), IsEmpty());
}

TEST(HangTest, CatchesTheCompilerAndDefinedGeneratedCode) {
  ObservationBuilder compiler({1});
  compiler.Failed(Failure::HANG, STAGE_PASS, kPass);
  std::vector<Finding> findings = MakeHangOracle()->Judge(WildCase(), compiler.get(), 0);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].culprit(), kPass);

  ObservationBuilder generated({1});
  generated.Failed(Failure::HANG, STAGE_RUN);
  findings = MakeHangOracle()->Judge(StrictCase(), generated.get(), 0);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].culprit(), "generated-code");
}

TEST(HangTest, IgnoresLiftingAndWhatAPassMadeUndefined) {
  ObservationBuilder lifting({1});
  lifting.Failed(Failure::HANG, STAGE_LIFT);
  EXPECT_THAT(MakeHangOracle()->Judge(StrictCase(), lifting.get(), 0), IsEmpty());
  ObservationBuilder broken({1});
  broken.Changed(kPass, Undefined("division by zero")).Failed(Failure::HANG, STAGE_RUN);
  EXPECT_THAT(MakeHangOracle()->Judge(StrictCase(), broken.get(), 0), IsEmpty());
}

TEST(OutOfMemoryTest, CountsInStrictModeOnly) {
  ObservationBuilder builder({1});
  builder.Failed(Failure::OUT_OF_MEMORY, STAGE_PASS, kPass);
  EXPECT_THAT(MakeOutOfMemoryOracle()->Judge(StrictCase(), builder.get(), 0), SizeIs(1));
  EXPECT_THAT(MakeOutOfMemoryOracle()->Judge(WildCase(), builder.get(), 0), IsEmpty());
  ObservationBuilder run({1});
  run.Failed(Failure::OUT_OF_MEMORY, STAGE_RUN);
  EXPECT_THAT(MakeOutOfMemoryOracle()->Judge(StrictCase(), run.get(), 0), IsEmpty());
}

TEST(InternalErrorTest, ShapeIsTheFailedConditionWithoutTheProgram) {
  Case test_case;
  Function* function = test_case.mutable_module()->add_functions();
  function->set_name("main");
  function->add_buffers()->set_name("Acc");
  ObservationBuilder builder({1});
  builder.Failed(Failure::INTERNAL_ERROR, STAGE_PASS, kPass,
                 "Check failed: (it != map.end()) is false: Acc_12 of 0x7f00 has no entry");
  std::vector<Finding> findings = MakeInternalErrorOracle()->Judge(test_case, builder.get(), 0);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].shape(), "Check failed: (it != map.end()) is false");
  EXPECT_THAT(findings[0].detail(), HasSubstr("Acc_12"));

  builder.get().mutable_variants(0)->mutable_failure()->set_message("no rule for Acc_12 at 77");
  findings = MakeInternalErrorOracle()->Judge(test_case, builder.get(), 0);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].shape(), "no rule for V at N");
}

TEST(InternalErrorTest, IgnoresWildModeDiagnosticsAndUndefinedInput) {
  ObservationBuilder builder({1});
  builder.Failed(Failure::INTERNAL_ERROR, STAGE_PASS, kPass, "Check failed: (a) is false");
  EXPECT_THAT(MakeInternalErrorOracle()->Judge(WildCase(), builder.get(), 0), IsEmpty());
  ObservationBuilder diagnostic({1});
  diagnostic.Failed(Failure::DIAGNOSTIC, STAGE_PASS, kPass, "cannot vectorize this loop");
  EXPECT_THAT(MakeInternalErrorOracle()->Judge(StrictCase(), diagnostic.get(), 0), IsEmpty());
  ObservationBuilder broken({1});
  broken.Changed("tirx.transform.StorageRewrite", Undefined("out of bounds"))
      .Failed(Failure::INTERNAL_ERROR, STAGE_PASS, kPass, "Check failed: (a) is false");
  EXPECT_THAT(MakeInternalErrorOracle()->Judge(StrictCase(), broken.get(), 0), IsEmpty());
}

TEST(RejectedTest, CountsRefusalsOfTheDefaultPipelineOnly) {
  ObservationBuilder builder({1});
  builder.Failed(Failure::DIAGNOSTIC, STAGE_PASS, kPass, "cannot vectorize this loop");
  EXPECT_THAT(MakeRejectedOracle()->Judge(StrictCase(), builder.get(), 0), SizeIs(1));
  EXPECT_THAT(MakeRejectedOracle()->Judge(WildCase(), builder.get(), 0), IsEmpty());
  Case explicit_passes;
  explicit_passes.mutable_passes()->add_steps()->set_name(kPass);
  EXPECT_THAT(MakeRejectedOracle()->Judge(explicit_passes, builder.get(), 0), IsEmpty());
}

}  // namespace
}  // namespace irate
