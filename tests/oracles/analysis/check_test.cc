// Each promise: an answer that keeps it is not touched, one that breaks it is found, with the
// point.
#include "oracles/analysis/check.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/oracles/analysis/questions.h"

namespace irate::analysis {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string Kind(const AnalysisQuestion& question, const AnalysisAnswers& answers) {
  const std::vector<Mismatch> mismatches = CheckAnswers(question, answers, nullptr);
  return mismatches.empty() ? "" : mismatches[0].kind;
}

TEST(CheckTest, ASimplifiedExpressionMustBeEqualEverywhere) {
  QuestionBuilder q;
  const Expr x = q.Var("x", 0, 8);
  q.Ask(REWRITE_SIMPLIFY, Binary(FLOOR_DIV, Binary(MUL, x, Const(4)), Const(2)));
  EXPECT_EQ(Kind(q.question, Answer({Binary(MUL, x, Const(2))})), "");
  const auto wrong =
      CheckAnswers(q.question, Answer({Binary(MIN, Binary(MUL, x, Const(2)), Const(13))}), nullptr);
  ASSERT_THAT(wrong, SizeIs(1));
  EXPECT_EQ(wrong[0].kind, "value");
  EXPECT_THAT(wrong[0].point, ElementsAre(7));
  EXPECT_THAT(wrong[0].detail, HasSubstr("x = 7"));
}

TEST(CheckTest, AnAnswerOfAnotherTypeIsWrong) {
  QuestionBuilder q;
  const Expr x = q.Var("x", 0, 8);
  q.Ask(REWRITE_SIMPLIFY, Binary(ADD, x, Const(0)));
  Expr other = x;
  other.set_type(I64);
  EXPECT_EQ(Kind(q.question, Answer({other})), "type");
}

TEST(CheckTest, APointWhereTheQuestionOverflowsIsNoTest) {
  QuestionBuilder q;
  const Expr x = q.Var("x", 0, 3);
  // (x * 2000000000) // 2000000000 is x over the integers; in int32 the product wraps from x = 2
  // on.
  q.Ask(REWRITE_SIMPLIFY,
        Binary(FLOOR_DIV, Binary(MUL, x, Const(2'000'000'000)), Const(2'000'000'000)));
  EXPECT_EQ(Kind(q.question, Answer({Binary(MIN, x, Const(1))})), "");
  EXPECT_EQ(Kind(q.question, Answer({Const(0)})), "value");
}

TEST(CheckTest, APointWhereTheQuestionDividesByZeroIsNoTest) {
  QuestionBuilder q;
  const Expr x = q.Var("x", 0, 2);
  q.Ask(REWRITE_SIMPLIFY, Binary(FLOOR_DIV, Const(6), x));
  EXPECT_EQ(Kind(q.question, Answer({Const(6)})), "");
}

TEST(CheckTest, AnAnswerThatDividesByZeroIsWrongWhereItsValueIsUsed) {
  QuestionBuilder q;
  const Expr x = q.Var("x", 0, 2);
  q.Ask(REWRITE_SIMPLIFY, Binary(ADD, x, Const(0)));
  const Expr division = Binary(MUL, Binary(FLOOR_DIV, Const(1), x), x);
  EXPECT_EQ(Kind(q.question, Answer({division})), "undefined");
  Expr guarded;
  guarded.set_op(SELECT);
  guarded.set_type(I32);
  *guarded.add_args() = Binary(EQ, x, Const(0));
  *guarded.add_args() = Const(0);
  *guarded.add_args() = division;
  EXPECT_EQ(Kind(q.question, Answer({guarded})), "");
}

TEST(CheckTest, OnlyPointsOfTheConstraintAreJudged) {
  QuestionBuilder q;
  const Expr x = q.Var("x", 0, 8);
  *q.question.mutable_constraint() = Binary(LT, x, Const(4));
  q.Ask(REWRITE_SIMPLIFY, Binary(MIN, x, Const(3)));
  EXPECT_EQ(Kind(q.question, Answer({x})), "");
  q.question.mutable_asks(0)->set_outside(true);
  EXPECT_EQ(Kind(q.question, Answer({x})), "value");
}

TEST(CheckTest, Bounds) {
  QuestionBuilder q;
  const Expr x = q.Var("x", -3, 8);
  q.Ask(CONST_INT_BOUND, x);
  EXPECT_EQ(Kind(q.question, Answer({}, {-3, 4})), "");
  EXPECT_EQ(Kind(q.question, Answer({}, {-3, 3})), "bound");
  EXPECT_EQ(Kind(q.question, Answer({}, {-2, 4})), "bound");
}

TEST(CheckTest, ModularSets) {
  QuestionBuilder q;
  const Expr x = q.Var("x", 0, 8);
  q.Ask(MODULAR_SET, Binary(ADD, Binary(MUL, x, Const(4)), Const(3)));
  EXPECT_EQ(Kind(q.question, Answer({}, {4, 3})), "");
  EXPECT_EQ(Kind(q.question, Answer({}, {1, 0})), "");
  EXPECT_EQ(Kind(q.question, Answer({}, {8, 3})), "value");
  EXPECT_EQ(Kind(q.question, Answer({}, {0, 3})), "value");
}

TEST(CheckTest, IntSetsHoldEveryValueAndNoRelaxedVariable) {
  QuestionBuilder q;
  const Expr x = q.Var("x", 0, 8);
  const Expr y = q.Var("y", 0, 8);
  q.Ask(INT_SET, Binary(ADD, x, y))->add_variables(0);
  EXPECT_EQ(Kind(q.question, Answer({y, Binary(ADD, y, Const(7))})), "");
  EXPECT_EQ(Kind(q.question, Answer({y, Binary(ADD, y, Const(6))})), "bound");
  EXPECT_EQ(Kind(q.question, Answer({x, Binary(ADD, x, Const(7))})), "variable");
}

TEST(CheckTest, Proofs) {
  QuestionBuilder q;
  const Expr x = q.Var("x", 0, 8);
  q.Ask(CAN_PROVE, Binary(LT, x, Const(7)));
  EXPECT_EQ(Kind(q.question, Answer({}, {0})), "");
  EXPECT_EQ(Kind(q.question, Answer({}, {1})), "value");
}

TEST(CheckTest, Comparisons) {
  QuestionBuilder q;
  const Expr x = q.Var("x", 1, 8);
  *q.Ask(TRY_COMPARE, x)->add_exprs() = Const(0);
  EXPECT_EQ(Kind(q.question, Answer({}, {4})), "");  // greater
  EXPECT_EQ(Kind(q.question, Answer({}, {7})), "");  // unknown
  EXPECT_EQ(Kind(q.question, Answer({}, {3})), "value");
  EXPECT_EQ(Kind(q.question, Answer({}, {0})), "inconsistent");
}

TEST(CheckTest, LinearEquations) {
  QuestionBuilder q;
  const Expr x = q.Var("x", 0, 8);
  q.Ask(LINEAR_EQUATION, Binary(ADD, Binary(MUL, x, Const(3)), Const(1)))->add_variables(0);
  EXPECT_EQ(Kind(q.question, Answer({Const(3), Const(1)})), "");
  EXPECT_EQ(Kind(q.question, Answer({Const(3), Const(2)})), "value");
  EXPECT_EQ(Kind(q.question, Answer({Const(3), x})), "variable");
}

TEST(CheckTest, DeducedBoundsImplyTheCondition) {
  QuestionBuilder q;
  const Expr x = q.Free("x");
  q.Ask(DEDUCE_BOUND, Binary(LT, Binary(MUL, x, Const(2)), Const(9)))->add_variables(0);
  EXPECT_EQ(Kind(q.question, Answer({Const(-100), Const(4)})), "");
  EXPECT_EQ(Kind(q.question, Answer({Const(0), Const(1)})), "");  // smaller is allowed
  EXPECT_EQ(Kind(q.question, Answer({Const(-100), Const(5)})), "value");
}

TEST(CheckTest, AMapThatIsSaidToBeBijectiveIs) {
  QuestionBuilder q;
  const Expr x = q.Var("x", 0, 4);
  const Expr index = Binary(FLOOR_DIV, x, Const(2));
  q.Ask(ITER_MAP_DETECT, index)->set_option(0);
  EXPECT_EQ(Kind(q.question, Answer({index})), "not injective");
  q.question.mutable_asks(0)->set_option(1);
  EXPECT_EQ(Kind(q.question, Answer({index})), "");
}

TEST(CheckTest, Regions) {
  QuestionBuilder q;
  const Expr x = q.Var("x", 0, 4);
  AnalysisAsk* ask = q.Ask(REGION_UPPER_BOUND, Binary(MUL, x, Const(2)));
  *ask->add_exprs() = Const(1);
  EXPECT_EQ(Kind(q.question, Answer({Const(0), Const(6)})), "");
  EXPECT_EQ(Kind(q.question, Answer({Const(0), Const(5)})), "uncovered");
  ask->set_function(REGION_LOWER_BOUND);
  EXPECT_EQ(Kind(q.question, Answer({Const(2), Const(2)})), "");
  EXPECT_EQ(Kind(q.question, Answer({Const(0), Const(6)})), "beyond");
}

TEST(CheckTest, VectorsAreJudgedLaneByLane) {
  QuestionBuilder q;
  const Expr x = q.Var("x", 0, 4);
  Expr ramp;
  ramp.set_op(RAMP);
  ramp.set_type(I32);
  ramp.set_lanes(4);
  *ramp.add_args() = Binary(MUL, x, Const(4));
  *ramp.add_args() = Const(1);
  Expr four;
  four.set_op(BROADCAST);
  four.set_type(I32);
  four.set_lanes(4);
  *four.add_args() = Const(4);
  q.Ask(REWRITE_SIMPLIFY, Binary(FLOOR_DIV, ramp, four));
  Expr right = four;
  *right.mutable_args(0) = x;
  EXPECT_EQ(Kind(q.question, Answer({right})), "");
  Expr wrong = ramp;
  *wrong.mutable_args(0) = x;
  const auto mismatches = CheckAnswers(q.question, Answer({wrong}), nullptr);
  ASSERT_THAT(mismatches, SizeIs(1));
  EXPECT_THAT(mismatches[0].detail, HasSubstr("lane 1"));
}

TEST(CheckTest, AnInternalErrorCountsWhereTheQuestionIsDefinedSomewhere) {
  QuestionBuilder q;
  const Expr x = q.Var("x", 0, 4);
  q.Ask(REWRITE_SIMPLIFY, Binary(FLOOR_DIV, Const(1), Binary(SUB, x, x)));
  AnalysisAnswers answers;
  AnalysisAnswer* answer = answers.add_answers();
  answer->set_status(AnalysisAnswer::FAILED);
  answer->mutable_failure()->set_kind(Failure::INTERNAL_ERROR);
  answer->mutable_failure()->set_message("Check failed: pb->value != 0 (0 vs. 0)");
  CheckStats stats;
  EXPECT_THAT(CheckAnswers(q.question, answers, &stats), IsEmpty());
  EXPECT_EQ(stats.not_defined, 1u);
  *q.question.mutable_asks(0)->mutable_exprs(0) = x;
  EXPECT_THAT(Kind(q.question, answers), HasSubstr("error: Check failed"));
  answer->mutable_failure()->set_kind(Failure::DIAGNOSTIC);
  EXPECT_EQ(Kind(q.question, answers), "");
}

}  // namespace
}  // namespace irate::analysis
