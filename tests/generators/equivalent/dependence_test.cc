// Which loops may change places.
#include "generators/equivalent/dependence.h"

#include "gtest/gtest.h"
#include "ir/builder.h"

namespace irate {
namespace {

using namespace build;

// for i in 8: for j in 8: a[first] = a[second] + b[j, i], a of two dimensions.
class Nest {
 public:
  Nest() {
    function_.set_name("main");
    a_ = AddBuffer(&function_, "a", I32, {I32Const(64), I32Const(64)});
    b_ = AddBuffer(&function_, "b", I32, {I32Const(64), I32Const(64)});
    AddBufferParam(&function_, a_);
    AddBufferParam(&function_, b_);
    i_ = AddVariable(&function_, "i", I32);
    j_ = AddVariable(&function_, "j", I32);
  }

  Expr i() const { return Var(function_, i_); }
  Expr j() const { return Var(function_, j_); }
  Function* function() { return &function_; }

  bool MayInterchange(std::vector<Expr> write, std::vector<Expr> read,
                      std::vector<Stmt> before = {}) {
    before.push_back(
        Store(a_, Binary(ADD, Load(function_, a_, read), Load(function_, b_, {j(), i()})), write));
    *function_.add_body() = For(i_, I32Const(0), I32Const(8), SERIAL,
                                {For(j_, I32Const(0), I32Const(8), SERIAL, std::move(before))});
    return equivalent::MayInterchange(function_, function_.body(0));
  }

 private:
  Function function_;
  uint32_t a_ = 0;
  uint32_t b_ = 0;
  uint32_t i_ = 0;
  uint32_t j_ = 0;
};

Expr Plus(Expr a, int64_t b) { return Binary(ADD, std::move(a), I32Const(b)); }
Expr Times(Expr a, int64_t b) { return Binary(MUL, std::move(a), I32Const(b)); }

TEST(DependenceTest, IndependentElements) {
  Nest nest;
  EXPECT_TRUE(nest.MayInterchange({nest.i(), nest.j()}, {nest.i(), nest.j()}));
}

TEST(DependenceTest, ASumOverOneOfTheLoops) {
  Nest nest;
  EXPECT_TRUE(nest.MayInterchange({nest.i(), I32Const(0)}, {nest.i(), I32Const(0)}));
}

TEST(DependenceTest, ARecurrenceAlongOneLoop) {
  Nest nest;
  EXPECT_TRUE(nest.MayInterchange({nest.i(), Plus(nest.j(), 1)}, {nest.i(), nest.j()}));
}

TEST(DependenceTest, ARecurrenceAcrossBothLoops) {
  // (i, j) needs (i - 1, j + 1): legal as it is, not after an exchange.
  Nest nest;
  EXPECT_FALSE(nest.MayInterchange({Plus(nest.i(), 1), nest.j()}, {nest.i(), Plus(nest.j(), 1)}));
}

TEST(DependenceTest, AllIterationsInOneElement) {
  Nest nest;
  EXPECT_FALSE(nest.MayInterchange({I32Const(0), I32Const(0)}, {I32Const(0), I32Const(0)}));
}

TEST(DependenceTest, IndicesThatAreNotInjective) {
  Nest sum;
  EXPECT_FALSE(sum.MayInterchange({Binary(ADD, sum.i(), sum.j()), I32Const(0)},
                                  {Binary(ADD, sum.i(), sum.j()), I32Const(0)}));
  Nest zero;
  EXPECT_FALSE(
      zero.MayInterchange({Times(zero.i(), 0), I32Const(0)}, {Times(zero.i(), 0), I32Const(0)}));
  Nest half;
  const Expr halved = Binary(FLOOR_DIV, half.i(), I32Const(2));
  EXPECT_FALSE(half.MayInterchange({halved, I32Const(0)}, {halved, I32Const(0)}));
  Nest scaled;
  EXPECT_TRUE(scaled.MayInterchange({Times(scaled.i(), 3), I32Const(0)},
                                    {Times(scaled.i(), 3), I32Const(0)}));
}

TEST(DependenceTest, NamesAreSeenThrough) {
  Nest nest;
  const uint32_t k = AddVariable(nest.function(), "k", I32);
  const Expr name = Var(*nest.function(), k);
  EXPECT_TRUE(
      nest.MayInterchange({name, I32Const(0)}, {name, I32Const(0)}, {Bind(k, Plus(nest.i(), 2))}));
  Nest hidden;
  const uint32_t h = AddVariable(hidden.function(), "h", I32);
  const Expr loaded = Var(*hidden.function(), h);
  EXPECT_FALSE(
      hidden.MayInterchange({loaded, I32Const(0)}, {loaded, I32Const(0)},
                            {Bind(h, Load(*hidden.function(), 1, {hidden.j(), hidden.i()}))}));
}

TEST(DependenceTest, ViewsAndChecksForbidIt) {
  Nest view;
  const uint32_t v = AddBuffer(view.function(), "v", I32, {I32Const(8)});
  Stmt declare;
  declare.set_kind(DECL_BUFFER);
  declare.set_id(v);
  Expr data;
  data.set_op(BUFFER_DATA);
  data.set_type(HANDLE);
  *declare.add_args() = data;
  EXPECT_FALSE(view.MayInterchange({view.i(), view.j()}, {view.i(), view.j()}, {declare}));
  Nest check;
  Stmt assertion;
  assertion.set_kind(ASSERT);
  *assertion.add_args() = BoolConst(true);
  EXPECT_FALSE(check.MayInterchange({check.i(), check.j()}, {check.i(), check.j()}, {assertion}));
}

}  // namespace
}  // namespace irate
