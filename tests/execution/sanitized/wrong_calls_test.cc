// Wrong calls on purpose: an error for each, and nothing else.
#include "execution/sanitized/wrong_calls.h"

#include <map>
#include <set>

#include "execution/sanitized/signature.h"
#include "tests/execution/sanitized/tvm_fixtures.h"

namespace irate::sanitized {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Key;
using ::testing::UnorderedElementsAre;

ParameterSignature TensorParameter(std::string name, std::vector<ParameterSignature::Extent> shape,
                                   contract::AbiType type = {contract::kFloatCode, 32, 1}) {
  ParameterSignature parameter;
  parameter.is_tensor = true;
  parameter.name = std::move(name);
  parameter.type = type;
  parameter.shape = std::move(shape);
  return parameter;
}

ParameterSignature ScalarParameter(std::string name, contract::AbiType type) {
  ParameterSignature parameter;
  parameter.name = std::move(name);
  parameter.type = type;
  return parameter;
}

ParameterSignature::Extent Constant(int64_t value) { return {true, value, ""}; }
ParameterSignature::Extent Symbol(std::string name) { return {false, 0, std::move(name)}; }

Signature MatmulSignature() {
  Signature signature;
  for (const char* name : {"A", "B", "C"}) {
    signature.push_back(TensorParameter(name, {Constant(32), Constant(32)}));
  }
  return signature;
}

// What came of each wrong call that was not taken as it should be, by name.
std::map<std::string, std::vector<Report>> Try(const std::string& ir, const Signature& signature,
                                               const std::vector<contract::Argument>& right,
                                               std::set<std::string>* tried = nullptr) {
  std::map<std::string, std::vector<Report>> failed;
  auto module = SanitizedModule::Compile(ir, CompileOptions::Strict());
  EXPECT_TRUE(module.ok()) << module.status();
  if (!module.ok()) return failed;
  for (const WrongCall& call : WrongCalls(signature, right)) {
    RunOptions options;
    options.mutate = call.mutate;
    auto result = (*module)->Run("__tvm_ffi_main", call.arguments, options);
    EXPECT_TRUE(result.ok()) << call.name << ": " << result.status();
    if (!result.ok()) continue;
    if (tried != nullptr) tried->insert(call.clause);
    std::vector<Report> reports = JudgeWrongCall(call, *result);
    if (!reports.empty()) failed[call.name] = std::move(reports);
  }
  return failed;
}

TEST(WrongCalls, EveryKindIsTried) {
  std::set<std::string> clauses;
  Try(ReadFixture("Matmul.O0"), MatmulSignature(), ArgumentsFor("Matmul"), &clauses);
  EXPECT_THAT(clauses, UnorderedElementsAre("argument-count", "null", "element-type", "type",
                                            "rank", "shape", "shape-high-bits", "strides", "device",
                                            "byte-offset", "alignment"));
}

// TVM 0.27 compares extents after truncating them to 32 bits and takes the alignment of data
// pointers on trust: exactly those two come through.
TEST(WrongCalls, OfAMatmulFromTheCompiler) {
  const auto failed = Try(ReadFixture("Matmul.O0"), MatmulSignature(), ArgumentsFor("Matmul"));
  for (const auto& [name, reports] : failed) {
    EXPECT_EQ(reports[0].kind, ReportKind::kSilentWrongCall) << name << reports[0].text;
    EXPECT_TRUE(reports[0].clause == "alignment" || reports[0].clause == "shape-high-bits") << name;
  }
  EXPECT_THAT(failed, Contains(Key("A-alignment")));
  EXPECT_THAT(failed, Contains(Key("B-extent-1-high-bits")));
  // The text names the cause, and the check that saw the consequence is there as well.
  const std::vector<Report>& alignment = failed.at("A-alignment");
  EXPECT_EQ(alignment[0].text,
            "the data of A is aligned to 4 bytes instead of 64: the function returned success");
  EXPECT_EQ(alignment[1].kind, ReportKind::kMisaligned);
}

TEST(WrongCalls, SymbolicShapesMustAgree) {
  const Signature signature = {TensorParameter("A", {Symbol("n"), Symbol("k")}),
                               TensorParameter("B", {Symbol("k"), Symbol("m")}),
                               TensorParameter("C", {Symbol("n"), Symbol("m")})};
  const auto right = ArgumentsFor("MatmulDynamic");
  std::set<std::string> names;
  for (const WrongCall& call : WrongCalls(signature, right)) names.insert(call.name);
  EXPECT_THAT(names, Contains("A-extent-1-more"));
  for (const auto& [name, reports] : Try(ReadFixture("MatmulDynamic.O0"), signature, right)) {
    EXPECT_THAT(reports[0].clause, ::testing::AnyOf("alignment", "shape-high-bits"))
        << reports[0].text;
  }
}

// What the program does with arguments that it should never see has as many forms as there are
// programs; that they came through is one cause.
TEST(WrongCalls, WhatCameThroughIsNotWhatItDidThen) {
  WrongCall call;
  call.clause = "scalar-range";
  call.text = "n is too large";
  Report report;
  report.kind = ReportKind::kOutOfBounds;
  report.text = "a read";
  RunResult result;
  result.completed = false;
  report.function = "main_compute_";
  result.reports = {report};
  std::vector<Report> reports = JudgeWrongCall(call, result);
  ASSERT_EQ(reports.size(), 2u);
  EXPECT_EQ(reports[0].kind, ReportKind::kSilentWrongCall);
  EXPECT_EQ(reports[0].text, "n is too large: the function did not refuse it");
  EXPECT_EQ(reports[1].text, "n is too large: a read");
  // In the checks themselves it is another cause.
  result.reports[0].function = "main";
  reports = JudgeWrongCall(call, result);
  ASSERT_EQ(reports.size(), 1u);
  EXPECT_EQ(reports[0].kind, ReportKind::kOutOfBounds);
}

TEST(WrongCalls, AVariableThatOccursOnceTakesAnyValue) {
  const Signature signature = {TensorParameter("A", {Symbol("n")})};
  for (const WrongCall& call : WrongCalls(signature, {Floats("A", {4})})) {
    EXPECT_NE(call.clause, "shape") << call.name;
  }
}

TEST(WrongCalls, ScalarsOutOfRange) {
  const Signature signature = {TensorParameter("A", {Constant(16)}),
                               TensorParameter("C", {Constant(16)}),
                               ScalarParameter("s", {contract::kIntCode, 32, 1})};
  std::map<std::string, std::string> texts;
  for (const WrongCall& call : WrongCalls(signature, ArgumentsFor("PackedCalls"))) {
    if (call.clause == "scalar-range") texts[call.name] = call.text;
  }
  EXPECT_EQ(texts["s-above-range"], "s is 2147483648, which does not fit into 32 signed bits");
  EXPECT_EQ(texts["s-below-range"], "s is -2147483649, which does not fit into 32 signed bits");
}

// A function that checks nothing: every wrong call comes through, with what it does then.
TEST(WrongCalls, OfAFunctionWithoutChecks) {
  const std::string ir = Entry(1) + R"(
define internal i32 @main_compute_(ptr noalias %A) {
entry:
  %p = getelementptr inbounds float, ptr %A, i32 15
  %v = load float, ptr %p, align 4
  store float %v, ptr %A, align 4
  ret i32 0
}
)";
  const auto failed = Try(ir, {TensorParameter("A", {Constant(16)})}, {Floats("A", {16})});
  ASSERT_THAT(failed, Contains(Key("too-many-arguments")));
  EXPECT_EQ(failed.at("too-many-arguments")[0].kind, ReportKind::kSilentWrongCall);
  ASSERT_THAT(failed, Contains(Key("too-few-arguments")));
  EXPECT_EQ(failed.at("too-few-arguments")[0].kind, ReportKind::kOutOfBounds);
  EXPECT_EQ(failed.at("too-few-arguments")[0].buffer, "the argument array");
  EXPECT_THAT(failed.at("too-few-arguments")[0].text,
              HasSubstr("0 arguments instead of 1: a read"));
  ASSERT_THAT(failed, Contains(Key("A-extent-0-less")));
  EXPECT_EQ(failed.at("A-extent-0-less")[0].kind, ReportKind::kSilentWrongCall);
  EXPECT_EQ(failed.at("A-extent-0-less")[1].kind, ReportKind::kOutOfBounds);
  EXPECT_EQ(failed.at("A-extent-0-less")[1].offset, 60);
  ASSERT_THAT(failed, Contains(Key("A-null-data")));
  EXPECT_EQ(failed.at("A-null-data")[0].kind, ReportKind::kSilentWrongCall);
  EXPECT_EQ(failed.at("A-null-data")[1].kind, ReportKind::kWildAccess);
}

TEST(SignatureOf, TakesTypesShapesAndPromisesFromTheFunction) {
  Function function;
  Variable* n = function.add_variables();
  n->set_name("n");
  n->set_type(I32);
  Variable* scale = function.add_variables();
  scale->set_name("scale");
  scale->set_type(U8);
  Buffer* buffer = function.add_buffers();
  buffer->set_name("A");
  buffer->set_type(BF16);
  buffer->set_alignment(16);
  Expr* first = buffer->add_shape();
  first->set_op(VAR);
  first->set_id(0);
  Expr* second = buffer->add_shape();
  second->set_op(CONST);
  second->set_int_value(7);
  Param* tensor = function.add_params();
  tensor->set_kind(PARAM_BUFFER);
  Param* scalar = function.add_params();
  scalar->set_kind(PARAM_SCALAR);
  scalar->set_id(1);

  const Signature signature = SignatureOf(function);
  ASSERT_EQ(signature.size(), 2u);
  EXPECT_TRUE(signature[0].is_tensor);
  EXPECT_EQ(signature[0].type, (contract::AbiType{contract::kBfloatCode, 16, 1}));
  EXPECT_EQ(signature[0].alignment, 16u);
  EXPECT_EQ(signature[0].shape[0].variable, "n");
  EXPECT_EQ(signature[0].shape[1].value, 7);
  EXPECT_TRUE(signature[0].is_compact);
  EXPECT_FALSE(signature[1].is_tensor);
  EXPECT_EQ(signature[1].type, (contract::AbiType{contract::kUIntCode, 8, 1}));
}

}  // namespace
}  // namespace irate::sanitized
