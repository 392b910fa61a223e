// The evaluator against the definitions, and the list of points.
#include "oracles/analysis/evaluate.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "oracles/analysis/points.h"
#include "tests/oracles/analysis/questions.h"

namespace irate::analysis {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::Le;

int64_t Apply(Op op, int64_t a, int64_t b) {
  int64_t result = 0;
  EXPECT_EQ(ApplyOperator(op, a, b, &result), kOk);
  return result;
}

TEST(ApplyOperatorTest, DivisionsRoundAsTheirNamesSay) {
  for (int64_t a = -7; a <= 7; ++a) {
    for (int64_t b = -3; b <= 3; ++b) {
      if (b == 0) continue;
      EXPECT_EQ(Apply(TRUNC_DIV, a, b) * b + Apply(TRUNC_MOD, a, b), a);
      EXPECT_EQ(Apply(FLOOR_DIV, a, b) * b + Apply(FLOOR_MOD, a, b), a);
      EXPECT_TRUE(Apply(FLOOR_MOD, a, b) == 0 || (Apply(FLOOR_MOD, a, b) < 0) == (b < 0));
      EXPECT_TRUE(Apply(TRUNC_MOD, a, b) == 0 || (Apply(TRUNC_MOD, a, b) < 0) == (a < 0));
    }
  }
}

TEST(ApplyOperatorTest, WhatHasNoValueSaysWhy) {
  int64_t result = 0;
  EXPECT_EQ(ApplyOperator(FLOOR_DIV, 1, 0, &result), kUndefined);
  EXPECT_EQ(ApplyOperator(ADD, INT64_MAX, 1, &result), kOverflow);
  EXPECT_EQ(ApplyOperator(MUL, INT64_MAX, 2, &result), kOverflow);
  EXPECT_EQ(ApplyOperator(TRUNC_DIV, INT64_MIN, -1, &result), kOverflow);
  EXPECT_EQ(ApplyOperator(SHL, 1, -1, &result), kUndefined);
  EXPECT_EQ(ApplyOperator(SHR, -5, 1, &result), kOk);
  EXPECT_EQ(result, -3);
}

TEST(PointsTest, AllPointsWhereTheyAreFew) {
  QuestionBuilder q;
  q.Var("x", 0, 2);
  q.Var("y", -1, 3);
  const Points points = MakePoints(q.question, 16);
  EXPECT_TRUE(points.exhaustive);
  EXPECT_THAT(points.values[0], ElementsAre(0, 0, 0, 1, 1, 1));
  EXPECT_THAT(points.values[1], ElementsAre(-1, 0, 1, -1, 0, 1));
}

TEST(PointsTest, CornersAndDrawnPointsWhereTheyAreMany) {
  QuestionBuilder q;
  q.Var("x", 5, 1'000'000);
  q.Free("y");
  const Points points = MakePoints(q.question, 64);
  EXPECT_FALSE(points.exhaustive);
  EXPECT_EQ(points.count, 64u);
  EXPECT_THAT(points.values[0], Each(Ge(5)));
  EXPECT_THAT(points.values[0], Each(Le(1'000'004)));
  EXPECT_THAT(points.values[0], ::testing::Contains(1'000'004));
  EXPECT_EQ(MakePoints(q.question, 64).values, points.values);
}

TEST(EvaluatorTest, TheQuestionIsReadStrictlyTheAnswerIsNot) {
  QuestionBuilder q;
  const Expr x = q.Var("x", 0, 2);
  const Points points = MakePoints(q.question, 16);
  Evaluator evaluator(points, q.question.variables(), 1);
  // x == 0 or 1 / x == 1
  const Expr expr =
      Binary(OR, Binary(EQ, x, Const(0)), Binary(EQ, Binary(FLOOR_DIV, Const(1), x), Const(1)));
  Column column;
  std::string unsupported;
  ASSERT_TRUE(evaluator.Evaluate(expr, Evaluator::Reading::kQuestion, &column, &unsupported));
  EXPECT_THAT(column.states, ElementsAre(kUndefined, kOk));
  ASSERT_TRUE(evaluator.Evaluate(expr, Evaluator::Reading::kAnswer, &column, &unsupported));
  EXPECT_THAT(column.states, ElementsAre(kOk, kOk));
  EXPECT_THAT(column.values, ElementsAre(1, 1));
}

TEST(EvaluatorTest, WhatIsNotModelledIsNamed) {
  QuestionBuilder q;
  q.Var("x", 0, 2);
  const Points points = MakePoints(q.question, 16);
  Evaluator evaluator(points, q.question.variables(), 1);
  Expr call;
  call.set_op(CALL);
  call.set_type(I32);
  call.set_name("clz");
  Column column;
  std::string unsupported;
  EXPECT_FALSE(evaluator.Evaluate(call, Evaluator::Reading::kAnswer, &column, &unsupported));
  EXPECT_EQ(unsupported, "clz");
}

}  // namespace
}  // namespace irate::analysis
