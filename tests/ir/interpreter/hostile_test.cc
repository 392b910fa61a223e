// Programs that want to crash or to never end.
#include <chrono>

#include "tests/ir/interpreter/fixture.h"

namespace irate {
namespace {

using std::chrono::steady_clock;

TEST(Hostile, EndlessLoops) {
  InterpretOptions options;
  options.fuel = 100'000;
  {
    Program p;
    p.Param("B", I32, {1});
    const uint32_t i = p.Var("i", I64);
    p.Add(b::For(i, b::Int(I64, 0), b::Int(I64, INT64_MAX), SERIAL, {}));
    const Interpretation result = p.Run(options);
    EXPECT_EQ(result.status(), Interpretation::OUT_OF_FUEL);
    EXPECT_GT(result.steps(), options.fuel);
  }
  {
    Program p;
    p.Param("B", I32, {1});
    p.Add(b::While(b::BoolConst(true), {}));
    EXPECT_EQ(p.Run(options).status(), Interpretation::OUT_OF_FUEL);
  }
  {
    Program p;
    p.Param("B", I32, {1});
    const uint32_t i = p.Var("i", U64);
    Expr huge = b::Int(U64, -1);
    p.Add(b::For(i, b::Int(U64, 0), huge, SERIAL, {}));
    EXPECT_EQ(p.Run(options).status(), Interpretation::OUT_OF_FUEL);
  }
}

TEST(Hostile, NegativeExtentsRunNoIteration) {
  Program p;
  const uint32_t out = p.Param("B", I32, {1});
  p.Range(0, 5, 5);
  const uint32_t i = p.Var("i");
  p.Add(b::For(i, C(0), C(-3), SERIAL, {b::Store(out, C(0), {C(0)})}));
  p.Add(b::For(i, C(0), C(0), PARALLEL, {b::Store(out, C(0), {C(0)})}));
  const Interpretation result = p.Run();
  EXPECT_DEFINED(result);
  EXPECT_EQ(Element(result, 0, 0), 5);
}

TEST(Hostile, HugeAllocations) {
  for (std::vector<int64_t> shape :
       std::vector<std::vector<int64_t>>{{INT32_MAX},
                                         {INT32_MAX, INT32_MAX, INT32_MAX},
                                         {INT32_MAX, INT32_MAX, INT32_MAX, 0},
                                         {0, INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX}}) {
    Program p;
    p.Param("B", I32, {1});
    const uint32_t tmp = p.Buffer("T", F64, shape);
    p.Add(b::Alloc(tmp));
    const bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
    EXPECT_EQ(p.Run().status(), empty ? Interpretation::DEFINED : Interpretation::OUT_OF_FUEL);
  }
  Program p;
  p.Param("B", I32, {1});
  const uint32_t tmp = p.Buffer("T", F64, {-1});
  p.Add(b::Alloc(tmp));
  EXPECT_UNDEFINED(p.Run(), "negative extent");
}

TEST(Hostile, AllocationsInALoopEndWithTheirScope) {
  Program p;
  p.Param("B", I32, {1});
  const uint32_t tmp = p.Buffer("T", F64, {100'000});
  const uint32_t i = p.Var("i");
  p.Add(b::For(i, C(0), C(3'000), SERIAL, {b::Alloc(tmp)}));
  EXPECT_DEFINED(p.Run());
}

TEST(Hostile, RecursionEnds) {
  Program p;
  p.Param("B", I32, {1});
  Function* f = p.module().add_functions();
  f->set_name("f");
  f->set_is_private(true);
  *f->add_body() = b::Evaluate(b::Call("@f", VOID, {}));
  p.Add(b::Evaluate(b::Call("@f", VOID, {})));
  const Interpretation result = p.Run();
  EXPECT_EQ(result.status(), Interpretation::OUT_OF_FUEL);
  EXPECT_THAT(result.reason(), testing::HasSubstr("calls nested too deeply"));
}

TEST(Hostile, IndicesThatOverflow) {
  Program p;
  const uint32_t out = p.Param("B", I32, {4, 4});
  Expr far = b::Int(I64, INT64_MAX);
  p.Add(b::Store(out, C(1), {far, b::Int(I64, 1)}));
  EXPECT_UNDEFINED(p.Run(), "out of bounds");
  EXPECT_UNDEFINED(p.RunAsResult(), "out of bounds");
}

TEST(Hostile, DeepExpressionsAreRefused) {
  Program p;
  const uint32_t out = p.Param("B", I32, {1});
  Expr x = C(1);
  for (int k = 0; k < 3'000; ++k) {
    Expr next = b::Unary(BIT_NOT, C(0));
    *next.mutable_args(0) = std::move(x);
    x = std::move(next);
  }
  p.Add(b::Store(out, std::move(x), {C(0)}));
  EXPECT_FALSE(Interpret(p.module(), p.inputs()).ok());
}

TEST(Hostile, MalformedModulesAreRefused) {
  const auto refused = [](const std::function<void(Program&)>& make) {
    Program p;
    p.Param("B", I32, {4});
    make(p);
    const absl::Status status = Interpret(p.module(), p.inputs()).status();
    EXPECT_FALSE(status.ok());
    return !status.ok();
  };
  const auto store = [](Expr value) {
    return [value](Program& p) { p.Add(b::Store(0, value, {C(0)})); };
  };
  Expr sum;
  sum.set_op(ADD);
  sum.set_type(I32);
  EXPECT_TRUE(refused(store(sum))) << "no operands";
  *sum.add_args() = C(1);
  *sum.add_args() = F(1);
  EXPECT_TRUE(refused(store(sum))) << "two types";
  Expr variable;
  variable.set_op(VAR);
  variable.set_type(I32);
  variable.set_id(99);
  EXPECT_TRUE(refused(store(variable)));
  Expr load;
  load.set_op(LOAD);
  load.set_type(I32);
  load.set_id(99);
  EXPECT_TRUE(refused(store(load)));
  load.set_id(0);
  EXPECT_TRUE(refused(store(load))) << "no index";
  Expr wide = C(1);
  wide.set_lanes(1'000'000'000);
  EXPECT_TRUE(refused(store(wide)));
  Expr broadcast;
  broadcast.set_op(BROADCAST);
  broadcast.set_type(I32);
  broadcast.set_lanes(UINT32_MAX);
  *broadcast.add_args() = C(1);
  EXPECT_TRUE(refused(store(broadcast)));
  Expr shuffle;
  shuffle.set_op(SHUFFLE);
  shuffle.set_type(I32);
  *shuffle.add_args() = C(1);
  shuffle.add_int_list(-1);
  EXPECT_TRUE(refused(store(shuffle)));
  EXPECT_TRUE(refused(store(b::Call("@nobody", I32, {}))));
  EXPECT_TRUE(refused([](Program& p) { p.function()->add_params()->set_id(12); }));
  EXPECT_TRUE(refused([](Program& p) {
    Stmt stmt;
    stmt.set_kind(BREAK);
    p.Add(stmt);
  }));
  EXPECT_TRUE(refused([](Program& p) {
    Stmt stmt;
    stmt.set_kind(FOR);
    p.Add(stmt);
  }));
  Module empty;
  EXPECT_FALSE(Interpret(empty, Inputs()).ok());
}

TEST(Hostile, ArgumentsThatDoNotFitTheMemoryLimit) {
  Program p;
  p.Param("B", F64, {1'000});
  InterpretOptions options;
  options.memory = 1'000;
  const Interpretation result = p.Run(options);
  EXPECT_EQ(result.status(), Interpretation::OUT_OF_FUEL);
  EXPECT_THAT(result.reason(), testing::HasSubstr("parameter 0 (B) exceeds the memory limit"));
}

TEST(Hostile, UnsupportedOnlyWhereItIsReached) {
  for (bool reached : {true, false}) {
    Program p;
    p.Param("B", I32, {1});
    p.Add(b::If(b::BoolConst(reached), {b::Evaluate(b::Call("frobnicate", I32, {C(1)}))}));
    const Interpretation result = p.Run();
    EXPECT_EQ(result.status(), reached ? Interpretation::UNSUPPORTED : Interpretation::DEFINED);
    if (reached) {
      EXPECT_EQ(result.reason(), "unsupported: the intrinsic frobnicate");
    }
  }
}

}  // namespace
}  // namespace irate
