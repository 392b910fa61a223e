// Fragile integers: where a magnitude leaves its type, on both sides of the line.
#include "tests/ir/interpreter/fixture.h"

namespace irate {
namespace {

// Stores one value; parameter A holds the constant `a` in both elements.
struct OneValue {
  Program p;
  uint32_t a;
  uint32_t out;
  explicit OneValue(int64_t value, ScalarType type = I32)
      : a(p.Param("A", type, {2})), out(p.Param("B", type, {1})) {
    p.Range(0, value, value);
  }
  Expr A() { return p.L(a, {C(0)}); }
  Interpretation Run(Expr value) {
    p.Add(b::Store(out, std::move(value), {C(0)}));
    return p.Run();
  }
};

TEST(Fragile, CancellationDoesNotHideAMagnitude) {
  // (a + big) - big: the sum of the absolute values counts, not the result.
  for (int64_t big : {1'000'000'000, 1'100'000'000}) {
    OneValue v(1);
    Expr sum = b::Binary(SUB, b::Binary(ADD, v.A(), C(big)), C(big));
    Expr twice = b::Binary(SUB, b::Binary(ADD, std::move(sum), C(big)), C(big));
    const Interpretation result = v.Run(std::move(twice));
    EXPECT_DEFINED(result);
    EXPECT_EQ(Element(result, 1, 0), 1);
    EXPECT_EQ(Judged(result, 1, 0) == kJudged, big == 1'000'000'000);
  }
}

TEST(Fragile, Products) {
  for (int64_t factor : {46340, 46341}) {
    // f * f * 0: never overflows as written, does if reordered... the magnitude is what counts.
    OneValue v(factor);
    Expr square = b::Binary(MUL, v.A(), C(factor));
    Program& p = v.p;
    p.Add(b::Store(v.out, b::Binary(MUL, square, C(0)), {C(0)}));
    const Interpretation result = p.Run();
    if (factor == 46340) {
      EXPECT_DEFINED(result);
      EXPECT_EQ(Judged(result, 1, 0), kJudged);
    } else {
      EXPECT_UNDEFINED(result, "signed overflow");
    }
  }
}

TEST(Fragile, ComparisonsAreDifferences) {
  for (int64_t value : {147'483'647, 147'483'648}) {
    OneValue v(value);
    // a < -2000000000, which compilers rewrite as a + 2000000000 < 0.
    Expr less = b::Binary(LT, v.A(), C(-2'000'000'000));
    const Interpretation result = v.Run(b::Select(less, C(1), C(2)));
    EXPECT_DEFINED(result);
    EXPECT_EQ(Element(result, 1, 0), 2);
    EXPECT_EQ(Judged(result, 1, 0) == kJudged, value == 147'483'647);
  }
}

TEST(Fragile, EqualArmsDoNotDependOnTheCondition) {
  OneValue v(2'000'000'000);
  Expr less = b::Binary(LT, v.A(), C(-2'000'000'000));
  const Interpretation result = v.Run(b::Select(less, C(5), C(5)));
  EXPECT_EQ(Judged(result, 1, 0), kJudged);
}

TEST(Fragile, BranchesBoundsAndAddresses) {
  for (int64_t value : {1, 2'000'000'000}) {
    const auto condition = [&](OneValue& v) { return b::Binary(LT, v.A(), C(-2'000'000'000)); };
    const bool fragile = value != 1;
    {
      OneValue v(value);
      v.p.Add(b::If(condition(v), {b::Store(v.out, C(1), {C(0)})}));
      EXPECT_EQ(v.p.Run().status(), fragile ? Interpretation::UNDEFINED : Interpretation::DEFINED);
    }
    {
      OneValue v(value);
      const Interpretation result = v.Run(b::IfThenElse(condition(v), C(1), C(2)));
      EXPECT_EQ(result.status(), fragile ? Interpretation::UNDEFINED : Interpretation::DEFINED);
    }
    {
      OneValue v(value);
      Expr index = b::Select(condition(v), C(1), C(0));
      const Interpretation result = v.Run(v.p.L(v.a, {index}));
      EXPECT_EQ(result.status(), fragile ? Interpretation::UNDEFINED : Interpretation::DEFINED);
    }
    {
      OneValue v(value);
      const uint32_t i = v.p.Var("i");
      Expr extent = b::Select(condition(v), C(1), C(2));
      v.p.Add(b::For(i, C(0), extent, SERIAL, {b::Evaluate(v.p.V(i))}));
      const Interpretation result = v.p.Run();
      EXPECT_EQ(result.status(), fragile ? Interpretation::UNDEFINED : Interpretation::DEFINED);
      if (fragile) {
        EXPECT_THAT(result.reason(), testing::HasSubstr("magnitude"));
        EXPECT_EQ(result.place(), "for i");
      }
    }
  }
}

TEST(Fragile, WholeReductionsCount) {
  // Sum of +c, -c, +c, ...: small at every step, large in another order.
  for (int64_t c : {1 << 20, 1 << 24}) {
    Program p;
    const uint32_t out = p.Param("B", I32, {1});
    const uint32_t i = p.Var("i");
    Expr sign = b::Select(b::Binary(EQ, b::Binary(FLOOR_MOD, p.V(i), C(2)), C(0)), C(c), C(-c));
    p.Range(0, 0, 1);
    p.Add(b::Store(out, C(0), {C(0)}));
    p.Add(b::For(i, C(0), C(1024), SERIAL,
                 {b::Store(out, b::Binary(ADD, p.L(out, {C(0)}), sign), {C(0)})}));
    const Interpretation result = p.Run();
    EXPECT_DEFINED(result);
    EXPECT_EQ(Element(result, 0, 0), 0);
    EXPECT_EQ(Judged(result, 0, 0) == kJudged, c == 1 << 20);
  }
}

TEST(Fragile, UnsignedBelowZeroAndBeyondTheTop) {
  {
    OneValue v(5, U32);
    const Interpretation result = v.Run(b::Binary(SUB, v.A(), b::Int(U32, 5)));
    EXPECT_EQ(Judged(result, 1, 0), kJudged);
  }
  {
    OneValue v(5, U32);
    const Interpretation result = v.Run(b::Binary(SUB, v.A(), b::Int(U32, 6)));
    EXPECT_DEFINED(result);
    EXPECT_EQ(Element(result, 1, 0), 4294967295.0);
    EXPECT_NE(Judged(result, 1, 0), kJudged);
  }
  {
    OneValue v(5, U8);
    const Interpretation result = v.Run(b::Binary(ADD, v.A(), b::Int(U8, 250)));
    EXPECT_EQ(Judged(result, 1, 0), kJudged);
  }
  {
    OneValue v(5, U8);
    const Interpretation result = v.Run(b::Binary(ADD, v.A(), b::Int(U8, 251)));
    EXPECT_EQ(Element(result, 1, 0), 0);
    EXPECT_NE(Judged(result, 1, 0), kJudged);
  }
}

TEST(Fragile, NarrowingCasts) {
  for (int64_t value : {127, 128}) {
    Program p;
    const uint32_t a = p.Param("A", I32, {1});
    const uint32_t out = p.Param("B", I8, {1});
    p.Range(0, value, value);
    p.Add(b::Store(out, b::Cast(I8, p.L(a, {C(0)})), {C(0)}));
    const Interpretation result = p.Run();
    EXPECT_DEFINED(result);
    EXPECT_EQ(Element(result, 1, 0), value == 127 ? 127 : -128);
    EXPECT_EQ(Judged(result, 1, 0) == kJudged, value == 127);
  }
}

TEST(Fragile, PassesThroughMemoryAndEveryDependentOperation) {
  OneValue v(2'000'000'000);
  const uint32_t tmp = v.p.Buffer("T", I32, {1});
  Expr less = b::Binary(LT, v.A(), C(-2'000'000'000));
  v.p.Add(b::Alloc(tmp));
  v.p.Add(b::Store(tmp, b::Cast(I32, less), {C(0)}));
  Expr x = b::Binary(MAX, b::Binary(MUL, v.p.L(tmp, {C(0)}), C(3)), C(-7));
  const Interpretation result = v.Run(b::Binary(FLOOR_DIV, x, C(2)));
  EXPECT_DEFINED(result);
  EXPECT_NE(Judged(result, 1, 0), kJudged);
}

TEST(Fragile, AResultKeepsItsValueForJudging) {
  // In a pass's result a branch on a fragile condition is taken as the machine takes it, and only
  // what depends on it is doubtful.
  Program p;
  const uint32_t a = p.Param("A", I32, {1});
  const uint32_t out = p.Param("B", I32, {3});
  p.Range(0, 2'000'000'000, 2'000'000'000);
  p.Range(1, 9, 9);
  Expr less = b::Binary(LT, p.L(a, {C(0)}), C(-2'000'000'000));
  p.Add(b::If(less, {b::Store(out, C(1), {C(0)})}, {b::Store(out, C(2), {C(1)})}));
  const Interpretation result = p.RunAsResult();
  EXPECT_DEFINED(result);
  EXPECT_EQ(Element(result, 1, 0), 9);
  EXPECT_EQ(Element(result, 1, 1), 2);
  EXPECT_EQ(Judged(result, 1, 0), kJudgedAsResult) << "the other arm writes it";
  EXPECT_EQ(Judged(result, 1, 1), kJudgedAsResult);
  EXPECT_EQ(Judged(result, 1, 2), kJudged);
}

TEST(Fragile, MagnitudesOfDivisionsAndMinMax) {
  // Half of [-big, big] four times over.
  for (int64_t big : {1'000'000'000, 1'100'000'000}) {
    OneValue v(7);
    Expr half = b::Binary(FLOOR_DIV, b::Binary(ADD, v.A(), C(big)), C(2));
    Expr rest = b::Binary(SUB, half, C(big / 2));
    Expr sum = rest;
    for (int k = 0; k < 3; ++k) sum = b::Binary(ADD, sum, rest);
    const Interpretation result = v.Run(std::move(sum));
    EXPECT_DEFINED(result);
    EXPECT_EQ(Element(result, 1, 0), 12);
    EXPECT_EQ(Judged(result, 1, 0) == kJudged, big == 1'000'000'000);
  }
  OneValue v(7);
  // max(a, INT_MIN) - 1: compilers may move the 1 into the max.
  const Interpretation result = v.Run(b::Binary(SUB, b::Binary(MAX, v.A(), C(INT32_MIN)), C(1)));
  EXPECT_EQ(Element(result, 1, 0), 6);
  EXPECT_NE(Judged(result, 1, 0), kJudged);
}

}  // namespace
}  // namespace irate
