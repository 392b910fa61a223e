#include "targets/tvm/lower.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/builder.h"
#include "ir/canonical.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "programs.h"
#include "targets/tvm/lift.h"
#include "targets/tvm/native.h"
#include "targets/tvm/tvm_library.h"

namespace irate::tvm_target {
namespace {

using ::testing::HasSubstr;

class LowerTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { ASSERT_TRUE(LoadLibrary().ok()) << LoadLibrary(); }

  static std::string Script(const Module& module) {
    const absl::StatusOr<Any> native = LowerModule(module);
    if (!native.ok()) return std::string(native.status().message());
    return ToString(Native<"node.TVMScriptPrinterScript">(*native, nullptr));
  }
};

// The body of the printed module, without what the printer says about itself.
std::string Body(const std::string& script) {
  const size_t start = script.find("@I.ir_module");
  return start == std::string::npos ? script : script.substr(start);
}

TEST_F(LowerTest, ProgramsAreValid) {
  for (const auto& [name, test_case] : tvm_test::AllPrograms()) {
    EXPECT_TRUE(VerifyCase(test_case).ok()) << name << ": " << VerifyCase(test_case);
  }
}

TEST_F(LowerTest, LiftingGivesTheModuleBack) {
  for (const auto& [name, test_case] : tvm_test::AllPrograms()) {
    const absl::StatusOr<Any> native = LowerModule(test_case.module());
    ASSERT_TRUE(native.ok()) << name << ": " << native.status();
    Module lifted;
    std::string construct;
    ASSERT_EQ(Lifter(test_case.module()).Lift(*native, &lifted, &construct),
              Lifter::Outcome::kChanged)
        << name << ": " << construct;
    const Module expected = Canonicalize(test_case.module());
    const Module actual = Canonicalize(lifted);
    EXPECT_EQ(actual.SerializeAsString(), expected.SerializeAsString())
        << name << "\nexpected:\n"
        << PrintModule(expected) << "\nactual:\n"
        << PrintModule(actual);
    // Ids are in canonical order already.
    EXPECT_EQ(lifted.SerializeAsString(), actual.SerializeAsString()) << name;
  }
}

TEST_F(LowerTest, OneNodeForEachOperator) {
  EXPECT_EQ(Body(Script(tvm_test::Matmul(4).module())), R"(@I.ir_module
class Module:
    @T.prim_func(s_tir=True)
    def main(A: T.Buffer((4, 4), "float32"), B: T.Buffer((4, 4), "float32"), C: T.Buffer((4, 4), "float32")):
        T.func_attr({"tirx.noalias": True})
        for i in T.parallel(4):
            for j in range(4):
                C[i, j] = T.float32(0.0)
                for k in range(4):
                    C[i, j] = C[i, j] + A[i, k] * B[k, j])");
}

TEST_F(LowerTest, NothingIsFolded) {
  Module module;
  Function* f = module.add_functions();
  f->set_name("main");
  const uint32_t a = build::AddBuffer(f, "A", I32, {build::I32Const(1)});
  build::AddBufferParam(f, a);
  *f->add_body() =
      build::Store(a,
                   build::Binary(MUL, build::Binary(ADD, build::I32Const(1), build::I32Const(2)),
                                 build::I32Const(0)),
                   {build::I32Const(0)});
  EXPECT_THAT(Script(module), HasSubstr("A[0] = T.Mul(T.Add(1, 2), 0)"));
}

TEST_F(LowerTest, RootBlockIsThatOfTheScript) {
  const std::string script = Script(tvm_test::BlockFeatures().module());
  EXPECT_THAT(script, HasSubstr("# with T.sblock(\"root\"):"));
  EXPECT_THAT(script, HasSubstr("W = T.match_buffer(A[v, 0:8], (8,), strides=(1,)"));
  EXPECT_THAT(script, HasSubstr("T.where(i < 7)"));
  EXPECT_THAT(script,
              HasSubstr(R"(T.sblock_attr({"list": [0, 1], "number": 3, "text": "some text"}))"));
}

TEST_F(LowerTest, MissingRegionsAreFound) {
  const Case stated = tvm_test::BlockReduction(8, 4);
  Case bare = stated;
  Stmt* root = bare.mutable_module()->mutable_functions(0)->mutable_body(0);
  int cleared = 0;
  for (Stmt& loop : *root->mutable_body()) {
    Stmt* stmt = &loop;
    while (stmt->kind() != BLOCK) stmt = stmt->mutable_body(0);
    cleared += stmt->block().reads_size() + stmt->block().writes_size();
    stmt->mutable_block()->clear_reads();
    stmt->mutable_block()->clear_writes();
  }
  EXPECT_EQ(cleared, 4);
  EXPECT_EQ(Script(bare.module()), Script(stated.module()));
}

TEST_F(LowerTest, PrivateFunctionsHaveNoSymbol) {
  const std::string script = Script(tvm_test::Functions().module());
  EXPECT_THAT(script, HasSubstr("@T.prim_func(private=True, s_tir=True)\n    def copy("));
  EXPECT_THAT(script, HasSubstr("Module.copy(A.data, B.data)"));
}

TEST_F(LowerTest, UnknownIntrinsicIsNamed) {
  Case wrong = tvm_test::SymbolicShape(4);
  Function* f = wrong.mutable_module()->mutable_functions(0);
  *f->add_body() = build::Evaluate(build::Call("no_such_thing", I32, {}));
  const absl::StatusOr<Any> native = LowerModule(wrong.module());
  EXPECT_EQ(native.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(native.status().message()),
              HasSubstr("function main: ValueError: TVM has no operator named 'no_such_thing'"));
}

TEST_F(LowerTest, WhatTvmRefusesIsAnError) {
  Case wrong = tvm_test::SymbolicShape(4);
  Function* f = wrong.mutable_module()->mutable_functions(0);
  Expr sum = build::Binary(ADD, build::I32Const(1), build::I32Const(2));
  *sum.mutable_args(1) = build::Float(F32, 2);
  *f->add_body() = build::Evaluate(sum);
  const absl::StatusOr<Any> native = LowerModule(wrong.module());
  EXPECT_EQ(native.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(native.status().message()), HasSubstr("function main: "));
}

}  // namespace
}  // namespace irate::tvm_target
