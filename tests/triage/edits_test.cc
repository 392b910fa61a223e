#include "triage/edits.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/builder.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "tests/triage/programs.h"

namespace irate {
namespace {

using ::irate::testing::RichCase;

const EditKind& Kind(std::string_view name) {
  for (const EditKind& kind : EditKinds()) {
    if (kind.name == name) return kind;
  }
  ADD_FAILURE() << "no edit " << name;
  return EditKinds()[0];
}

TEST(EditsTest, PositionsEnd) {
  for (const EditKind& kind : EditKinds()) {
    int position = 0;
    while (position < 10'000) {
      Case candidate = RichCase();
      if (kind.apply(&candidate, position, 0) == EditResult::kNoPosition) break;
      ++position;
    }
    EXPECT_LT(position, 100) << kind.name;
  }
}

TEST(EditsTest, WhatDoesNotApplyChangesNothing) {
  for (const EditKind& kind : EditKinds()) {
    for (int position = 0; position < 60; ++position) {
      for (int variant = 0; variant < kind.variants; ++variant) {
        Case candidate = RichCase();
        if (kind.apply(&candidate, position, variant) == EditResult::kApplied) continue;
        EXPECT_EQ(candidate.SerializeAsString(), RichCase().SerializeAsString())
            << kind.name << " " << position << " " << variant;
      }
    }
  }
}

TEST(EditsTest, UnwrappingALoopKeepsItsFirstIteration) {
  Case test_case = RichCase();
  ASSERT_EQ(Kind("unwrap statement").apply(&test_case, 0, 0), EditResult::kApplied);
  EXPECT_TRUE(VerifyCase(test_case).ok()) << VerifyCase(test_case);
  const Function& function = test_case.module().functions(0);
  ASSERT_EQ(function.body_size(), 3);
  EXPECT_EQ(function.body(1).kind(), STORE);
  EXPECT_EQ(function.body(1).args(1).op(), CONST);
  EXPECT_EQ(function.body(1).args(1).int_value(), 0);
}

TEST(EditsTest, ALoadGivesWayToItsIndexInItsType) {
  using namespace build;  // NOLINT
  Case test_case = RichCase();
  Function* f = test_case.mutable_module()->mutable_functions(0);
  f->clear_body();
  const uint32_t d = 3;  // f32
  *f->add_body() = Store(d, Load(*f, d, {I32Const(2)}), {I32Const(0)});
  ASSERT_EQ(Kind("load to index").apply(&test_case, 0, 0), EditResult::kApplied);
  const Expr& value = test_case.module().functions(0).body(0).args(0);
  EXPECT_EQ(value.op(), CAST);
  EXPECT_EQ(value.type(), F32);
  EXPECT_EQ(value.args(0).int_value(), 2);
  EXPECT_TRUE(VerifyCase(test_case).ok()) << VerifyCase(test_case);
}

// A block with what blocks declare, as lowering of schedules leaves them.
Case BlockCase() {
  return *ParseCase(R"(irate 1
inputs seed 1 {
}

func @main(buffer A, buffer C) {
  var i, v, w: i32
  buffer A: i32[4]
  buffer C: i32[4] strides [1]
  buffer T: i32[4]
  buffer U: i32[4]

  block "root" {
    allocates T, U
    for i in 0..4 {
      block "b" {
        iter v: spatial 0..4 = i
        iter w: spatial 0..1 = 0
        reads A[v +: 1]
        writes C[v +: 1]
        T[v] = A[v]
        C[v + w] = T[v]
      }
    }
  }
}
)");
}

TEST(EditsTest, AnIteratorOfABlockGivesWayToItsBinding) {
  Case test_case = BlockCase();
  ASSERT_TRUE(VerifyCase(test_case).ok()) << VerifyCase(test_case);
  ASSERT_EQ(Kind("drop iterator of a block").apply(&test_case, 2, 0), EditResult::kApplied);
  EXPECT_TRUE(VerifyCase(test_case).ok()) << VerifyCase(test_case);
  const std::string text = PrintCase(test_case);
  EXPECT_THAT(text, ::testing::HasSubstr("T[i] = A[i]"));
  EXPECT_THAT(text, ::testing::Not(::testing::HasSubstr("iter v")));
  EXPECT_LT(Weight(test_case), Weight(BlockCase()));
}

TEST(EditsTest, MemoryOfABlockGoesPieceByPiece) {
  Case test_case = BlockCase();
  ASSERT_EQ(Kind("drop memory of a block").apply(&test_case, 0, 3), EditResult::kApplied);
  EXPECT_TRUE(VerifyCase(test_case).ok()) << VerifyCase(test_case);
  EXPECT_THAT(PrintCase(test_case), ::testing::HasSubstr("allocates T\n"));
  ASSERT_EQ(Kind("drop memory of a block").apply(&test_case, 2, 0), EditResult::kApplied);
  EXPECT_THAT(PrintCase(test_case), ::testing::Not(::testing::HasSubstr("reads")));
  ASSERT_EQ(Kind("make buffer compact").apply(&test_case, 1, 0), EditResult::kApplied);
  EXPECT_THAT(PrintCase(test_case), ::testing::Not(::testing::HasSubstr("strides")));
  EXPECT_TRUE(VerifyCase(test_case).ok()) << VerifyCase(test_case);
}

TEST(EditsTest, AnUnwrappedBlockLeavesItsBuffers) {
  Case test_case = BlockCase();
  ASSERT_EQ(Kind("unwrap statement").apply(&test_case, 0, 0), EditResult::kApplied);
  EXPECT_TRUE(VerifyCase(test_case).ok()) << VerifyCase(test_case);
  EXPECT_EQ(test_case.module().functions(0).body_size(), 3);
  EXPECT_LT(Weight(test_case), Weight(BlockCase()));
}

TEST(EditsTest, InliningABindingLeavesNoUse) {
  Case test_case = RichCase();
  ASSERT_EQ(Kind("inline binding").apply(&test_case, 1, 0), EditResult::kApplied);
  EXPECT_TRUE(VerifyCase(test_case).ok()) << VerifyCase(test_case);
  const Stmt& loop = test_case.module().functions(0).body(0);
  ASSERT_EQ(loop.body_size(), 2);
  EXPECT_EQ(loop.body(0).args(0).op(), FLOOR_DIV);
}

TEST(EditsTest, DroppingAParameterMovesTheInputsOfTheOthers) {
  Case test_case = RichCase();
  ASSERT_EQ(Kind("drop parameter").apply(&test_case, 1, 0), EditResult::kApplied);
  EXPECT_TRUE(VerifyCase(test_case).ok()) << VerifyCase(test_case);
  ASSERT_EQ(test_case.inputs().params_size(), 1);
  EXPECT_EQ(test_case.inputs().params(0).param(), 1u);
  EXPECT_EQ(test_case.module().functions(0).params_size(), 3);
}

// B[0] = n for a parameter of n elements and one of m.
Case SymbolicCase() {
  using namespace build;  // NOLINT: what it is for
  Case test_case;
  test_case.set_version(1);
  Function* f = test_case.mutable_module()->add_functions();
  f->set_name("main");
  const uint32_t n = AddVariable(f, "n", I32);
  const uint32_t m = AddVariable(f, "m", I32);
  const uint32_t b = AddBuffer(f, "B", I32, {Var(*f, n)});
  const uint32_t c = AddBuffer(f, "C", I32, {Var(*f, m)});
  AddBufferParam(f, b);
  AddBufferParam(f, c);
  for (const uint32_t variable : {n, m}) {
    DimValue* dim = test_case.mutable_inputs()->add_dims();
    dim->set_variable(variable);
    dim->set_value(4);
  }
  *f->add_body() = Store(b, Var(*f, n), {I32Const(0)});
  return test_case;
}

TEST(EditsTest, DroppingAParameterDropsTheDimensionsThatItDefined) {
  Case test_case = SymbolicCase();
  ASSERT_TRUE(VerifyCase(test_case).ok()) << VerifyCase(test_case);
  ASSERT_EQ(Kind("drop parameter").apply(&test_case, 1, 0), EditResult::kApplied);
  EXPECT_TRUE(VerifyCase(test_case).ok()) << VerifyCase(test_case);
  ASSERT_EQ(test_case.inputs().dims_size(), 1);
  EXPECT_EQ(test_case.inputs().dims(0).variable(), 0u);
}

TEST(EditsTest, AFixedDimensionIsTheConstantThatItWas) {
  Case test_case = SymbolicCase();
  ASSERT_EQ(Kind("fix dimension").apply(&test_case, 0, 0), EditResult::kApplied);
  EXPECT_TRUE(VerifyCase(test_case).ok()) << VerifyCase(test_case);
  const Function& function = test_case.module().functions(0);
  EXPECT_EQ(function.buffers(0).shape(0).int_value(), 4);
  EXPECT_EQ(function.body(0).args(0).int_value(), 4);
  EXPECT_EQ(Kind("fix dimension").apply(&test_case, 1, 0), EditResult::kNoPosition);
}

}  // namespace
}  // namespace irate
