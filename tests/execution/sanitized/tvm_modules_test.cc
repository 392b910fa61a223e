// Real modules, as the stock compiler emits them (make_fixtures.py): not one report, right results,
// at both optimisation levels and in every order of tasks.
#include "tests/execution/sanitized/tvm_fixtures.h"

namespace irate::sanitized {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Fixture {
  std::string module;
  int level;
};
class TvmModules : public ::testing::TestWithParam<Fixture> {};
std::vector<Fixture> Fixtures() {
  std::vector<Fixture> fixtures;
  for (const std::string& module : FixtureNames()) {
    for (int level : {0, 3}) fixtures.push_back({module, level});
  }
  return fixtures;
}
INSTANTIATE_TEST_SUITE_P(All, TvmModules, ::testing::ValuesIn(Fixtures()), [](const auto& info) {
  return fmt::format("{}O{}", info.param.module, info.param.level);
});

TEST_P(TvmModules, AreSilentInEveryOrder) {
  const auto& [name, level] = GetParam();
  const std::string ir = ReadFixture(fmt::format("{}.O{}", name, level));
  const CompileOptions form = level == 0 ? CompileOptions::Strict() : CompileOptions::Optimised();
  auto module = SanitizedModule::Compile(ir, form);
  ASSERT_TRUE(module.ok()) << module.status();
  std::vector<std::string> calls;
  const std::vector<contract::Argument> arguments = ArgumentsFor(name);
  const auto result =
      RunInEveryOrder(**module, "__tvm_ffi_main", arguments, PackedOptions(&calls), 2);
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_TRUE(result->completed);
  EXPECT_EQ(result->returned, 0) << result->error.kind << ": " << result->error.message;
  EXPECT_THAT(result->reports, IsEmpty()) << Describe(*result);
  if (name == "PackedCalls") {
    EXPECT_THAT(calls, ::testing::Contains("scalars 9 1.5"));
    EXPECT_THAT(calls, ::testing::Contains("tensor of 16 elements"));
  }
}

TEST(TvmModules, InRealThreads) {
  RunOptions options;
  options.parallel.order = contract::TaskOrder::kThreads;
  for (const char* name : {"Matmul", "WorkspacePerTask"}) {
    const RunResult result =
        CompileAndRun(ReadFixture(fmt::format("{}.O0", name)), ArgumentsFor(name), options);
    EXPECT_THAT(result.reports, IsEmpty()) << Describe(result);
  }
}

TEST(TvmModules, BothLevelsAgree) {
  for (const char* name : {"Matmul", "MatmulDynamic", "Workspace", "TwoFunctions", "Offset"}) {
    const RunResult plain =
        CompileAndRun(ReadFixture(fmt::format("{}.O0", name)), ArgumentsFor(name));
    const RunResult optimised = CompileAndRun(ReadFixture(fmt::format("{}.O3", name)),
                                              ArgumentsFor(name), {}, CompileOptions::Optimised());
    EXPECT_EQ(plain.contents, optimised.contents) << name;
  }
}

// Faults put into real code, where the place and the buffer are TVM's own.

std::string Replace(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << "the fixture has no '" << from << "'";
  if (at != std::string::npos) text.replace(at, from.size(), to);
  return text;
}

TEST(TvmModulesWithFaults, LoopOneTooLong) {
  const std::string ir =
      Replace(ReadFixture("Matmul.O0"), "icmp slt i32 %k, 32", "icmp slt i32 %k, 33");
  const RunResult result = CompileAndRun(ir, ArgumentsFor("Matmul"));
  ASSERT_FALSE(result.reports.empty());
  const Report& report = result.reports[0];
  EXPECT_EQ(report.kind, ReportKind::kOutOfBounds) << Describe(result);
  EXPECT_EQ(report.buffer, "B");
  EXPECT_EQ(report.offset, 4096);
  EXPECT_EQ(report.function, "__tvm_parallel_lambda");
  EXPECT_THAT(report.statement, HasSubstr("load float from B["));
}

TEST(TvmModulesWithFaults, WorkspaceTooSmall) {
  const std::string ir =
      Replace(ReadFixture("Workspace.O0"), "i64 4096, i32 2, i32 32", "i64 4092, i32 2, i32 32");
  const RunResult result = CompileAndRun(ir, ArgumentsFor("Workspace"));
  ASSERT_FALSE(result.reports.empty());
  EXPECT_EQ(result.reports[0].buffer, "B") << Describe(result);
  EXPECT_EQ(result.reports[0].buffer_kind, "workspace");
  EXPECT_EQ(result.reports[0].offset, 4092);
  EXPECT_TRUE(result.reports[0].is_write);
}

TEST(TvmModulesWithFaults, RuntimeFaultsOnRealCode) {
  RunOptions options;
  options.fault = contract::Fault::kWorkspaceAlign32;
  RunResult result = CompileAndRun(ReadFixture("Workspace.O0"), ArgumentsFor("Workspace"), options);
  EXPECT_TRUE(result.fault_triggered);
  EXPECT_THAT(Describe(result), HasSubstr("workspace-alignment"));
  options.fault = contract::Fault::kLaunchSkipTask;
  result = CompileAndRun(ReadFixture("Matmul.O0"), ArgumentsFor("Matmul"), options);
  EXPECT_THAT(Describe(result), HasSubstr("launch-task-count: task 3 of 4 ran 0 times"));
}

// The second founding report: the call passes one argument fewer than the callee reads.
TEST(TvmModulesWithFaults, ArgumentDroppedFromAPackedCall) {
  std::vector<std::string> calls;
  const std::string ir = Replace(ReadFixture("PackedCalls.O0"), ", i32 4, ptr %", ", i32 3, ptr %");
  const RunResult result = CompileAndRun(ir, ArgumentsFor("PackedCalls"), PackedOptions(&calls));
  ASSERT_FALSE(result.reports.empty());
  EXPECT_EQ(result.reports[0].clause, "packed-argument-count") << Describe(result);
  EXPECT_THAT(result.reports[0].text,
              HasSubstr("the call of 'test.scalars' passes 3 arguments, but it reads 4"));
  EXPECT_EQ(result.reports[0].function, "main_compute_");
}

TEST(TvmModulesWithFaults, ArgumentDroppedByTheRuntime) {
  std::vector<std::string> calls;
  RunOptions options = PackedOptions(&calls);
  options.fault = contract::Fault::kPackedDropArgument;
  const RunResult result =
      CompileAndRun(ReadFixture("PackedCalls.O0"), ArgumentsFor("PackedCalls"), options);
  EXPECT_TRUE(result.fault_triggered);
  EXPECT_THAT(Describe(result), HasSubstr("packed-argument-count"));
}

TEST(TvmModulesWithFaults, ArgumentSlotNeverWritten) {
  std::vector<std::string> calls;
  const std::string ir = Replace(ReadFixture("PackedCalls.O0"), "store double 1.500000e+00, ptr %",
                                 "store volatile double 1.500000e+00, ptr %stack_shape ;");
  const RunResult result = CompileAndRun(ir, ArgumentsFor("PackedCalls"), PackedOptions(&calls));
  EXPECT_THAT(
      Describe(result),
      HasSubstr("packed-argument-memory: the call of 'test.scalars' passes 4 arguments, but "
                "byte 8 of argument 3 was never written"));
}

}  // namespace
}  // namespace irate::sanitized
