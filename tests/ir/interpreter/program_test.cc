// Whole programs: loops, blocks, views, calls.
#include "ir/compare.h"
#include "tests/ir/interpreter/fixture.h"

namespace irate {
namespace {

// B[i] = A[i] + 1, over `kind` loops.
TEST(Programs, ElementwiseInEveryLoopKind) {
  for (LoopKind kind : {SERIAL, PARALLEL, VECTORIZED, UNROLLED}) {
    Program p;
    const uint32_t a = p.Param("A", I32, {16});
    const uint32_t out = p.Param("B", I32, {16});
    const uint32_t i = p.Var("i");
    p.Add(b::For(i, C(0), C(16), kind,
                 {b::Store(out, b::Binary(ADD, p.L(a, {p.V(i)}), C(1)), {p.V(i)})}));
    const Interpretation result = p.Run();
    EXPECT_DEFINED(result);
    for (size_t k = 0; k < 16; ++k) {
      EXPECT_EQ(Element(result, 1, k), Element(result, 0, k) + 1);
      EXPECT_EQ(Judged(result, 1, k), kJudged);
    }
  }
}

TEST(Programs, MatmulOfSmallIntegersIsExact) {
  Program p;
  const uint32_t a = p.Param("A", F32, {4, 8});
  const uint32_t w = p.Param("B", F32, {8, 4});
  const uint32_t out = p.Param("C", F32, {4, 4});
  const uint32_t i = p.Var("i");
  const uint32_t j = p.Var("j");
  const uint32_t k = p.Var("k");
  const auto here = [&] { return std::vector<Expr>{p.V(i), p.V(j)}; };
  Expr product = b::Binary(MUL, p.L(a, {p.V(i), p.V(k)}), p.L(w, {p.V(k), p.V(j)}));
  Expr sum = b::Binary(ADD, p.L(out, here()), product);
  p.Add(b::For(i, C(0), C(4), PARALLEL,
               {b::For(j, C(0), C(4), SERIAL,
                       {b::Store(out, F(0), here()),
                        b::For(k, C(0), C(8), SERIAL, {b::Store(out, sum, here())})})}));
  const Interpretation result = p.Run();
  EXPECT_DEFINED(result);
  EXPECT_TRUE(result.outputs(2).bounds().empty());
  for (size_t r = 0; r < 4; ++r) {
    for (size_t c = 0; c < 4; ++c) {
      double expected = 0;
      for (size_t x = 0; x < 8; ++x) {
        expected += Element(result, 0, r * 8 + x) * Element(result, 1, x * 4 + c);
      }
      EXPECT_EQ(Element(result, 2, r * 4 + c), expected);
    }
  }
}

}  // namespace
}  // namespace irate
