// Each seeded fault of the code, put into modules of the stock compiler: the oracle's clause, the
// buffer and the offset are in the text; and without the fault nothing is said.
#include "execution/sanitized/code_faults.h"

#include <set>

#include "execution/api/sanitizer.h"
#include "execution/contract/faults.h"
#include "execution/sanitized/abi_check.h"
#include "tests/execution/sanitized/tvm_fixtures.h"

namespace irate::sanitized {
namespace {

using ::testing::HasSubstr;

struct Expectation {
  const char* fault;
  const char* module;
  ReportKind kind;
  const char* text;  // in the report
};

class CodeFaults : public ::testing::TestWithParam<Expectation> {};

INSTANTIATE_TEST_SUITE_P(
    All, CodeFaults,
    ::testing::Values(
        Expectation{"read-before", "Matmul", ReportKind::kOutOfBounds, "A[-1], at offset -4"},
        Expectation{"read-after", "Matmul", ReportKind::kOutOfBounds, "A[1024], at offset 4096"},
        Expectation{"write-before", "StackArray", ReportKind::kOutOfBounds, "A[-1], at offset -4"},
        Expectation{"write-after", "StackArray", ReportKind::kOutOfBounds, "A[16], at offset 64"},
        Expectation{"workspace-read-after", "Workspace", ReportKind::kOutOfBounds, "offset 4096"},
        Expectation{"workspace-write-after", "WorkspacePerTask", ReportKind::kOutOfBounds,
                    "offset 2048"},
        Expectation{"workspace-use-after-free", "Workspace", ReportKind::kUseAfterFree, "B"},
        Expectation{"stack-write-after", "StackArray", ReportKind::kOutOfBounds, "offset 64"},
        Expectation{"wild-read", "Matmul", ReportKind::kOutOfBounds, "offset 33554432"},
        Expectation{"misaligned-vector", "Matmul", ReportKind::kMisaligned, "multiple of 16"},
        Expectation{"uninitialised", "Matmul", ReportKind::kUninitialised, "accumulator"},
        Expectation{"overflowed-index", "Matmul", ReportKind::kSignedOverflow, "2147483647"},
        Expectation{"overlapping-noalias", "StackArray", ReportKind::kNoaliasOverlap, "C"}),
    [](const auto& info) {
      std::string name = info.param.fault;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

TEST_P(CodeFaults, IsReportedWithItsPlace) {
  const Expectation& expected = GetParam();
  const std::string ir = ReadFixture(fmt::format("{}.O0", expected.module));
  const auto arguments = ArgumentsFor(expected.module);
  const auto faulty = InjectCodeFault(expected.fault, ir, arguments);
  ASSERT_TRUE(faulty.ok()) << faulty.status();
  ASSERT_TRUE(faulty->has_value());
  const RunResult result = CompileAndRun(**faulty, arguments);
  std::string texts;
  bool seen = false;
  for (const Report& report : result.reports) {
    seen |= report.kind == expected.kind;
    texts += report.text + "\n";
  }
  EXPECT_TRUE(seen) << texts;
  EXPECT_THAT(texts, HasSubstr(expected.text));
}

std::vector<std::string> AbiClauses(const std::string& fault, const std::string& module,
                                    std::string* text) {
  const auto faulty = InjectCodeFault(fault, ReadFixture(module + ".O0"), ArgumentsFor(module));
  EXPECT_TRUE(faulty.ok()) << faulty.status();
  if (!faulty.ok() || !faulty->has_value()) return {"not injected"};
  const auto violations = CheckAbi(**faulty);
  EXPECT_TRUE(violations.ok()) << violations.status();
  std::vector<std::string> clauses;
  for (const AbiViolation& violation : *violations) {
    clauses.push_back(violation.clause);
    *text += violation.text + "\n";
  }
  return clauses;
}

// The first founding report: called as a packed function, and none.
TEST(CodeFaultsOfCalls, Convention) {
  std::string text;
  EXPECT_THAT(AbiClauses("convention", "Matmul", &text),
              ::testing::ElementsAre("calling-convention"));
  EXPECT_THAT(text, HasSubstr("main_compute_ is called as a packed function but is i32 (ptr, ptr"));
}

// The second: n - 1 arguments to a callee that reads n, within the module and by name.
TEST(CodeFaultsOfCalls, DroppedArgument) {
  std::string text;
  EXPECT_THAT(AbiClauses("dropped-argument", "Matmul", &text),
              ::testing::ElementsAre("call-signature"));
  EXPECT_THAT(text, HasSubstr("is called as i32 (ptr, ptr)"));

  std::vector<std::string> calls;
  const auto arguments = ArgumentsFor("PackedCalls");
  const auto faulty = InjectCodeFault("dropped-argument", ReadFixture("PackedCalls.O0"), arguments);
  ASSERT_TRUE(faulty.ok() && faulty->has_value());
  const RunResult result = CompileAndRun(**faulty, arguments, PackedOptions(&calls));
  ASSERT_FALSE(result.reports.empty());
  EXPECT_EQ(result.reports[0].clause, "packed-argument-count") << Describe(result);
}

TEST(CodeFaultsOfCalls, WhatHasNoPlaceIsLeftAlone) {
  const auto no_workspace =
      InjectCodeFault("workspace-read-after", ReadFixture("Matmul.O0"), ArgumentsFor("Matmul"));
  ASSERT_TRUE(no_workspace.ok());
  EXPECT_FALSE(no_workspace->has_value());
  EXPECT_EQ(InjectCodeFault("nonsense", ReadFixture("Matmul.O0"), {}).status().code(),
            absl::StatusCode::kNotFound);
}

TEST(CodeFaultsOfCalls, AllAreTested) { EXPECT_EQ(CodeFaultNames().size(), 15u); }

// The list for those who check names without a sanitizer.
TEST(SanitizerFaults, AreThoseThatASanitizerKnows) {
  std::set<std::string> names;
  for (const std::string_view name : CodeFaultNames()) names.insert("code." + std::string(name));
  for (const contract::Fault fault : contract::AllFaults()) {
    names.insert("runtime." + std::string(contract::FaultName(fault)));
  }
  EXPECT_EQ(names, std::set<std::string>(kSanitizerFaults.begin(), kSanitizerFaults.end()));
}

}  // namespace
}  // namespace irate::sanitized
