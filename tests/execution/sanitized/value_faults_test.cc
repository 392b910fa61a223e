// Values and addresses that LLVM calls poison or undefined: alignment, arithmetic, aliasing,
// uninitialised memory. Each fault with its cause in the text, each correct neighbour silent.
#include "tests/execution/sanitized/generated_code.h"

namespace irate::sanitized {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A vector load from a parameter of which only 16 bytes' alignment is promised with its offset.
std::string VectorLoad(int promised) {
  return Entry(2, /*with_offset=*/true) + fmt::format(R"(
define internal i32 @main_compute_(ptr noalias %A, ptr noalias %C) {{
entry:
  %v = load <4 x float>, ptr %A, align {}
  store <4 x float> %v, ptr %C, align 4
  ret i32 0
}}
)",
                                                      promised);
}

contract::Argument WithByteOffset(contract::Argument argument, uint64_t offset) {
  argument.tensor->byte_offset = offset;
  return argument;
}

TEST(Alignment, VectorLoadOnParameterWithByteOffset) {
  for (const CompileOptions& form : {CompileOptions::Strict(), CompileOptions::Optimised()}) {
    const RunResult result = CompileAndRun(
        VectorLoad(16), {WithByteOffset(Floats("A", {8}), 8), Floats("C", {8})}, {}, form);
    ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kMisaligned)) << Describe(result);
    EXPECT_EQ(result.reports[0].buffer, "A");
    EXPECT_EQ(result.reports[0].offset, 0);
    EXPECT_THAT(result.reports[0].text, HasSubstr("a load relies on a multiple of 16"));
    EXPECT_THAT(result.reports[0].text, HasSubstr("has remainder 8"));
    EXPECT_THAT(result.reports[0].text, HasSubstr("load <4 x float> from A"));
  }
}

TEST(Alignment, WhatIsPromisedIsEnough) {
  EXPECT_THAT(
      CompileAndRun(VectorLoad(16), {WithByteOffset(Floats("A", {8}), 16), Floats("C", {8})})
          .reports,
      IsEmpty());
  EXPECT_THAT(
      CompileAndRun(VectorLoad(8), {WithByteOffset(Floats("A", {8}), 8), Floats("C", {8})}).reports,
      IsEmpty());
}

TEST(Alignment, ParameterAttribute) {
  const RunResult result = CompileAndRun(Entry(1, true) + R"(
define internal i32 @main_compute_(ptr noalias align 64 %A) {
entry:
  %v = load float, ptr %A, align 4
  ret i32 0
}
)",
                                         {WithByteOffset(Floats("A", {8}), 4)});
  ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kMisaligned)) << Describe(result);
  EXPECT_THAT(result.reports[0].text, HasSubstr("a parameter relies on a multiple of 64"));
}

// C[0] = operation(A[0], A[1]), in 32 bits.
RunResult Arithmetic(const std::string& operation, int32_t left, int32_t right,
                     const CompileOptions& options = CompileOptions::Strict()) {
  return CompileAndRun(Entry(2) + fmt::format(R"(
define internal i32 @main_compute_(ptr noalias align 64 %A, ptr noalias align 64 %C) {{
entry:
  %x = load i32, ptr %A, align 4
  %q = getelementptr inbounds i32, ptr %A, i32 1
  %y = load i32, ptr %q, align 4
  %r = {} i32 %x, %y
  store i32 %r, ptr %C, align 4
  ret i32 0
}}
)",
                                              operation),
                       {Ints("A", {left, right}), Ints("C", {0})}, {}, options);
}

struct ArithmeticCase {
  const char* operation;
  int32_t left, right;
  ReportKind kind;
  const char* text;
};
class ArithmeticFaults : public ::testing::TestWithParam<ArithmeticCase> {};
constexpr int32_t kMax = std::numeric_limits<int32_t>::max();
constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
INSTANTIATE_TEST_SUITE_P(
    All, ArithmeticFaults,
    ::testing::Values(
        ArithmeticCase{"add nsw", kMax, 1, ReportKind::kSignedOverflow,
                       "2147483647 + 1 does not fit into i32"},
        ArithmeticCase{"sub nsw", kMin, 1, ReportKind::kSignedOverflow,
                       "-2147483648 - 1 does not fit into i32"},
        ArithmeticCase{"mul nsw", 65536, 65536, ReportKind::kSignedOverflow,
                       "65536 * 65536 does not fit into i32"},
        ArithmeticCase{"add nuw", -1, 1, ReportKind::kUnsignedOverflow,
                       "4294967295 + 1 does not fit into u32"},
        ArithmeticCase{"sub nuw", 0, 1, ReportKind::kUnsignedOverflow,
                       "0 - 1 does not fit into u32"},
        ArithmeticCase{"add nuw nsw", -1, 1, ReportKind::kUnsignedOverflow,
                       "4294967295 + 1 does not fit into u32"},
        ArithmeticCase{"shl", 1, 32, ReportKind::kShiftOutOfRange, "a shift of i32 by 32"},
        ArithmeticCase{"ashr", 1, -1, ReportKind::kShiftOutOfRange, "a shift of i32 by"},
        ArithmeticCase{"shl nsw", 1 << 30, 1, ReportKind::kSignedOverflow,
                       "1073741824 << 1 does not fit into i32"},
        ArithmeticCase{"sdiv", 7, 0, ReportKind::kDivisionByZero, "7 / 0 in i32"},
        ArithmeticCase{"urem", 7, 0, ReportKind::kDivisionByZero, "7 / 0 in u32"},
        ArithmeticCase{"sdiv", kMin, -1, ReportKind::kDivisionOverflow, "-2147483648 / -1 in i32"},
        ArithmeticCase{"srem", kMin, -1, ReportKind::kDivisionOverflow,
                       "-2147483648 / -1 in i32"}));

TEST_P(ArithmeticFaults, IsReportedWithItsOperands) {
  const ArithmeticCase& fault = GetParam();
  const RunResult result = Arithmetic(fault.operation, fault.left, fault.right);
  ASSERT_THAT(Kinds(result), ElementsAre(fault.kind)) << Describe(result);
  EXPECT_THAT(result.reports[0].text, HasSubstr(fault.text));
  EXPECT_EQ(result.reports[0].function, "main_compute_");
  EXPECT_TRUE(result.completed);
}

TEST_P(ArithmeticFaults, IsReportedAtOnceWithoutTracking) {
  CompileOptions options = CompileOptions::Strict();
  options.initialisation = false;
  const ArithmeticCase& fault = GetParam();
  const RunResult result = Arithmetic(fault.operation, fault.left, fault.right, options);
  ASSERT_THAT(Kinds(result), ElementsAre(fault.kind)) << Describe(result);
  EXPECT_THAT(result.reports[0].text, HasSubstr(fault.text));
}

TEST_P(ArithmeticFaults, InRangeIsSilent) {
  const RunResult result = Arithmetic(GetParam().operation, 3, 1);
  EXPECT_THAT(result.reports, IsEmpty()) << Describe(result);
}

// A vector: the lane that fails is the one reported, and only its element is poison.
TEST(Arithmetic, VectorLane) {
  const RunResult result = CompileAndRun(Entry(2) + R"(
define internal i32 @main_compute_(ptr noalias align 64 %A, ptr noalias align 64 %C) {
entry:
  %x = load <4 x i32>, ptr %A, align 16
  %r = add nsw <4 x i32> %x, splat (i32 1)
  store <4 x i32> %r, ptr %C, align 16
  ret i32 0
}
)",
                                         {Ints("A", {1, 2, kMax, 4}), Ints("C", {0, 0, 0, 0})});
  ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kSignedOverflow)) << Describe(result);
  EXPECT_THAT(result.reports[0].text, HasSubstr("2147483647 + 1 does not fit into i32"));
  EXPECT_THAT(result.reports[0].text, HasSubstr("reached 1 element of C, first C[2]"));
}

TEST(Arithmetic, PoisonThatIsNotUsedIsSilent) {
  const RunResult result = CompileAndRun(Entry(2) + R"(
define internal i32 @main_compute_(ptr noalias align 64 %A, ptr noalias align 64 %C) {
entry:
  %x = load i32, ptr %A, align 4
  %speculated = add nsw i32 %x, 1
  %small = icmp slt i32 %x, 100
  %r = select i1 %small, i32 %speculated, i32 0
  store i32 %r, ptr %C, align 4
  ret i32 0
}
)",
                                         {Ints("A", {kMax}), Ints("C", {1})});
  EXPECT_THAT(result.reports, IsEmpty()) << Describe(result);
}

TEST(Arithmetic, OverflowedIndex) {
  const RunResult result = CompileAndRun(Entry(2) + R"(
define internal i32 @main_compute_(ptr noalias align 64 %A, ptr noalias align 64 %C) {
entry:
  %x = load i32, ptr %A, align 4
  %row = mul nsw i32 %x, 65536
  %p = getelementptr inbounds i32, ptr %C, i32 %row
  store i32 7, ptr %p, align 4
  ret i32 0
}
)",
                                         {Ints("A", {65536}), Ints("C", {0})});
  ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kSignedOverflow)) << Describe(result);
  EXPECT_THAT(
      result.reports[0].text,
      HasSubstr("65536 * 65536 does not fit into i32 (main_compute_: x * 65536 in i32), and "
                "the value decides at main_compute_: store i32 to C[row]"));
}

TEST(Arithmetic, FloatToInteger) {
  for (const auto& [value, bad] :
       {std::pair{"2147483648.0", true}, std::pair{"-2147483648.5", false},
        std::pair{"0x7FF8000000000000", true}, std::pair{"2147483647.5", false}}) {
    const RunResult result = CompileAndRun(Entry(1) + fmt::format(R"(
define internal i32 @main_compute_(ptr noalias align 64 %C) {{
entry:
  %box = alloca double, align 8
  store double {}, ptr %box, align 8
  %x = load volatile double, ptr %box, align 8
  %r = fptosi double %x to i32
  store i32 %r, ptr %C, align 4
  ret i32 0
}}
)",
                                                                  value),
                                           {Ints("C", {0})});
    if (bad) {
      ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kFloatToInteger)) << Describe(result);
      EXPECT_THAT(result.reports[0].text, HasSubstr("converted to i32"));
    } else {
      EXPECT_THAT(result.reports, IsEmpty()) << Describe(result);
    }
  }
}

TEST(Arithmetic, Unreachable) {
  const RunResult result = CompileAndRun(Entry(1) + R"(
define internal i32 @main_compute_(ptr noalias align 64 %A) {
entry:
  %x = load i32, ptr %A, align 4
  %never = icmp eq i32 %x, 5
  br i1 %never, label %gone, label %fine
gone:
  unreachable
fine:
  ret i32 0
}
)",
                                         {Ints("A", {5})});
  EXPECT_THAT(Kinds(result), ::testing::Contains(ReportKind::kUnreachable)) << Describe(result);
}

std::string TwoPointers(const char* store_to) {
  return Entry(1) + fmt::format(R"(
define internal i32 @body(ptr noalias %A, ptr noalias %C) {{
entry:
  %v = load float, ptr %A, align 4
  {}
  ret i32 0
}}
define internal i32 @main_compute_(ptr %A) {{
entry:
  %second = getelementptr inbounds float, ptr %A, i32 1
  %r = call i32 @body(ptr %A, ptr %second)
  ret i32 %r
}}
)",
                                store_to);
}

TEST(Noalias, OverlappingStore) {
  const RunResult result =
      CompileAndRun(TwoPointers("store float %v, ptr %C, align 4"), {Floats("A", {4})});
  ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kNoaliasOverlap)) << Describe(result);
  EXPECT_EQ(result.reports[0].function, "body");
  EXPECT_EQ(result.reports[0].buffer, "A");
  EXPECT_THAT(result.reports[0].text,
              HasSubstr("parameters 0 and 1 are declared noalias and both point into A"));
}

TEST(Noalias, OverlapThatIsOnlyReadIsSilent) {
  const RunResult result =
      CompileAndRun(TwoPointers("%w = load float, ptr %C, align 4"), {Floats("A", {4})});
  EXPECT_THAT(result.reports, IsEmpty()) << Describe(result);
}

// acc += A[i] over a stack array or workspace that is only written if `init`.
std::string Accumulator(const std::string& memory, const std::string& release, bool init) {
  return Entry(2) + fmt::format(R"(
define internal i32 @main_compute_(ptr noalias align 64 %A, ptr noalias align 64 %C) {{
entry:
  {}
  {}
  br label %for_body_i
for_body_i:
  %i = phi i32 [ 0, %entry ], [ %next, %for_body_i ]
  %p = getelementptr inbounds float, ptr %A, i32 %i
  %v = load float, ptr %p, align 4
  %old = load float, ptr %acc, align 4
  %new = fadd float %old, %v
  store float %new, ptr %acc, align 4
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, 16
  br i1 %more, label %for_body_i, label %for_end_i
for_end_i:
  %sum = load float, ptr %acc, align 4
  %out = getelementptr inbounds float, ptr %C, i32 3
  store float %sum, ptr %out, align 4
  {}
  ret i32 0
}}
)",
                                memory, init ? "store float 0.0, ptr %acc, align 4" : "", release);
}
constexpr char kStack[] = "%acc = alloca [4 x float], align 64";
constexpr char kWorkspace[] =
    "%alloc = load ptr, ptr @__TVMBackendAllocWorkspace, align 8\n"
    "  %acc = call ptr %alloc(i32 1, i32 0, i64 16, i32 2, i32 32)";
constexpr char kFree[] =
    "%free = load ptr, ptr @__TVMBackendFreeWorkspace, align 8\n"
    "  %freed = call i32 %free(i32 1, i32 0, ptr %acc)";

TEST(Initialisation, AccumulatorOnTheStack) {
  const std::vector<contract::Argument> arguments = {Floats("A", {16}), Floats("C", {16})};
  const RunResult result = CompileAndRun(Accumulator(kStack, "", false), arguments);
  ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kUninitialised)) << Describe(result);
  EXPECT_EQ(result.reports[0].buffer, "C");
  EXPECT_EQ(result.reports[0].index, 3);
  EXPECT_THAT(result.reports[0].text,
              HasSubstr("a value of stack acc, which was never written, reached 1 element of C, "
                        "first C[3]"));
  EXPECT_THAT(CompileAndRun(Accumulator(kStack, "", true), arguments).reports, IsEmpty());
}

TEST(Initialisation, AccumulatorInAWorkspace) {
  const std::vector<contract::Argument> arguments = {Floats("A", {16}), Floats("C", {16})};
  const RunResult result = CompileAndRun(Accumulator(kWorkspace, kFree, false), arguments);
  ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kUninitialised)) << Describe(result);
  EXPECT_THAT(
      result.reports[0].text,
      HasSubstr("a value of workspace acc, which was never written, reached 1 element of C, "
                "first C[3]"));
  EXPECT_THAT(CompileAndRun(Accumulator(kWorkspace, kFree, true), arguments).reports, IsEmpty());
}

std::string ReadFirst() {
  return Entry(2) + R"(
define internal i32 @main_compute_(ptr noalias align 64 %A, ptr noalias align 64 %C) {
entry:
  %v = load i32, ptr %A, align 4
  %positive = icmp sgt i32 %v, 0
  br i1 %positive, label %then, label %done
then:
  store i32 1, ptr %C, align 4
  br label %done
done:
  ret i32 0
}
)";
}

TEST(Initialisation, BranchOnAnArgumentThatNobodyWrote) {
  const RunResult result = CompileAndRun(ReadFirst(), {Unwritten(Ints("A", {1})), Ints("C", {0})});
  ASSERT_FALSE(result.reports.empty());
  EXPECT_EQ(result.reports[0].kind, ReportKind::kUninitialised);
  EXPECT_THAT(result.reports[0].text,
              HasSubstr("a value of A, which the caller never wrote, decides "
                        "at main_compute_: branch on positive (in entry)"))
      << Describe(result);
}

TEST(Initialisation, BranchOnUndef) {
  const RunResult result = CompileAndRun(Entry(1) + R"(
define internal i32 @main_compute_(ptr noalias align 64 %C) {
entry:
  br i1 undef, label %then, label %done
then:
  br label %done
done:
  ret i32 0
}
)",
                                         {Ints("C", {0})});
  ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kUninitialised)) << Describe(result);
  EXPECT_THAT(result.reports[0].text, HasSubstr("an undefined value decides at main_compute_"));
}

// An output that the function does not fill is its own report: the caller would read garbage.
TEST(Initialisation, OutputThatIsNotWritten) {
  const RunResult result = CompileAndRun(Entry(2) + R"(
define internal i32 @main_compute_(ptr noalias align 64 %A, ptr noalias align 64 %C) {
entry:
  store i32 1, ptr %C, align 4
  ret i32 0
}
)",
                                         {Ints("A", {1}), Unwritten(Ints("C", {0, 0, 0}))});
  ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kUninitialised)) << Describe(result);
  EXPECT_EQ(result.reports[0].buffer, "C");
  EXPECT_EQ(result.reports[0].index, 1);
  EXPECT_THAT(result.reports[0].text, HasSubstr("2 elements of C, first C[1]"));
}

}  // namespace
}  // namespace irate::sanitized
