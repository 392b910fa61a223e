// Workspaces: what code does to them, and what a runtime that breaks its side does to code.
#include "tests/execution/sanitized/generated_code.h"

namespace irate::sanitized {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A workspace of 64 floats, B, filled from A and copied to C, four at a time; `body` runs in
// between.
std::string Program(const std::string& between, const std::string& after_free = "") {
  return Entry(2) + fmt::format(R"(
define internal i32 @main_compute_(ptr noalias align 64 %A, ptr noalias align 64 %C) {{
entry:
  %alloc = load ptr, ptr @__TVMBackendAllocWorkspace, align 8
  %B = call ptr %alloc(i32 1, i32 0, i64 256, i32 2, i32 32)
  call void @llvm.assume(i1 true) [ "align"(ptr %B, i64 64) ]
  br label %for_body_i
for_body_i:
  %i = phi i32 [ 0, %entry ], [ %next, %for_body_i ]
  %from = getelementptr inbounds float, ptr %A, i32 %i
  %v = load <4 x float>, ptr %from, align 16
  %at = getelementptr inbounds float, ptr %B, i32 %i
  store <4 x float> %v, ptr %at, align 16
  %to = getelementptr inbounds float, ptr %C, i32 %i
  %w = load <4 x float>, ptr %at, align 16
  store <4 x float> %w, ptr %to, align 16
  %next = add nsw i32 %i, 4
  %more = icmp slt i32 %next, 64
  br i1 %more, label %for_body_i, label %for_end_i
for_end_i:
{}
  %free = load ptr, ptr @__TVMBackendFreeWorkspace, align 8
  %freed = call i32 %free(i32 1, i32 0, ptr %B)
{}
  ret i32 0
}}
)",
                                between, after_free);
}

std::vector<contract::Argument> Arguments() { return {Floats("A", {64}), Floats("C", {64})}; }

class Workspaces : public ::testing::TestWithParam<bool> {
 protected:
  RunResult Run(const std::string& ir, const RunOptions& options = {}) const {
    return CompileAndRun(ir, Arguments(), options,
                         GetParam() ? CompileOptions::Strict() : CompileOptions::Optimised());
  }
};
INSTANTIATE_TEST_SUITE_P(Forms, Workspaces, ::testing::Bool(), [](const auto& parameter) {
  return parameter.param ? "Strict" : "Optimised";
});

TEST_P(Workspaces, CorrectUseIsSilent) {
  const RunResult result = Run(Program(""));
  EXPECT_THAT(result.reports, IsEmpty()) << Describe(result);
  EXPECT_EQ(result.contents[1], result.contents[0]);
}

TEST_P(Workspaces, OffByOne) {
  for (const auto& [index, write] :
       {std::pair{64, true}, std::pair{-1, true}, std::pair{64, false}, std::pair{-1, false}}) {
    const RunResult result = Run(Program(fmt::format(
        "  %edge = getelementptr inbounds float, ptr %B, i32 {}\n  {}\n", index,
        write ? "store float 1.0, ptr %edge, align 4" : "%bad = load float, ptr %edge, align 4")));
    ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kOutOfBounds)) << Describe(result);
    const Report& report = result.reports[0];
    EXPECT_EQ(report.buffer, "B");
    EXPECT_EQ(report.buffer_kind, "workspace");
    EXPECT_EQ(report.index, index);
    EXPECT_EQ(report.offset, index * 4);
    EXPECT_EQ(report.buffer_bytes, 256);
    EXPECT_EQ(report.is_write, write);
  }
}

TEST_P(Workspaces, ReadAfterFree) {
  const RunResult result = Run(Program("", "  %stale = load float, ptr %B, align 4\n"));
  ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kUseAfterFree)) << Describe(result);
  EXPECT_EQ(result.reports[0].buffer, "B");
  EXPECT_EQ(result.reports[0].offset, 0);
  EXPECT_THAT(result.reports[0].text,
              HasSubstr("a read of 4 bytes from workspace B[0], at offset 0 of 256 bytes after it "
                        "was freed"));
}

TEST_P(Workspaces, FreedTwice) {
  const RunResult result = Run(
      Program("", "  %again = call i32 %free(i32 1, i32 0, ptr %B)\n  ret i32 %again\ndead:\n"));
  ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kContract)) << Describe(result);
  EXPECT_EQ(result.reports[0].clause, "workspace-double-free");
  EXPECT_EQ(result.returned, -1);
}

TEST_P(Workspaces, WrongDevice) {
  std::string ir = Program("");
  ir.replace(ir.find("%free(i32 1, i32 0"), 18, "%free(i32 2, i32 0");
  const RunResult result = Run(ir);
  ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kContract)) << Describe(result);
  EXPECT_EQ(result.reports[0].clause, "workspace-device");
}

TEST_P(Workspaces, Leak) {
  const RunResult result = Run(Program("  ret i32 0\nrest:\n"));
  ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kContract)) << Describe(result);
  EXPECT_EQ(result.reports[0].clause, "workspace-leak");
  EXPECT_EQ(result.reports[0].buffer, "B");
}

// The third founding report: the compiler may emit aligned vector stores, the runtime gave less.
TEST_P(Workspaces, RuntimeGivesLessAlignment) {
  for (const auto& [fault, remainder] : {std::pair{contract::Fault::kWorkspaceAlign16, "16"},
                                         std::pair{contract::Fault::kWorkspaceAlign32, "32"},
                                         std::pair{contract::Fault::kWorkspaceOffByOne, "1"}}) {
    RunOptions options;
    options.fault = fault;
    const RunResult result = Run(Program(""), options);
    EXPECT_TRUE(result.fault_triggered);
    EXPECT_THAT(Kinds(result), Contains(ReportKind::kMisaligned)) << Describe(result);
    EXPECT_THAT(
        result.reports[0].text,
        HasSubstr(fmt::format("an assumption relies on a multiple of 64, but the address of "
                              "workspace B[0], at offset 0 of 256 bytes has remainder {}",
                              remainder)));
    EXPECT_EQ(result.reports.back().clause, "workspace-alignment");
    EXPECT_EQ(result.reports.back().buffer, "B");
    EXPECT_TRUE(result.completed);
  }
}

TEST_P(Workspaces, OffByOneMakesVectorStoresMisaligned) {
  RunOptions options;
  options.fault = contract::Fault::kWorkspaceOffByOne;
  const RunResult result = Run(Program(""), options);
  std::vector<std::string> statements;
  for (const Report& report : result.reports) statements.push_back(report.text);
  EXPECT_THAT(statements, Contains(HasSubstr("a store relies on a multiple of 16")))
      << Describe(result);
}

TEST_P(Workspaces, NestingIsChecked) {
  const RunResult result = Run(Program(R"(
  %D = call ptr %alloc(i32 1, i32 0, i64 64, i32 2, i32 32)
  %early = load ptr, ptr @__TVMBackendFreeWorkspace, align 8
  %gone = call i32 %early(i32 1, i32 0, ptr %B)
  %then = call i32 %early(i32 1, i32 0, ptr %D)
  ret i32 0
rest:
)"));
  ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kContract)) << Describe(result);
  EXPECT_EQ(result.reports[0].clause, "workspace-order");
}

}  // namespace
}  // namespace irate::sanitized
