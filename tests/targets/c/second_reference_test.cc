// What the second reference says when a program cannot be printed, compiled, run or trusted.
#include "targets/c/second_reference.h"

#include "case_maker.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/interpreter.h"

namespace irate {
namespace {

using namespace build;
using c_target_test::CaseMaker;
using testing::HasSubstr;

Case Adds(ScalarType type, int64_t what) {
  CaseMaker make("add");
  const uint32_t a = make.Param("a", type, 4);
  make.Range(0, 1, 9);
  make.Add(Store(a, Binary(ADD, make.Load(a, {I32Const(1)}), Int(type, what)), {I32Const(1)}));
  return make.Done();
}

Case Divides(ScalarType type, int64_t divisor, Op op) {
  CaseMaker make("divide");
  const uint32_t a = make.Param("a", type, 4);
  make.Range(0, -128, -128);
  make.Add(Store(a, Binary(op, make.Load(a, {I32Const(1)}), Int(type, divisor)), {I32Const(1)}));
  return make.Done();
}

Case StoresAt(Expr index) {
  CaseMaker make("store");
  const uint32_t a = make.Param("a", I32, 4);
  make.Add(Store(a, I32Const(1), {std::move(index)}));
  return make.Done();
}

Case LoopsForever() {
  CaseMaker make("endless");
  const uint32_t a = make.Param("a", I32, 4);
  make.Add(While(BoolConst(true), {Store(a, I32Const(1), {I32Const(0)})}));
  return make.Done();
}

// Reads far outside its memory, behind the back of the bounds checks.
Case Crashes() {
  CaseMaker make("crash");
  const uint32_t a = make.Param("a", I32, 4);
  const uint32_t view = make.Local("view", I32, {I32Const(4)});
  make.Add(c_target_test::DeclareView(
      view, Call("handle_add_byte_offset", HANDLE,
                 {c_target_test::DataOf(a), Int(I64, int64_t{1} << 40)})));
  make.Add(Store(view, I32Const(1), {I32Const(0)}));
  return make.Done();
}

// Writes one element past its parameter, into the filler before the next page.
Case WritesBeside() {
  CaseMaker make("beside");
  const uint32_t a = make.Param("a", I32, 4);
  const uint32_t view = make.Local("view", I32, {I32Const(6)});
  make.Add(c_target_test::DeclareView(view, c_target_test::DataOf(a)));
  make.Add(Store(view, I32Const(1), {I32Const(4)}));
  return make.Done();
}

TEST(SecondReferenceTest, GivesTheBuffers) {
  const auto result = RunSecondReference(Adds(I32, 1));
  ASSERT_TRUE(result.ok()) << result.status();
  ASSERT_EQ(result->size(), 1u);
  EXPECT_EQ((*result)[0].type(), I32);
  EXPECT_EQ((*result)[0].data().size(), 16u);
}

TEST(SecondReferenceTest, ReportsSignedOverflowWithItsLine) {
  const auto result = RunSecondReference(Adds(I32, INT32_MAX));
  EXPECT_EQ(result.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(result.status().message()), HasSubstr("signed overflow in an addition"));
  EXPECT_THAT(std::string(result.status().message()), HasSubstr("a_b0["));
}

TEST(SecondReferenceTest, NarrowAndUnsignedIntegersWrap) {
  EXPECT_TRUE(RunSecondReference(Adds(I8, 127)).ok());
  EXPECT_TRUE(RunSecondReference(Adds(U32, UINT32_MAX)).ok());
}

TEST(SecondReferenceTest, InAPassResultSignedIntegersWrapToo) {
  SecondReferenceOptions options;
  options.pass_result = true;
  const Case one = Adds(I32, INT32_MAX);
  const auto result = RunSecondReference(one, options);
  ASSERT_TRUE(result.ok()) << result.status();
  const auto interpretation =
      Interpret(one.module(), one.inputs(), {.mode = InterpretOptions::Mode::kPassResult});
  ASSERT_TRUE(interpretation.ok());
  EXPECT_EQ(interpretation->outputs(0).tensor().data(), (*result)[0].data());
}

TEST(SecondReferenceTest, GivesASecondOpinion) {
  const Case one = Adds(I32, 1);
  auto interpretation = Interpret(one.module(), one.inputs());
  ASSERT_TRUE(interpretation.ok());
  const auto agrees = SecondReferenceDifference(one, *interpretation);
  ASSERT_TRUE(agrees.ok()) << agrees.status();
  EXPECT_FALSE(agrees->has_value());
  std::string* data = interpretation->mutable_outputs(0)->mutable_tensor()->mutable_data();
  (*data)[0] = static_cast<char>((*data)[0] ^ 1);
  const auto differs = SecondReferenceDifference(one, *interpretation);
  ASSERT_TRUE(differs.ok());
  EXPECT_TRUE(differs->has_value());
}

TEST(SecondReferenceTest, ReportsDivisions) {
  for (const Op op : {TRUNC_DIV, TRUNC_MOD, FLOOR_DIV, FLOOR_MOD}) {
    for (const ScalarType type : {I8, I32, I64}) {
      EXPECT_EQ(RunSecondReference(Divides(type, 0, op)).status().code(),
                absl::StatusCode::kFailedPrecondition);
    }
    EXPECT_EQ(RunSecondReference(Divides(I8, -1, op)).status().code(),
              absl::StatusCode::kFailedPrecondition);
  }
}

TEST(SecondReferenceTest, ReportsIndicesOutOfBounds) {
  for (const int64_t index : {-1, 4, 1000000}) {
    const auto result = RunSecondReference(StoresAt(I32Const(index)));
    EXPECT_EQ(result.status().code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(result.status().message()), HasSubstr("dimension 0 of a_b0"));
  }
  EXPECT_TRUE(RunSecondReference(StoresAt(I32Const(3))).ok());
}

TEST(SecondReferenceTest, ReportsShiftsOutOfRange) {
  for (const ScalarType type : {I8, U8, I32, U64}) {
    CaseMaker make("shift");
    const uint32_t a = make.Param("a", type, 4);
    make.Add(Store(a, Binary(SHL, make.Load(a, {I32Const(0)}), Int(type, 64)), {I32Const(0)}));
    EXPECT_EQ(RunSecondReference(make.Done()).status().code(),
              absl::StatusCode::kFailedPrecondition);
  }
}

TEST(SecondReferenceTest, ReportsFailedAssertionsAndAssumptions) {
  CaseMaker make("assert");
  Stmt check = c_target_test::Plain(ASSERT);
  check.set_name("ValueError");
  *check.add_strings() = "never \"true\"";
  *check.add_args() = BoolConst(false);
  make.Add(check);
  const auto result = RunSecondReference(make.Done());
  EXPECT_EQ(result.status().code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(result.status().message()), HasSubstr("ValueError: never \"true\""));

  CaseMaker assume("assume");
  assume.Add(Evaluate(Call("assume", BOOL, {BoolConst(false)})));
  EXPECT_EQ(RunSecondReference(assume.Done()).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

TEST(SecondReferenceTest, ReportsCrashesAndDamageApart) {
  const auto crash = RunSecondReference(Crashes());
  EXPECT_EQ(crash.status().code(), absl::StatusCode::kAborted);
  EXPECT_THAT(std::string(crash.status().message()), HasSubstr("SIGSEGV"));
  EXPECT_EQ(RunSecondReference(WritesBeside()).status().code(), absl::StatusCode::kOutOfRange);
}

TEST(SecondReferenceTest, ReportsTimeouts) {
  SecondReferenceOptions options;
  options.run_deadline = std::chrono::milliseconds(100);
  EXPECT_EQ(RunSecondReference(LoopsForever(), options).status().code(),
            absl::StatusCode::kDeadlineExceeded);
}

TEST(SecondReferenceTest, SaysThatTheCompilerIsMissing) {
  SecondReferenceOptions options;
  options.compiler = "no-such-compiler";
  const auto result = RunSecondReference(Adds(I32, 1), options);
  EXPECT_EQ(result.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(result.status().message()), HasSubstr("apt-get install"));
}

TEST(SecondReferenceTest, SaysWhichInputsAreMissing) {
  CaseMaker make("symbolic");
  const uint32_t n = make.Variable("n", I32);
  make.Param("a", I32, {make.Var(n)});
  EXPECT_EQ(RunSecondReference(make.Done()).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(SecondReferenceTest, BatchesGiveEachCaseItsOwnAnswer) {
  CaseMaker refused("refused");
  refused.Add(c_target_test::Plain(BARRIER));
  const std::vector<Case> cases = {Adds(I32, 1),   Adds(I32, INT32_MAX), Crashes(),
                                   refused.Done(), LoopsForever(),       Adds(I64, 2)};
  std::vector<const Case*> pointers;
  for (const Case& one : cases) pointers.push_back(&one);
  SecondReferenceOptions options;
  options.run_deadline = std::chrono::milliseconds(200);
  const auto results = RunSecondReferences(pointers, options);
  ASSERT_EQ(results.size(), cases.size());
  const absl::StatusCode codes[] = {absl::StatusCode::kOk,
                                    absl::StatusCode::kFailedPrecondition,
                                    absl::StatusCode::kAborted,
                                    absl::StatusCode::kUnimplemented,
                                    absl::StatusCode::kDeadlineExceeded,
                                    absl::StatusCode::kOk};
  for (size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(results[i].status().code(), codes[i]) << i << ": " << results[i].status();
    if (!results[i].ok()) continue;
    const auto alone = RunSecondReference(cases[i], options);
    ASSERT_TRUE(alone.ok());
    EXPECT_EQ((*alone)[0].SerializeAsString(), (*results[i])[0].SerializeAsString());
  }
}

}  // namespace
}  // namespace irate
