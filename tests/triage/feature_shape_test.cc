#include "triage/feature_shape.h"

#include "gtest/gtest.h"
#include "ir/builder.h"
#include "tests/triage/programs.h"

namespace irate {
namespace {

using ::irate::testing::RichCase;

Module StoreOf(const Expr& value) {
  Module module;
  Function* f = module.add_functions();
  f->set_name("main");
  const uint32_t b = build::AddBuffer(f, "B", value.type(), {build::I32Const(1)});
  build::AddBufferParam(f, b);
  *f->add_body() = build::Store(b, value, {build::I32Const(0)});
  return module;
}

TEST(FeatureShapeTest, NamesOperatorsStatementsAndLoops) {
  EXPECT_EQ(FeatureShape(RichCase().module()), "bind.compare.floordiv.if.parallel");
}

TEST(FeatureShapeTest, NamesUncommonTypes) {
  EXPECT_EQ(FeatureShape(StoreOf(build::Binary(MUL, build::Int(U8, 3), build::Int(U8, 5)))),
            "mul_u8");
}

TEST(FeatureShapeTest, NamesRingOperatorsOnlyWhereNothingElseIsLeft) {
  const Expr sum = build::Binary(ADD, build::I32Const(1), build::I32Const(2));
  EXPECT_EQ(FeatureShape(StoreOf(sum)), "add");
  EXPECT_EQ(FeatureShape(StoreOf(build::Binary(FLOOR_MOD, sum, build::I32Const(2)))), "floormod");
  EXPECT_EQ(FeatureShape(StoreOf(build::I32Const(1))), "");
}

TEST(FeatureShapeTest, CastsAndTypesThatAReductionLeftAreNoPartOfIt) {
  const Expr narrow = build::Cast(I16, build::Int(I64, 7));
  const Expr quotient = build::Binary(FLOOR_DIV, narrow, build::Int(I16, 2));
  EXPECT_EQ(FeatureShape(StoreOf(quotient)), "floordiv");
  EXPECT_EQ(FeatureShape(StoreOf(build::Cast(I8, quotient))), "floordiv");
  EXPECT_EQ(FeatureShape(StoreOf(narrow)), "cast_i16") << "a cast alone is what it is about";
  EXPECT_EQ(FeatureShape(StoreOf(build::Binary(FLOOR_DIV, build::Int(U16, 7), build::Int(U16, 2)))),
            "floordiv_u")
      << "unsigned division has rules of its own";
}

TEST(FeatureShapeTest, ComparisonsInEitherDirectionAreOneFeature) {
  const Expr one = build::I32Const(1);
  EXPECT_EQ(FeatureShape(StoreOf(build::Binary(LT, one, one))),
            FeatureShape(StoreOf(build::Binary(GE, one, one))));
}

}  // namespace
}  // namespace irate
