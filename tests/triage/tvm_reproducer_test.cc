// The Python that a reproducer is, run with the wheel's own interpreter.
#include "triage/tvm_reproducer.h"

#include <algorithm>
#include <fstream>

#include "fmt/format.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/builder.h"
#include "ir/interpreter.h"
#include "ir/text.h"
#include "tests/triage/temporary_folder.h"
#include "triage/run_command.h"

namespace irate {
namespace {

using ::irate::testing::TemporaryFolder;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kScript[] = R"(# from tvm.script import ir as I
# from tvm.script import tirx as T

@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((8,), "int32"), n: T.int32, B: T.Buffer((8,), "int32")):
        for i in T.parallel(8):
            B[i] = A[i] * 3 + n
)";

// What kScript says.
Case ScriptCase() {
  using namespace build;  // NOLINT: what it is for
  Case test_case;
  test_case.set_version(1);
  test_case.mutable_inputs()->set_seed(3);
  Function* f = test_case.mutable_module()->add_functions();
  f->set_name("main");
  const uint32_t i = AddVariable(f, "i", I32);
  const uint32_t n = AddVariable(f, "n", I32);
  const uint32_t a = AddBuffer(f, "A", I32, {I32Const(8)});
  const uint32_t b = AddBuffer(f, "B", I32, {I32Const(8)});
  AddBufferParam(f, a);
  AddScalarParam(f, n);
  AddBufferParam(f, b);
  const Expr index = Var(*f, i);
  const Expr value = Binary(ADD, Binary(MUL, Load(*f, a, {index}), I32Const(3)), Var(*f, n));
  *f->add_body() = For(i, I32Const(0), I32Const(8), PARALLEL, {Store(b, value, {index})});
  return test_case;
}

class TvmReproducerTest : public ::testing::Test {
 protected:
  TvmReproducerTest() {
    *observation_.mutable_reference() = *Interpret(test_case_.module(), test_case_.inputs());
    observation_.add_variants()->set_compiler_version("0.27.0");
    finding_.set_oracle("pass-mismatch");
    finding_.set_target("tvm");
    finding_.set_summary("a pass changes a result");
  }

  TvmProgram Program() const {
    return {.test_case = test_case_,
            .observation = observation_,
            .finding = finding_,
            .script = kScript,
            .target_options = "{\"kind\": \"llvm\"}",
            .passes = {}};
  }

  static std::string Write(const TvmProgram& program) {
    const absl::StatusOr<std::string> text = WriteTvmReproducer(program);
    EXPECT_TRUE(text.ok()) << text.status();
    return text.value_or("");
  }

  CommandResult Run(const std::string& text) {
    std::ofstream(folder_ / "reproducer.py") << text;
    const absl::StatusOr<CommandResult> result =
        RunCommand({IRATE_VENV "/bin/python", "-I", "-B", folder_ / "reproducer.py"},
                   folder_.path(), std::chrono::seconds(100));
    EXPECT_TRUE(result.ok()) << result.status();
    return result.value_or(CommandResult());
  }

  int32_t& ExpectedElement(int index) {
    std::string& data =
        *observation_.mutable_reference()->mutable_outputs(1)->mutable_tensor()->mutable_data();
    return reinterpret_cast<int32_t*>(data.data())[index];
  }

  TemporaryFolder folder_;
  Case test_case_ = ScriptCase();
  Observation observation_;
  Finding finding_;
};

TEST_F(TvmReproducerTest, ExitsWithZeroWhereTheResultIsRight) {
  const CommandResult result = Run(Write(Program()));
  EXPECT_EQ(result.exit_code, 0) << result.output;
  EXPECT_THAT(result.output, HasSubstr("expected"));
}

TEST_F(TvmReproducerTest, ExitsWithOneAndShowsBothWhereTheResultDiffers) {
  ExpectedElement(5) += 1;
  const CommandResult result = Run(Write(Program()));
  EXPECT_EQ(result.exit_code, 1) << result.output;
  EXPECT_THAT(result.output, HasSubstr(std::to_string(ExpectedElement(5))));
}

TEST_F(TvmReproducerTest, ElementsThatAreNotJudgedDoNotCount) {
  ExpectedElement(5) += 1;
  std::string judged(8, kJudged);
  judged[5] = kNotJudged;
  observation_.mutable_reference()->mutable_outputs(1)->set_judged(judged);
  EXPECT_EQ(Run(Write(Program())).exit_code, 0);
}

TEST_F(TvmReproducerTest, RunsExplicitPassesWithTheirArguments) {
  TvmProgram program = Program();
  for (const char* name : {"tirx.transform.BindTarget", "tirx.transform.FlattenBuffer",
                           "tirx.transform.VectorizeLoop", "tirx.transform.AnnotateEntryFunc",
                           "tirx.transform.SplitHostDevice", "tirx.transform.MakePackedAPI",
                           "tirx.transform.LowerTVMBuiltin", "tirx.transform.LowerIntrin"}) {
    PassStep step;
    step.set_name(name);
    if (step.name() == "tirx.transform.VectorizeLoop") *step.add_args() = build::BoolConst(true);
    program.passes.push_back(step);
  }
  const std::string text = Write(program);
  EXPECT_THAT(text, HasSubstr("(tvm.tirx.transform.VectorizeLoop, True)"));
  CommandResult result = Run(text);
  EXPECT_EQ(result.exit_code, 0) << result.output;
  ExpectedElement(0) ^= 1;
  result = Run(Write(program));
  EXPECT_EQ(result.exit_code, 1) << result.output;
}

// The external function is defined in the file itself.
TEST_F(TvmReproducerTest, BringsTheExternalFunctionsThatItCalls) {
  const absl::StatusOr<Case> test_case =
      ReadCaseFile(IRATE_SOURCE_DIR "/corpus/regressions/external-several-outputs.irate");
  ASSERT_TRUE(test_case.ok()) << test_case.status();
  test_case_ = *test_case;
  *observation_.mutable_reference() = *Interpret(test_case_.module(), test_case_.inputs());
  TvmProgram program = Program();
  const std::string tensor =
      "T.tvm_stack_make_array({}.data, T.tvm_stack_make_shape(8), 0, 1, T.float32(0), 0)";
  program.script = fmt::format(
      R"(
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((8,), "float32"), B: T.Buffer((8,), "float32"),
             S: T.Buffer((8,), "float32"), D: T.Buffer((8,), "float32")):
        T.call_packed("irate.external.add_sub", {}, {}, {}, {})
)",
      fmt::format(fmt::runtime(tensor), "A"), fmt::format(fmt::runtime(tensor), "B"),
      fmt::format(fmt::runtime(tensor), "S"), fmt::format(fmt::runtime(tensor), "D"));
  const std::string text = Write(program);
  const CommandResult right = Run(text);
  EXPECT_EQ(right.exit_code, 0) << right.output << text;
}

TEST_F(TvmReproducerTest, WhatCannotRunExitsWithTwo) {
  TvmProgram bad_module = Program();
  bad_module.script = "class Module:\n    nonsense = undefined_name\n";
  EXPECT_EQ(Run(Write(bad_module)).exit_code, 2);
  TvmProgram bad_target = Program();
  bad_target.target_options = "{\"kind\": \"no-such-target\"}";
  EXPECT_EQ(Run(Write(bad_target)).exit_code, 2);
}

TEST_F(TvmReproducerTest, AnErrorOfTheCompilerIsRecognisedByItsMessage) {
  finding_.set_oracle("internal-error");
  Failure* failure = observation_.mutable_variants(0)->mutable_failure();
  failure->set_message("has no attribute 'NoSuchPass'");
  TvmProgram program = Program();
  program.passes.emplace_back().set_name("tirx.transform.NoSuchPass");
  program.builds = program.calls = false;
  CommandResult result = Run(Write(program));
  EXPECT_EQ(result.exit_code, 1) << result.output;

  failure->set_message("another message");
  EXPECT_EQ(Run(Write(program)).exit_code, 2);
  program.passes[0].set_name("tirx.transform.FlattenBuffer");
  EXPECT_EQ(Run(Write(program)).exit_code, 0);
}

// Source for a device is compiled by clang; the message decides.
TEST_F(TvmReproducerTest, EmittedSourceThatDoesNotCompileIsShown) {
  finding_.set_oracle("device-source");
  for (const bool broken : {true, false}) {
    finding_.set_summary(fmt::format("kernel.cl:4:15: error: use of undeclared identifier '{}'",
                                     broken ? "copysignf" : "nothing_of_the_kind"));
    TvmProgram program = Program();
    program.target_options = "{\"kind\": \"opencl\"}";
    program.script = R"(
@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((4,), "float32")):
        for i in T.thread_binding(4, thread="threadIdx.x"):
            A[i] = T.copysign(A[i], T.float32(1.0))
)";
    const CommandResult result = Run(Write(program));
    EXPECT_EQ(result.exit_code, broken ? 1 : 2) << result.output;
    EXPECT_THAT(result.output, HasSubstr("copysignf"));
  }
}

TEST_F(TvmReproducerTest, ADeathIsSurvivedAndNamed) {
  finding_.set_oracle("compiler-crash");
  TvmProgram program = Program();
  EXPECT_EQ(Run(Write(program)).exit_code, 0);
  // The module cannot be made to crash the compiler to order, so Python does it.
  std::string text = Write(program);
  const size_t build = text.find("    lib = ");
  ASSERT_NE(build, std::string::npos);
  CommandResult result = Run(text.substr(0, build) + "    os.abort()\n" + text.substr(build));
  EXPECT_EQ(result.exit_code, 1) << result.output;
  EXPECT_THAT(result.output, HasSubstr("SIGABRT"));
  result = Run(text.substr(0, build) + "    undefined_name\n" + text.substr(build));
  EXPECT_EQ(result.exit_code, 2) << result.output;
}

TEST_F(TvmReproducerTest, FewPassesAreListedAsAPersonWouldWriteThem) {
  TvmProgram program = Program();
  program.builds = program.calls = false;
  finding_.set_oracle("internal-error");
  observation_.mutable_variants(0)->mutable_failure()->set_message("no such thing");
  for (const char* name : {"tirx.transform.FlattenBuffer", "tirx.transform.NarrowDataType"}) {
    PassStep step;
    step.set_name(name);
    if (step.name() == "tirx.transform.NarrowDataType") *step.add_args() = build::I32Const(32);
    program.passes.push_back(step);
  }
  const std::string text = Write(program);
  EXPECT_THAT(text, HasSubstr("mod = tvm.tirx.transform.FlattenBuffer()(Module)\n"
                              "    mod = tvm.tirx.transform.NarrowDataType(32)(mod)\n"));
  EXPECT_EQ(Run(text).exit_code, 0);
}

TEST_F(TvmReproducerTest, ShowsOnlyTheArgumentsThatCameOutWrong) {
  for (const InterpretedTensor& output : observation_.reference().outputs()) {
    *observation_.mutable_variants(0)->add_outputs() = output.tensor();
  }
  const std::string all = Write(Program());
  EXPECT_THAT(all, HasSubstr("args[0].numpy()"));
  (*observation_.mutable_variants(0)->mutable_outputs(1)->mutable_data())[0] ^= 1;
  const std::string wrong = Write(Program());
  EXPECT_THAT(wrong, Not(HasSubstr("args[0].numpy()")));
  EXPECT_THAT(wrong, HasSubstr("args[2].numpy()"));
  EXPECT_EQ(Run(wrong).exit_code, 0);
}

TEST_F(TvmReproducerTest, KeepsTheTextShort) {
  const std::string text = Write(Program());
  EXPECT_LE(std::ranges::count(text, '\n'), 30) << text;
  EXPECT_THAT(text, Not(HasSubstr("base64")));
  EXPECT_THAT(text, Not(HasSubstr("signal")));
}

TEST_F(TvmReproducerTest, RefusesWhatHasNoStandaloneForm) {
  TvmProgram program = Program();
  program.script += "# metadata = ...\n    x = metadata[\"tirx.Foo\"][0]\n";
  EXPECT_TRUE(absl::IsUnimplemented(WriteTvmReproducer(program).status()));
}

}  // namespace
}  // namespace irate
