// Decisions about floats within their bound of a tie, and NaN and infinity.
#include <cmath>
#include <limits>

#include "tests/ir/interpreter/fixture.h"

namespace irate {
namespace {

const double kInf = std::numeric_limits<double>::infinity();

// x = 0.1f * 3 + `offset`: inexact, about 0.3, with a bound of some 1e-7.
struct Inexact {
  Program p;
  uint32_t a;
  uint32_t out;
  explicit Inexact(ScalarType result = F32, int64_t size = 4)
      : a(p.Param("A", F32, {4})), out(p.Param("B", result, {size})) {
    p.Range(0, 3, 3);
    p.Range(1, 9, 9);
  }
  Expr X(double offset = 0) {
    return b::Binary(ADD, b::Binary(MUL, p.L(a, {C(0)}), F(0.1)), F(offset));
  }
  Interpretation Run(Expr value) {
    p.Add(b::Store(out, std::move(value), {C(0)}));
    return p.Run();
  }
};

TEST(Inconclusive, BoundsAreReported) {
  Inexact v;
  const Interpretation result = v.Run(v.X());
  EXPECT_DEFINED(result);
  EXPECT_EQ(Judged(result, 1, 0), kJudged);
  EXPECT_GT(BoundAt(result, 1, 0), 1e-8);
  EXPECT_LT(BoundAt(result, 1, 0), 1e-6);
  EXPECT_EQ(BoundAt(result, 1, 1), 0) << "an input that nothing wrote is exact";
}

TEST(Inconclusive, ComparisonsNearATie) {
  for (double threshold : {0.3, 0.301}) {
    const bool near = threshold == 0.3;
    Inexact v(I32);
    const Interpretation result = v.Run(b::Select(b::Binary(LT, v.X(), F(threshold)), C(1), C(2)));
    EXPECT_DEFINED(result);
    EXPECT_EQ(Judged(result, 1, 0) != kJudged, near);
  }
}

TEST(Inconclusive, ExactTiesAreDecided) {
  Inexact v(I32);
  Expr equal = b::Binary(GE, b::Binary(ADD, v.p.L(v.a, {C(0)}), F(1)), F(4));
  const Interpretation result = v.Run(b::Select(equal, C(1), C(2)));
  EXPECT_EQ(Element(result, 1, 0), 1);
  EXPECT_EQ(Judged(result, 1, 0), kJudged);
}

TEST(Inconclusive, SelectOfFloatsIsWithinTheDistanceOfItsArms) {
  Inexact v;
  const Interpretation result = v.Run(b::Select(b::Binary(LT, v.X(), F(0.3)), F(5), F(5.25)));
  EXPECT_DEFINED(result);
  EXPECT_EQ(Judged(result, 1, 0), kJudged);
  EXPECT_GE(BoundAt(result, 1, 0), 0.25);
  EXPECT_LE(BoundAt(result, 1, 0), 0.2501);
}

TEST(Inconclusive, FloorAndCastNearAWholeNumber) {
  for (double offset : {0.7, 0.5}) {
    const bool near = offset == 0.7;  // x is about 1
    {
      Inexact v;
      const Interpretation result = v.Run(b::Call("floor", F32, {v.X(offset)}));
      EXPECT_EQ(Judged(result, 1, 0) != kJudged, near);
      if (!near) {
        EXPECT_EQ(BoundAt(result, 1, 0), 0);
      }
    }
    {
      Inexact v(I32);
      const Interpretation result = v.Run(b::Cast(I32, v.X(offset)));
      EXPECT_DEFINED(result);
      EXPECT_EQ(Judged(result, 1, 0) != kJudged, near);
    }
  }
}

TEST(Inconclusive, MinAndMaxAreContinuous) {
  Inexact v;
  const Interpretation result = v.Run(b::Binary(MAX, v.X(), F(0.3)));
  EXPECT_EQ(Judged(result, 1, 0), kJudged);
  EXPECT_GT(BoundAt(result, 1, 0), 0);
  EXPECT_LT(BoundAt(result, 1, 0), 1e-6);
}

TEST(Inconclusive, ABranchTaintsWhatEitherArmWrites) {
  for (double threshold : {0.3, 0.2}) {
    const bool near = threshold == 0.3;
    Inexact v(I32);
    Expr condition = b::Binary(GT, v.X(), F(threshold));
    v.p.Add(b::If(condition, {b::Store(v.out, C(1), {C(0)})}, {b::Store(v.out, C(2), {C(1)})}));
    const Interpretation result = v.p.Run();
    EXPECT_DEFINED(result);
    EXPECT_EQ(Judged(result, 1, 0) != kJudged, near);
    EXPECT_EQ(Judged(result, 1, 1) != kJudged, near);
    EXPECT_EQ(Judged(result, 1, 2), kJudged);
    if (!near) {
      EXPECT_EQ(Element(result, 1, 0), 1);
      EXPECT_EQ(Element(result, 1, 1), 9);
    }
  }
}

TEST(Inconclusive, TheOtherArmMustBeDefinedToo) {
  for (int64_t index : {3, 4}) {
    Inexact v(I32);
    // About 0.3 > 0.3, false or true: a machine may take either arm.
    Expr condition = b::Binary(GT, v.X(), F(0.3));
    v.p.Add(
        b::If(condition, {b::Store(v.out, C(1), {C(index)})}, {b::Store(v.out, C(2), {C(index)})}));
    EXPECT_EQ(v.p.Run().status(), index == 3 ? Interpretation::DEFINED : Interpretation::UNDEFINED);
  }
}

TEST(Inconclusive, LocalsOfTheOtherArmWork) {
  Inexact v(I32);
  const uint32_t tmp = v.p.Buffer("T", I32, {1});
  const auto arm = [&](int64_t value) {
    return std::vector<Stmt>{b::Alloc(tmp), b::Store(tmp, C(value), {C(0)}),
                             b::Store(v.out, v.p.L(tmp, {C(0)}), {v.p.L(tmp, {C(0)})})};
  };
  v.p.Add(b::If(b::Binary(GT, v.X(), F(0.3)), arm(1), arm(2)));
  const Interpretation result = v.p.Run();
  EXPECT_DEFINED(result);
  EXPECT_NE(Judged(result, 1, 1), kJudged);
  EXPECT_NE(Judged(result, 1, 2), kJudged);
  EXPECT_EQ(Judged(result, 1, 0), kJudged);
}

TEST(Inconclusive, IfThenElseJoinsItsArms) {
  Inexact v;
  Expr condition = b::Binary(GT, v.X(), F(0.3));
  const Interpretation result = v.Run(b::IfThenElse(condition, v.X(1), v.X(1.5)));
  EXPECT_DEFINED(result);
  EXPECT_EQ(Judged(result, 1, 0), kJudged);
  EXPECT_NEAR(BoundAt(result, 1, 0), 0.5, 0.001);
}

TEST(Inconclusive, AWayOutOfABranchDoubtsEverything) {
  Inexact v(I32);
  const uint32_t i = v.p.Var("i");
  Stmt leave;
  leave.set_kind(BREAK);
  v.p.Add(
      b::For(i, C(0), C(2), SERIAL,
             {b::If(b::Binary(GT, v.X(), F(0.3)), {leave}), b::Store(v.out, C(1), {v.p.V(i)})}));
  const Interpretation result = v.p.Run();
  EXPECT_DEFINED(result);
  for (size_t k = 0; k < 4; ++k) EXPECT_EQ(Judged(result, 1, k), kNotJudged);
}

TEST(Inconclusive, AddressesMustBeConfined) {
  for (bool confined : {true, false}) {
    Inexact v(F32);
    Expr index = b::Cast(I32, v.X(0.7));
    if (confined) index = b::Binary(MIN, b::Binary(MAX, index, C(0)), C(3));
    const Interpretation result = v.Run(v.p.L(v.a, {index}));
    if (confined) {
      EXPECT_DEFINED(result);
      EXPECT_NE(Judged(result, 1, 0), kJudged);
    } else {
      EXPECT_UNDEFINED(result, "float decision");
    }
  }
}

TEST(Inconclusive, AStoreToADoubtfulAddressMayGoAnywhere) {
  Inexact v(I32);
  Expr index = b::Binary(FLOOR_MOD, b::Cast(I32, v.X(0.7)), C(4));
  v.p.Add(b::Store(v.out, C(1), {index}));
  const Interpretation result = v.p.Run();
  EXPECT_DEFINED(result);
  for (size_t k = 0; k < 4; ++k) EXPECT_EQ(Judged(result, 1, k), kNotJudged);
}

TEST(Inconclusive, WhileOnADoubtfulConditionDoubtsEverything) {
  Inexact v(I32);
  const uint32_t tmp = v.p.Buffer("T", F32, {1});
  v.p.Add(b::Alloc(tmp));
  v.p.Add(b::Store(tmp, v.X(-0.2), {C(0)}));
  // Stops where 0.1 k - 0.2 >= 0.5, which is a tie.
  v.p.Add(b::While(b::Binary(LT, v.p.L(tmp, {C(0)}), F(0.5)),
                   {b::Store(tmp, b::Binary(ADD, v.p.L(tmp, {C(0)}), F(0.1)), {C(0)})}));
  const Interpretation result = v.p.Run();
  EXPECT_DEFINED(result);
  EXPECT_EQ(Judged(result, 1, 3), kNotJudged);
}

TEST(Inconclusive, NonFiniteValuesMoveButDoNotCompute) {
  for (double value : {kInf, -kInf, std::nan("")}) {
    {
      Inexact v;
      const Interpretation result = v.Run(b::Select(b::BoolConst(true), F(value), F(0)));
      EXPECT_EQ(Judged(result, 1, 0), kJudged);
      EXPECT_EQ(std::isnan(Element(result, 1, 0)), std::isnan(value));
    }
    {
      Inexact v;
      const Interpretation result = v.Run(b::Binary(MUL, F(value), F(0)));
      EXPECT_NE(Judged(result, 1, 0), kJudged);
    }
    {
      Inexact v(I32);
      const Interpretation result = v.Run(b::Select(b::Binary(LT, F(value), F(3)), C(1), C(2)));
      EXPECT_EQ(Judged(result, 1, 0) == kJudged, !std::isnan(value));
    }
    {
      Inexact v(F64);
      const Interpretation result = v.Run(b::Cast(F64, F(value)));
      EXPECT_EQ(Judged(result, 1, 0), kJudged);
    }
  }
  Inexact v;
  const Interpretation result = v.Run(b::Binary(MAX, v.p.L(v.a, {C(0)}), F(-kInf)));
  EXPECT_EQ(Element(result, 1, 0), 3);
  EXPECT_EQ(BoundAt(result, 1, 0), 0);
  EXPECT_EQ(Judged(result, 1, 0), kJudged);
}

TEST(Inconclusive, OverflowInAnyOrder) {
  for (double big : {1e38, 2e38}) {
    Inexact v;
    // 1.5 big as written; with the additions first, 2 big.
    Expr sum = b::Binary(ADD, b::Binary(SUB, F(big), F(big / 2)), F(big));
    const Interpretation result = v.Run(std::move(sum));
    EXPECT_EQ(Judged(result, 1, 0) == kJudged, big == 1e38);
  }
}

TEST(Inconclusive, DivisionNearZero) {
  for (double offset : {-0.3, -0.29}) {
    Inexact v;
    const Interpretation result = v.Run(b::Binary(DIV, F(1), v.X(offset)));
    EXPECT_DEFINED(result);
    EXPECT_EQ(Judged(result, 1, 0) != kJudged, offset == -0.3);
  }
}

TEST(Inconclusive, BitsOfInexactFloats) {
  for (bool exact : {true, false}) {
    Inexact v(I32);
    Expr x = exact ? b::Binary(ADD, v.p.L(v.a, {C(0)}), F(1)) : v.X();
    const Interpretation result = v.Run(b::Reinterpret(I32, x));
    EXPECT_EQ(Judged(result, 1, 0) == kJudged, exact);
    if (exact) {
      EXPECT_EQ(Element(result, 1, 0), 0x40800000);
    }
  }
}

TEST(Inconclusive, ExactLimitOfEachType) {
  // `count` ones: exact up to the type's limit in every order, not beyond.
  for (ScalarType type : {F16, BF16, F8E4M3FN, F8E5M2}) {
    const int64_t limit = ExactIntegerLimit(type);
    for (int64_t count : {limit, limit + 1}) {
      Program p;
      const uint32_t out = p.Param("B", type, {1});
      const uint32_t i = p.Var("i");
      p.Add(b::Store(out, b::Float(type, 0), {C(0)}));
      p.Add(b::For(i, C(0), C(count), SERIAL,
                   {b::Store(out, b::Binary(ADD, p.L(out, {C(0)}), b::Float(type, 1)), {C(0)})}));
      const Interpretation result = p.Run();
      EXPECT_DEFINED(result);
      const bool is_exact = Judged(result, 0, 0) == kJudged && BoundAt(result, 0, 0) == 0;
      EXPECT_EQ(is_exact, count == limit) << TypeName(type) << " " << count;
    }
  }
}

}  // namespace
}  // namespace irate
