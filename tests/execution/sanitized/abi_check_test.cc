// Calls against callees, found by reading.
#include "execution/sanitized/abi_check.h"

#include "tests/execution/sanitized/tvm_fixtures.h"

namespace irate::sanitized {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<AbiViolation> Check(const std::string& ir) {
  auto violations = CheckAbi(ir);
  EXPECT_TRUE(violations.ok()) << violations.status();
  return violations.ok() ? *std::move(violations) : std::vector<AbiViolation>{};
}

std::vector<std::string> Clauses(const std::vector<AbiViolation>& violations) {
  std::vector<std::string> clauses;
  for (const AbiViolation& violation : violations) clauses.push_back(violation.clause);
  return clauses;
}

std::string Describe(const std::vector<AbiViolation>& violations) {
  std::string text;
  for (const AbiViolation& violation : violations) {
    text += fmt::format("{}: {}: {}: {}\n", violation.clause, violation.function,
                        violation.statement, violation.text);
  }
  return text;
}

TEST(AbiCheck, ModulesOfTheCompilerAreClean) {
  for (const std::string& name : FixtureNames()) {
    for (int level : {0, 3}) {
      const auto violations = Check(ReadFixture(fmt::format("{}.O{}", name, level)));
      EXPECT_TRUE(violations.empty()) << name << " at " << level << "\n" << Describe(violations);
    }
  }
}

// An array of `slots`; arguments in `written` are stored, `passed` are passed to `callee`.
std::string PackedCall(int slots, std::vector<int> written, int passed,
                       const std::string& callee = "") {
  std::string text = Entry(1) + fmt::format(R"(
%slot = type {{ i32, i32, i64 }}
@.tvm_func.callee = internal global ptr null, align 8
define internal i32 @main_compute_(ptr noalias align 64 %A) {{
entry:
  %stack = alloca %slot, i32 {}, align 8
)",
                                            slots);
  for (int i : written) {
    for (int field = 0; field < 3; ++field) {
      text += fmt::format(
          "  %p{0}.{1} = getelementptr inbounds %slot, ptr %stack, i32 {0}, i32 {1}\n"
          "  store {2} 0, ptr %p{0}.{1}, align 4\n",
          i, field, field == 2 ? "i64" : "i32");
    }
  }
  text += fmt::format(R"(
  %call = load ptr, ptr @__TVMFFIFunctionCall, align 8
  %handle = load ptr, ptr @.tvm_func.callee, align 8
  %ret = getelementptr inbounds %slot, ptr %stack, i32 {0}
  %done = call i32 %call(ptr %handle, ptr %stack, i32 {0}, ptr %ret)
  ret i32 %done
}}
{1}
)",
                      passed, callee);
  return text;
}

TEST(AbiCheck, CorrectPackedCall) { EXPECT_THAT(Check(PackedCall(4, {0, 1, 2}, 3)), IsEmpty()); }

TEST(AbiCheck, ArgumentThatIsNotWritten) {
  const auto violations = Check(PackedCall(4, {0, 2}, 3));
  ASSERT_THAT(Clauses(violations), ElementsAre("packed-argument-unset")) << Describe(violations);
  EXPECT_EQ(violations[0].function, "main_compute_");
  EXPECT_THAT(violations[0].text,
              HasSubstr("argument 1 of 3 is not written on every path to the call"));
}

TEST(AbiCheck, ArgumentsOutsideOfTheArray) {
  EXPECT_THAT(Clauses(Check(PackedCall(2, {0, 1}, 3))), ElementsAre("packed-array-size"));
  // The result has a slot of its own.
  const auto violations = Check(PackedCall(3, {0, 1, 2}, 3));
  ASSERT_THAT(Clauses(violations), ElementsAre("packed-array-size")) << Describe(violations);
  EXPECT_THAT(violations[0].text, HasSubstr("the result at offset 48"));
}

constexpr char kThreeArguments[] = R"(
define i32 @__tvm_ffi_callee(ptr %self, ptr %args, i32 %num_args, ptr %result) {
entry:
  %right = icmp eq i32 %num_args, 3
  br i1 %right, label %good, label %bad
good:
  ret i32 0
bad:
  ret i32 -1
}
)";

// The second founding report, within one module.
TEST(AbiCheck, OneArgumentTooFewForTheCallee) {
  const auto violations = Check(PackedCall(4, {0, 1}, 2, kThreeArguments));
  ASSERT_THAT(Clauses(violations), ElementsAre("packed-argument-count")) << Describe(violations);
  EXPECT_THAT(violations[0].text,
              HasSubstr("2 arguments are passed to __tvm_ffi_callee, which reads 3"));
  EXPECT_THAT(Check(PackedCall(4, {0, 1, 2}, 3, kThreeArguments)), IsEmpty());
}

TEST(AbiCheck, CalleeWithoutACheckThatReadsMore) {
  const auto violations = Check(PackedCall(4, {0, 1}, 2, R"(
define i32 @__tvm_ffi_callee(ptr %self, ptr %args, i32 %num_args, ptr %result) {
entry:
  %third = getelementptr inbounds %slot, ptr %args, i32 2, i32 2
  %v = load i64, ptr %third, align 8
  ret i32 0
}
)"));
  EXPECT_THAT(Clauses(violations), ElementsAre("packed-argument-count")) << Describe(violations);
}

// The first founding report: a kernel of the host, called as a packed function.
TEST(AbiCheck, KernelCalledAsAPackedFunction) {
  const auto violations = Check(PackedCall(4, {0, 1}, 2, R"(
define void @callee(ptr %A, ptr %B, ptr %C) {
entry:
  ret void
}
)"));
  ASSERT_THAT(Clauses(violations), ElementsAre("calling-convention")) << Describe(violations);
  EXPECT_THAT(violations[0].text,
              HasSubstr("'callee' is called as a packed function but is void (ptr, ptr, ptr)"));
}

// At run time the same call is refused by the contract runtime.
TEST(AbiCheck, KernelCalledAsAPackedFunctionAtRunTime) {
  const RunResult result = CompileAndRun(Entry(1) + R"(
@.name = private constant [7 x i8] c"kernel\00"
@.handle = internal global ptr null, align 8
define internal i32 @init(ptr %out) {
  %context = load ptr, ptr @__tvm_ffi__library_ctx, align 8
  %look = load ptr, ptr @__TVMFFIEnvModLookupFromImports, align 8
  %r = call i32 %look(ptr %context, ptr @.name, ptr %out)
  ret i32 %r
}
define internal i32 @main_compute_(ptr noalias align 64 %A) {
entry:
  %once = load ptr, ptr @__TVMFFIHandleInitOnce, align 8
  %r = call i32 %once(ptr @.handle, ptr @init)
  ret i32 %r
}
define void @kernel(ptr %A, ptr %B) {
entry:
  ret void
}
)",
                                         {Floats("A", {4})});
  ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kContract)) << sanitized::Describe(result);
  EXPECT_EQ(result.reports[0].clause, "packed-calling-convention");
  EXPECT_THAT(
      result.reports[0].text,
      HasSubstr("'kernel' was looked up in order to call it as a packed function, but it is "
                "a function void (ptr, ptr)"));
  EXPECT_EQ(result.returned, -1);
}

TEST(AbiCheck, DeviceConventionOnTheHost) {
  const auto violations = Check("define ptx_kernel void @main_kernel(ptr %A) {\n  ret void\n}\n");
  ASSERT_THAT(Clauses(violations), ElementsAre("calling-convention")) << Describe(violations);
  EXPECT_EQ(violations[0].function, "main_kernel");
}

TEST(AbiCheck, UnsetOnOnePath) {
  std::string ir = PackedCall(4, {0, 1, 2}, 3);
  const std::string store = "  store i64 0, ptr %p1.2, align 4\n";
  ir.replace(ir.find(store), store.size(),
             "  %some = icmp eq ptr %A, null\n  br i1 %some, label %set, label %rest\nset:\n" +
                 store + "  br label %rest\nrest:\n");
  EXPECT_THAT(Clauses(Check(ir)), ElementsAre("packed-argument-unset"));
}

TEST(AbiCheck, DirectCallWithAnotherType) {
  const auto violations = Check(Entry(1) + R"(
define internal i32 @main_compute_(ptr noalias %A) {
entry:
  %r = call i32 @helper(ptr %A)
  ret i32 %r
}
define internal i32 @helper(ptr %A, i32 %n) {
entry:
  ret i32 %n
}
)");
  ASSERT_THAT(Clauses(violations), ElementsAre("call-signature")) << Describe(violations);
  EXPECT_THAT(violations[0].text,
              HasSubstr("helper has type i32 (ptr, i32) and is called as i32 (ptr)"));
}

TEST(AbiCheck, RuntimeCallWithAnotherType) {
  const auto violations = Check(Entry(1) + R"(
define internal i32 @main_compute_(ptr noalias %A) {
entry:
  %free = load ptr, ptr @__TVMBackendFreeWorkspace, align 8
  %r = call i32 %free(i32 1, ptr %A)
  ret i32 %r
}
)");
  ASSERT_THAT(Clauses(violations), ElementsAre("runtime-signature")) << Describe(violations);
  EXPECT_EQ(violations[0].statement, "call TVMBackendFreeWorkspace");
}

TEST(AbiCheck, TaskReadsMoreThanItsClosure) {
  const auto violations = Check(Entry(1) + R"(
define internal i32 @main_compute_(ptr noalias %A) {
entry:
  %closure = alloca { ptr }, align 8
  store ptr %A, ptr %closure, align 8
  %launch = load ptr, ptr @__TVMBackendParallelLaunch, align 8
  %r = call i32 %launch(ptr @task, ptr %closure, i32 0)
  ret i32 %r
}
define internal i32 @task(i32 %id, ptr %env, ptr %data) {
entry:
  %second = getelementptr inbounds { ptr, ptr }, ptr %data, i32 0, i32 1
  %C = load ptr, ptr %second, align 8
  ret i32 0
}
)");
  ASSERT_THAT(Clauses(violations), ElementsAre("launch-closure")) << Describe(violations);
  EXPECT_THAT(violations[0].text, HasSubstr("reads 8 bytes at offset 8 of a closure of 8 bytes"));
}

TEST(AbiCheck, TextThatDoesNotParse) {
  const auto violations = CheckAbi("define i32 @f( {");
  EXPECT_EQ(violations.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(violations.status().message()), HasSubstr("line 1"));
}

}  // namespace
}  // namespace irate::sanitized
