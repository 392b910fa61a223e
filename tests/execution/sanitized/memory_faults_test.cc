// Accesses that must not happen, each with the buffer and the offset in its report.
#include "tests/execution/sanitized/generated_code.h"

namespace irate::sanitized {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// C[i + shift] = A[i + shift] for i in [0, 16).
std::string Copy(int load_shift, int store_shift) {
  return Entry(2) + fmt::format(R"(
define internal i32 @main_compute_(ptr noalias align 64 %A, ptr noalias align 64 %C) {{
entry:
  br label %for_body_i
for_body_i:
  %i = phi i32 [ 0, %entry ], [ %next, %for_body_i ]
  %from = add nsw i32 %i, {}
  %load_at = getelementptr inbounds float, ptr %A, i32 %from
  %v = load float, ptr %load_at, align 4
  %to = add nsw i32 %i, {}
  %store_at = getelementptr inbounds float, ptr %C, i32 %to
  store float %v, ptr %store_at, align 4
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, 16
  br i1 %more, label %for_body_i, label %for_end_i
for_end_i:
  ret i32 0
}}
)",
                                load_shift, store_shift);
}

class MemoryFaults : public ::testing::TestWithParam<bool> {
 protected:
  CompileOptions Form() const {
    return GetParam() ? CompileOptions::Strict() : CompileOptions::Optimised();
  }
  RunResult Run(const std::string& ir, const std::vector<contract::Argument>& arguments) const {
    return CompileAndRun(ir, arguments, {}, Form());
  }
};
INSTANTIATE_TEST_SUITE_P(Forms, MemoryFaults, ::testing::Bool(), [](const auto& parameter) {
  return parameter.param ? "Strict" : "Optimised";
});

TEST_P(MemoryFaults, CorrectCopyIsSilent) {
  const RunResult result = Run(Copy(0, 0), {Floats("A", {16}), Floats("C", {16})});
  EXPECT_THAT(result.reports, IsEmpty()) << Describe(result);
  EXPECT_TRUE(result.completed);
  EXPECT_EQ(result.returned, 0);
  EXPECT_EQ(Values<float>(result.contents[1])[15], 15.0f);
}

TEST_P(MemoryFaults, ReadOnePastTheEnd) {
  const RunResult result = Run(Copy(1, 0), {Floats("A", {16}), Floats("C", {16})});
  ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kOutOfBounds)) << Describe(result);
  const Report& report = result.reports[0];
  EXPECT_EQ(report.buffer, "A");
  EXPECT_EQ(report.buffer_kind, "argument");
  EXPECT_EQ(report.offset, 64);
  EXPECT_EQ(report.index, 16);
  EXPECT_EQ(report.size, 4);
  EXPECT_EQ(report.bytes_after, 0);
  EXPECT_FALSE(report.is_write);
  EXPECT_EQ(report.function, "main_compute_");
  EXPECT_THAT(report.text,
              HasSubstr("a read of 4 bytes from A[16], at offset 64 of 64 bytes, 0 after its end "
                        "out of bounds; main_compute_: load float from A[from] (in for_body_i)"));
  EXPECT_FALSE(result.completed);
}

TEST_P(MemoryFaults, ReadOneBeforeTheStart) {
  const RunResult result = Run(Copy(-1, 0), {Floats("A", {16}), Floats("C", {16})});
  ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kOutOfBounds)) << Describe(result);
  EXPECT_EQ(result.reports[0].buffer, "A");
  EXPECT_EQ(result.reports[0].offset, -4);
  EXPECT_EQ(result.reports[0].index, -1);
  EXPECT_EQ(result.reports[0].bytes_before, 4);
}

TEST_P(MemoryFaults, WriteOnePastTheEnd) {
  const RunResult result = Run(Copy(0, 1), {Floats("A", {16}), Floats("C", {16})});
  ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kOutOfBounds)) << Describe(result);
  EXPECT_EQ(result.reports[0].buffer, "C");
  EXPECT_EQ(result.reports[0].offset, 64);
  EXPECT_TRUE(result.reports[0].is_write);
  EXPECT_THAT(result.reports[0].text, HasSubstr("store float to C[to]"));
}

TEST_P(MemoryFaults, WriteOneBeforeTheStart) {
  const RunResult result = Run(Copy(0, -1), {Floats("A", {16}), Floats("C", {16})});
  ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kOutOfBounds)) << Describe(result);
  EXPECT_EQ(result.reports[0].buffer, "C");
  EXPECT_EQ(result.reports[0].offset, -4);
  EXPECT_TRUE(result.reports[0].is_write);
}

// Far outside of the buffer but within its guard pages, and so far that nothing is there at all.
TEST_P(MemoryFaults, ReadMegabytesAway) {
  const RunResult result = Run(Copy(1 << 20, 0), {Floats("A", {16}), Floats("C", {16})});
  ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kOutOfBounds)) << Describe(result);
  EXPECT_EQ(result.reports[0].buffer, "A");
  EXPECT_EQ(result.reports[0].offset, 4 << 20);
  EXPECT_THAT(result.reports[0].text, HasSubstr("guard pages"));
  EXPECT_THAT(result.reports[0].text, HasSubstr("load float from A[from]"));
}

TEST_P(MemoryFaults, WildReadIsAReportAndTheProcessLives) {
  // An address that no mapping holds, and one that the processor refuses.
  for (const char* address : {"4096", "-6148914691236517206"}) {
    const RunResult result = Run(Entry(1) + fmt::format(R"(
define internal i32 @main_compute_(ptr noalias align 64 %A) {{
entry:
  %wild = inttoptr i64 {} to ptr
  %v = load float, ptr %wild, align 4
  store float %v, ptr %A, align 4
  ret i32 0
}}
)",
                                                        address),
                                 {Floats("A", {16})});
    ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kWildAccess)) << Describe(result);
    EXPECT_EQ(result.reports[0].function, "main_compute_");
    EXPECT_THAT(result.reports[0].text, HasSubstr("load float from wild"));
  }
  EXPECT_THAT(Run(Copy(0, 0), {Floats("A", {16}), Floats("C", {16})}).reports, IsEmpty());
}

TEST_P(MemoryFaults, StackArray) {
  for (const auto& [index, offset] : {std::pair{16, 64}, std::pair{-1, -4}}) {
    const RunResult result = Run(Entry(1) + fmt::format(R"(
define internal i32 @main_compute_(ptr noalias align 64 %A) {{
entry:
  %acc = alloca [16 x float], align 64
  call void @llvm.memset.p0.i64(ptr align 64 %acc, i8 0, i64 64, i1 false)
  %n = load i32, ptr %A, align 4
  %at = add nsw i32 %n, {}
  %p = getelementptr inbounds float, ptr %acc, i32 %at
  store float 1.0, ptr %p, align 4
  ret i32 0
}}
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
)",
                                                        index),
                                 {Floats("A", {16})});
    ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kOutOfBounds)) << Describe(result);
    EXPECT_EQ(result.reports[0].buffer, "acc");
    EXPECT_EQ(result.reports[0].buffer_kind, "stack");
    EXPECT_EQ(result.reports[0].offset, offset);
    EXPECT_TRUE(result.reports[0].is_write);
  }
}

TEST_P(MemoryFaults, MemoryIntrinsicPastTheEnd) {
  const RunResult result = Run(Entry(2) + R"(
define internal i32 @main_compute_(ptr noalias align 64 %A, ptr noalias align 64 %C) {
entry:
  call void @llvm.memcpy.p0.p0.i64(ptr align 64 %C, ptr align 64 %A, i64 65, i1 false)
  ret i32 0
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
)",
                               {Floats("A", {16}), Floats("C", {16})});
  ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kOutOfBounds)) << Describe(result);
  EXPECT_EQ(result.reports[0].buffer, "A");
  EXPECT_EQ(result.reports[0].size, 65);
}

// A second, wider access through the same pointer in one block.
TEST_P(MemoryFaults, WiderSecondAccess) {
  const RunResult result = Run(Entry(1) + R"(
define internal i32 @main_compute_(ptr noalias align 64 %A) {
entry:
  %p = getelementptr inbounds float, ptr %A, i32 15
  %narrow = load float, ptr %p, align 4
  %wide = load <4 x float>, ptr %p, align 4
  %first = extractelement <4 x float> %wide, i32 0
  %sum = fadd float %narrow, %first
  store float %sum, ptr %A, align 4
  ret i32 0
}
)",
                               {Floats("A", {16})});
  ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kOutOfBounds)) << Describe(result);
  EXPECT_EQ(result.reports[0].size, 16);
  EXPECT_EQ(result.reports[0].offset, 60);
}

// Rows of 3 elements at a distance of 8: what lies between belongs to nobody.
TEST_P(MemoryFaults, GapBetweenRows) {
  contract::Argument strided = Floats("A", {4, 3});
  strided.tensor->strides = {8, 1};
  const RunResult result = Run(Entry(1) + R"(
define internal i32 @main_compute_(ptr noalias align 64 %A) {
entry:
  %p = getelementptr inbounds float, ptr %A, i32 12
  %v = load float, ptr %p, align 4
  store float %v, ptr %A, align 4
  ret i32 0
}
)",
                               {strided});
  ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kOutOfBounds)) << Describe(result);
  EXPECT_EQ(result.reports[0].offset, 48);
  EXPECT_THAT(result.reports[0].text, HasSubstr("between its elements"));
}

TEST_P(MemoryFaults, ReadsArgumentsPastTheArray) {
  const RunResult result = Run(Entry(2) + R"(
define internal i32 @main_compute_(ptr noalias align 64 %A, ptr noalias align 64 %C) {
entry:
  ret i32 0
}
)",
                               {Floats("A", {16})});
  ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kOutOfBounds)) << Describe(result);
  EXPECT_EQ(result.reports[0].buffer, "the argument array");
  EXPECT_EQ(result.reports[0].offset, 24);
  EXPECT_EQ(result.reports[0].function, "__tvm_ffi_main");
}

// One byte before a buffer at an odd address is in the same shadow granule as its first byte.
TEST(ExactBounds, ByteBeforeAnUnalignedBuffer) {
  contract::Argument bytes;
  bytes.tensor = contract::TensorArgument{.name = "A",
                                          .type = {contract::kUIntCode, 8, 1},
                                          .shape = {16},
                                          .strides = {},
                                          .byte_offset = 3,
                                          .alignment = 64,
                                          .contents = std::string(16, 'x'),
                                          .device = {}};
  const RunResult result = CompileAndRun(Entry(1, /*with_offset=*/true) + R"(
define internal i32 @main_compute_(ptr noalias %A) {
entry:
  %p = getelementptr inbounds i8, ptr %A, i32 -1
  %v = load i8, ptr %p, align 1
  store i8 %v, ptr %A, align 1
  ret i32 0
}
)",
                                         {bytes});
  ASSERT_THAT(Kinds(result), ElementsAre(ReportKind::kOutOfBounds)) << Describe(result);
  EXPECT_EQ(result.reports[0].offset, -1);
}

}  // namespace
}  // namespace irate::sanitized
