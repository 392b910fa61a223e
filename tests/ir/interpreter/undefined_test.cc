// What is undefined in a source program, each rule on both sides of its line, with the place.
#include "tests/ir/interpreter/fixture.h"

namespace irate {
namespace {

using testing::HasSubstr;

// B[i] = value(i) for i in [0, extent).
struct Elementwise {
  Program p;
  uint32_t out;
  uint32_t i;
  explicit Elementwise(ScalarType type = I32, int64_t extent = 4)
      : out(p.Param("B", type, {extent})), i(p.Var("i")) {}
  Interpretation Run(Expr value, InterpretOptions options = {}) {
    p.Add(b::For(i, C(0), C(4), SERIAL, {b::Store(out, std::move(value), {p.V(i)})}));
    return p.Run(options);
  }
};

InterpretOptions AsResult() {
  InterpretOptions options;
  options.mode = InterpretOptions::Mode::kPassResult;
  return options;
}

TEST(Undefined, StoreOutOfBounds) {
  for (int64_t extent : {4, 3}) {
    Elementwise e(I32, extent);
    const Interpretation result = e.Run(C(1));
    if (extent == 4) {
      EXPECT_DEFINED(result);
    } else {
      EXPECT_UNDEFINED(result, "out of bounds: B[3] of shape [3]");
      EXPECT_EQ(result.place(), "for i = 3: store B[3]");
    }
  }
}

TEST(Undefined, LoadOutOfBoundsOfOneDimensionOnly) {
  // A[0, 4] of 2 x 4 lies in memory, but not in the buffer: undefined for a source program, only a
  // matter of memory for a pass's result.
  for (bool source : {true, false}) {
    Program p;
    const uint32_t a = p.Param("A", I32, {2, 4});
    const uint32_t out = p.Param("B", I32, {1});
    p.Add(b::Store(out, p.L(a, {C(0), C(4)}), {C(0)}));
    const Interpretation result = source ? p.Run() : p.RunAsResult();
    if (source) {
      EXPECT_UNDEFINED(result, "A[0, 4] of shape [2, 4]");
      EXPECT_EQ(result.place(), "store B[0]");
    } else {
      EXPECT_DEFINED(result);
      EXPECT_EQ(Element(result, 1, 0), Element(result, 0, 4));
    }
  }
  Program p;
  const uint32_t a = p.Param("A", I32, {2, 4});
  const uint32_t out = p.Param("B", I32, {1});
  p.Add(b::Store(out, p.L(a, {C(2), C(0)}), {C(0)}));
  EXPECT_UNDEFINED(p.RunAsResult(), "out of bounds: A[2, 0]");
}

TEST(Undefined, NegativeIndex) {
  Program p;
  const uint32_t a = p.Param("A", I32, {4});
  const uint32_t out = p.Param("B", I32, {1});
  p.Add(b::Store(out, p.L(a, {C(-1)}), {C(0)}));
  EXPECT_UNDEFINED(p.Run(), "A[-1]");
}

TEST(Undefined, DivisionByZero) {
  for (Op op : {TRUNC_DIV, TRUNC_MOD, FLOOR_DIV, FLOOR_MOD}) {
    for (int64_t shift : {0, 1}) {
      for (bool source : {true, false}) {
        Elementwise e;
        Expr divisor = b::Binary(ADD, e.p.V(e.i), C(shift));
        const Interpretation result =
            e.Run(b::Binary(op, C(7), divisor), source ? InterpretOptions() : AsResult());
        if (shift == 1) {
          EXPECT_DEFINED(result);
        } else {
          EXPECT_UNDEFINED(result, "division by zero");
          EXPECT_EQ(result.place(), "for i = 0: store B[0]");
        }
      }
    }
  }
}

TEST(Undefined, SmallestByMinusOne) {
  for (int64_t divisor : {-1, -2}) {
    Program p;
    const uint32_t out = p.Param("B", I32, {1});
    p.Add(b::Store(out, b::Binary(TRUNC_DIV, C(INT32_MIN), C(divisor)), {C(0)}));
    const Interpretation result = p.Run();
    if (divisor == -1) {
      EXPECT_UNDEFINED(result, "smallest integer by -1");
    } else {
      EXPECT_DEFINED(result);
    }
  }
}

TEST(Undefined, ShiftOutOfRange) {
  for (int64_t amount : {31, 32, -1}) {
    for (bool source : {true, false}) {
      Program p;
      const uint32_t out = p.Param("B", I32, {1});
      p.Add(b::Store(out, b::Binary(SHR, C(5), C(amount)), {C(0)}));
      const Interpretation result = source ? p.Run() : p.RunAsResult();
      if (amount == 31) {
        EXPECT_DEFINED(result);
      } else {
        EXPECT_UNDEFINED(result, source ? "shift amount" : "element 0 of output B");
      }
    }
  }
}

TEST(Undefined, SignedOverflowOnlyFrom32Bits) {
  for (ScalarType type : {I8, I16, I32, I64}) {
    Elementwise e(type);
    Expr big = b::Int(type, MaxValue(type));
    const Interpretation result = e.Run(b::Binary(ADD, big, b::Cast(type, e.p.V(e.i))));
    if (type == I8 || type == I16) {
      EXPECT_DEFINED(result);
      EXPECT_EQ(Element(result, 0, 1), static_cast<double>(MinValue(type)));
      EXPECT_NE(Judged(result, 0, 1), kJudged) << "a wrapped value is not judged";
    } else {
      EXPECT_UNDEFINED(result, "signed overflow");
      EXPECT_EQ(result.place(), "for i = 1: store B[1]");
    }
  }
}

TEST(Undefined, OverflowWrapsInAPassResult) {
  Elementwise e;
  const Interpretation result = e.Run(b::Binary(ADD, C(INT32_MAX), e.p.V(e.i)), AsResult());
  EXPECT_DEFINED(result);
  EXPECT_EQ(Element(result, 0, 1), INT32_MIN);
  EXPECT_EQ(Judged(result, 0, 1), kJudgedAsResult);
}

TEST(Undefined, ReadOfMemoryNeverWritten) {
  for (bool written : {true, false}) {
    Program p;
    const uint32_t out = p.Param("B", I32, {1});
    const uint32_t tmp = p.Buffer("T", I32, {2});
    p.Add(b::Alloc(tmp));
    if (written) p.Add(b::Store(tmp, C(3), {C(1)}));
    p.Add(b::Store(out, p.L(tmp, {C(1)}), {C(0)}));
    const Interpretation source = p.Run();
    const Interpretation as_result = p.RunAsResult();
    if (written) {
      EXPECT_DEFINED(source);
      EXPECT_DEFINED(as_result);
    } else {
      EXPECT_UNDEFINED(source, "never written: T[1]");
      EXPECT_UNDEFINED(as_result, "element 0 of output B");
    }
  }
}

TEST(Undefined, PoisonMattersOnlyWhereItDecides) {
  const auto make = [](Program* p, uint32_t* out, uint32_t* tmp) {
    *out = p->Param("B", I32, {4});
    *tmp = p->Buffer("T", I32, {2});
    p->Add(b::Alloc(*tmp));
  };
  uint32_t out, tmp;
  {
    Program p;  // computed, not used
    make(&p, &out, &tmp);
    const uint32_t x = p.Var("x");
    p.Add(b::Bind(x, b::Binary(ADD, p.L(tmp, {C(0)}), C(1))));
    EXPECT_DEFINED(p.RunAsResult());
  }
  {
    Program p;  // not chosen
    make(&p, &out, &tmp);
    p.Add(b::Store(out, b::Select(b::BoolConst(true), C(1), p.L(tmp, {C(0)})), {C(0)}));
    EXPECT_DEFINED(p.RunAsResult());
  }
  {
    Program p;  // an address
    make(&p, &out, &tmp);
    p.Add(b::Store(out, C(1), {p.L(tmp, {C(0)})}));
    EXPECT_UNDEFINED(p.RunAsResult(), "address");
  }
  {
    Program p;  // a branch
    make(&p, &out, &tmp);
    p.Add(b::If(b::Binary(LT, p.L(tmp, {C(0)}), C(3)), {b::Store(out, C(1), {C(0)})}));
    EXPECT_UNDEFINED(p.RunAsResult(), "branch");
  }
}

TEST(Undefined, FloatToIntegerOutOfRange) {
  for (double value : {127.5, 128.0, -128.5, -129.0, 1e30}) {
    for (bool source : {true, false}) {
      Program p;
      const uint32_t out = p.Param("B", I8, {1});
      p.Add(b::Store(out, b::Cast(I8, F(value)), {C(0)}));
      const Interpretation result = source ? p.Run() : p.RunAsResult();
      if (value == 127.5 || value == -128.5) {
        EXPECT_DEFINED(result);
        EXPECT_EQ(Element(result, 0, 0), std::trunc(value));
      } else {
        EXPECT_UNDEFINED(result, source ? "out of the range" : "output B");
      }
    }
  }
}

TEST(Undefined, AssertAndAssume) {
  for (bool holds : {true, false}) {
    for (bool source : {true, false}) {
      Program p;
      p.Param("B", I32, {1});
      Stmt assertion;
      assertion.set_kind(ASSERT);
      assertion.set_name("ValueError");
      assertion.add_strings("B is ");
      assertion.add_strings("wrong");
      *assertion.add_args() = b::BoolConst(holds);
      p.Add(assertion);
      const Interpretation result = source ? p.Run() : p.RunAsResult();
      if (holds) {
        EXPECT_DEFINED(result);
      } else {
        EXPECT_UNDEFINED(result, "assertion failed: ValueError: B is wrong");
        EXPECT_EQ(result.place(), "assert");
      }
    }
    Program p;
    p.Param("B", I32, {1});
    p.Add(b::Evaluate(b::Call("assume", BOOL, {b::BoolConst(holds)})));
    EXPECT_EQ(p.Run().status(), holds ? Interpretation::DEFINED : Interpretation::UNDEFINED);
  }
}

TEST(Undefined, CountLeadingZerosOfZero) {
  for (int64_t value : {1, 0}) {
    Program p;
    const uint32_t out = p.Param("B", I32, {1});
    p.Add(b::Store(out, b::Call("clz", I32, {C(value)}), {C(0)}));
    const Interpretation result = p.Run();
    if (value == 1) {
      EXPECT_DEFINED(result);
      EXPECT_EQ(Element(result, 0, 0), 31);
    } else {
      EXPECT_UNDEFINED(result, "clz of zero");
    }
  }
}

TEST(Undefined, NotEvaluatedIsNotUndefined) {
  // if_then_else evaluates the chosen arm only, SELECT both.
  for (bool lazy : {true, false}) {
    Program p;
    const uint32_t a = p.Param("A", I32, {4});
    const uint32_t out = p.Param("B", I32, {1});
    Expr bad = p.L(a, {C(4)});
    p.Add(b::Store(out,
                   lazy ? b::IfThenElse(b::BoolConst(false), bad, C(1))
                        : b::Select(b::BoolConst(false), bad, C(1)),
                   {C(0)}));
    const Interpretation result = p.Run();
    if (lazy) {
      EXPECT_DEFINED(result);
    } else {
      EXPECT_UNDEFINED(result, "A[4]");
    }
  }
}

TEST(Undefined, BlockIteratorOutsideOfItsDomain) {
  for (int64_t extent : {4, 3}) {
    Program p;
    const uint32_t out = p.Param("B", I32, {4});
    const uint32_t i = p.Var("i");
    const uint32_t vi = p.Var("vi");
    Stmt block;
    block.set_kind(BLOCK);
    block.mutable_block()->set_name("s");
    BlockIter* iter = block.mutable_block()->add_iters();
    iter->set_variable(vi);
    *iter->mutable_domain()->mutable_min() = C(0);
    *iter->mutable_domain()->mutable_extent() = C(extent);
    *iter->mutable_binding() = p.V(i);
    *block.add_body() = b::Store(out, C(1), {p.V(vi)});
    p.Add(b::For(i, C(0), C(4), SERIAL, {block}));
    const Interpretation result = p.Run();
    if (extent == 4) {
      EXPECT_DEFINED(result);
    } else {
      EXPECT_UNDEFINED(result, "block iterator 0 is 3");
      EXPECT_EQ(result.place(), "for i = 3, block s(vi = 3)");
    }
  }
}

TEST(Undefined, StepMustBePositive) {
  for (int64_t step : {2, 0, -1}) {
    Program p;
    const uint32_t out = p.Param("B", I32, {8});
    const uint32_t i = p.Var("i");
    Stmt loop = b::For(i, C(1), C(5), SERIAL, {b::Store(out, C(100), {p.V(i)})});
    *loop.add_args() = C(step);
    p.Add(loop);
    const Interpretation result = p.Run();
    if (step <= 0) {
      EXPECT_UNDEFINED(result, "step");
      continue;
    }
    EXPECT_DEFINED(result);  // 1, 3, 5: i < min + extent
    for (size_t k = 0; k < 8; ++k) EXPECT_EQ(Element(result, 0, k) == 100, k % 2 == 1 && k < 6);
  }
}

TEST(Undefined, EndOfALoopOverflows) {
  for (int64_t extent : {7, 8}) {
    Program p;
    p.Param("B", I32, {1});
    const uint32_t i = p.Var("i");
    p.Add(b::For(i, C(INT32_MAX - 7), C(extent), SERIAL, {b::Evaluate(p.V(i))}));
    const Interpretation result = p.Run();
    if (extent == 7) {
      EXPECT_DEFINED(result);
    } else {
      EXPECT_UNDEFINED(result, "overflow");
    }
  }
}

// A pass may drop or rename the definition of a variable and leave its uses.
TEST(Undefined, PassResultUsesVariableWithoutDefinition) {
  for (bool defined : {true, false}) {
    Program p;
    const uint32_t out = p.Param("B", I32, {1});
    const uint32_t v = p.Var("v");
    if (defined) p.Add(b::Bind(v, C(0)));
    p.Add(b::Store(out, p.V(v), {C(0)}));
    const Interpretation result = p.RunAsResult();
    if (defined) {
      EXPECT_DEFINED(result);
    } else {
      EXPECT_UNDEFINED(result, "an uninitialised value decides");
    }
  }
}

}  // namespace
}  // namespace irate
