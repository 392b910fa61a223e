// Whole programs: loops, blocks, views, calls.
#include <cmath>

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

// A block over (vi spatial, vk reduction) that sums rows, with init.
Stmt SumBlock(Program& p, uint32_t a, uint32_t out, Expr i, Expr k, int64_t rows, int64_t columns) {
  const uint32_t vi = p.Var("vi");
  const uint32_t vk = p.Var("vk");
  Stmt stmt;
  stmt.set_kind(BLOCK);
  Block* block = stmt.mutable_block();
  block->set_name("sum");
  const auto add_iter = [block](uint32_t variable, IterKind kind, int64_t extent, Expr binding) {
    BlockIter* iter = block->add_iters();
    iter->set_variable(variable);
    iter->set_kind(kind);
    *iter->mutable_domain()->mutable_min() = C(0);
    *iter->mutable_domain()->mutable_extent() = C(extent);
    *iter->mutable_binding() = std::move(binding);
  };
  add_iter(vi, SPATIAL, rows, std::move(i));
  add_iter(vk, REDUCTION, columns, std::move(k));
  *block->add_init() = b::Store(out, C(0), {p.V(vi)});
  *stmt.add_body() =
      b::Store(out, b::Binary(ADD, p.L(out, {p.V(vi)}), p.L(a, {p.V(vi), p.V(vk)})), {p.V(vi)});
  return stmt;
}

TEST(Programs, BlockWithInitAndReduction) {
  Program p;
  const uint32_t a = p.Param("A", I32, {3, 4});
  const uint32_t out = p.Param("B", I32, {3});
  const uint32_t i = p.Var("i");
  const uint32_t k = p.Var("k");
  // Reduction iterators in reverse: init is where vk is 0, not in the first iteration.
  Stmt block = SumBlock(p, a, out, p.V(i), b::Binary(SUB, C(3), p.V(k)), 3, 4);
  p.Add(b::For(i, C(0), C(3), PARALLEL, {b::For(k, C(0), C(4), SERIAL, {block})}));
  const Interpretation result = p.Run();
  EXPECT_DEFINED(result);
  for (size_t r = 0; r < 3; ++r) EXPECT_EQ(Element(result, 1, r), Element(result, 0, r * 4));
}

TEST(Programs, BlockPredicateGuardsBindingsToo) {
  Program p;
  const uint32_t a = p.Param("A", I32, {3, 4});
  const uint32_t out = p.Param("B", I32, {3});
  const uint32_t i = p.Var("i");
  const uint32_t k = p.Var("k");
  Stmt block = SumBlock(p, a, out, p.V(i), p.V(k), 3, 4);
  *block.mutable_block()->mutable_predicate() =
      b::Binary(AND, b::Binary(LT, p.V(i), C(3)), b::Binary(LT, p.V(k), C(4)));
  p.Add(b::For(i, C(0), C(4), SERIAL, {b::For(k, C(0), C(8), SERIAL, {block})}));
  const Interpretation result = p.Run();
  EXPECT_DEFINED(result);
  for (size_t r = 0; r < 3; ++r) {
    double sum = 0;
    for (size_t c = 0; c < 4; ++c) sum += Element(result, 0, r * 4 + c);
    EXPECT_EQ(Element(result, 1, r), sum);
  }
}

TEST(Programs, BlockAllocationsAreFresh) {
  Program p;
  const uint32_t out = p.Param("B", I32, {2});
  const uint32_t tmp = p.Buffer("T", I32, {1});
  const uint32_t i = p.Var("i");
  Stmt block;
  block.set_kind(BLOCK);
  block.mutable_block()->add_alloc_buffers(tmp);
  *block.add_body() = b::If(b::Binary(EQ, p.V(i), C(0)), {b::Store(tmp, C(4), {C(0)})});
  *block.add_body() = b::Store(out, p.L(tmp, {C(0)}), {p.V(i)});
  p.Add(b::For(i, C(0), C(2), SERIAL, {block}));
  EXPECT_UNDEFINED(p.Run(), "never written");
}

TEST(Programs, WhileBreakContinue) {
  Program p;
  const uint32_t out = p.Param("B", I32, {8});
  const uint32_t n = p.Buffer("N", I32, {1});
  const auto at = [&] { return p.L(n, {C(0)}); };
  const auto jump = [](StmtKind kind) {
    Stmt stmt;
    stmt.set_kind(kind);
    return stmt;
  };
  p.Range(0, 1, 1);
  p.Add(b::Alloc(n));
  p.Add(b::Store(n, C(-1), {C(0)}));
  p.Add(b::While(b::BoolConst(true),
                 {b::Store(n, b::Binary(ADD, at(), C(1)), {C(0)}),
                  b::If(b::Binary(EQ, at(), C(6)), {jump(BREAK)}),
                  b::If(b::Binary(EQ, b::Binary(FLOOR_MOD, at(), C(2)), C(0)), {jump(CONTINUE)}),
                  b::Store(out, C(5), {at()})}));
  const uint32_t i = p.Var("i");
  p.Add(b::For(i, C(6), C(2), SERIAL,
               {b::If(b::Binary(EQ, p.V(i), C(6)), {jump(CONTINUE)}), b::Store(out, C(7), {p.V(i)}),
                jump(BREAK)}));
  const Interpretation result = p.Run();
  EXPECT_DEFINED(result);
  const double expected[] = {1, 5, 1, 5, 1, 5, 1, 7};
  for (size_t k = 0; k < 8; ++k) EXPECT_EQ(Element(result, 0, k), expected[k]) << k;
}

TEST(Programs, ReturnEndsTheFunction) {
  Program p;
  const uint32_t out = p.Param("B", I32, {2});
  p.Range(0, 1, 1);
  const uint32_t i = p.Var("i");
  Stmt leave;
  leave.set_kind(RETURN);
  p.Add(b::For(i, C(0), C(2), SERIAL, {b::Store(out, C(2), {p.V(i)}), leave}));
  p.Add(b::Store(out, C(3), {C(0)}));
  const Interpretation result = p.Run();
  EXPECT_DEFINED(result);
  EXPECT_EQ(Element(result, 0, 0), 2);
  EXPECT_EQ(Element(result, 0, 1), 1);
}

TEST(Programs, LetAndBind) {
  Program p;
  const uint32_t out = p.Param("B", I32, {1});
  const uint32_t x = p.Var("x");
  const uint32_t y = p.Var("y");
  p.Add(b::Bind(x, C(4)));
  Expr square = b::Binary(MUL, p.V(y), p.V(y));
  p.Add(b::Store(out, b::Let(y, b::Binary(ADD, p.V(x), C(1)), square), {C(0)}));
  const Interpretation result = p.Run();
  EXPECT_EQ(Element(result, 0, 0), 25);
}

TEST(Programs, CallsBetweenFunctions) {
  Program p;
  const uint32_t out = p.Param("B", I32, {4});
  p.Range(0, 1, 1);
  Function* f = p.module().add_functions();
  f->set_name("fill");
  f->set_is_private(true);
  f->set_result(I32);
  const uint32_t buffer = b::AddBuffer(f, "X", I32, {C(2)});
  const uint32_t value = b::AddVariable(f, "v", I32);
  b::AddBufferParam(f, buffer);
  b::AddScalarParam(f, value);
  *f->add_body() = b::Store(buffer, b::Var(*f, value), {C(1)});
  Stmt give;
  give.set_kind(RETURN);
  *give.add_args() = b::Binary(MUL, b::Var(*f, value), C(10));
  *f->add_body() = give;
  Expr pointer = b::Call("address_of", HANDLE, {p.L(out, {C(2)})});
  Expr call = b::Call("@fill", I32, {pointer, C(7)});
  call.clear_lanes();
  p.Add(b::Store(out, call, {C(0)}));
  const Interpretation result = p.Run();
  EXPECT_DEFINED(result);
  const double expected[] = {70, 1, 1, 7};
  for (size_t k = 0; k < 4; ++k) EXPECT_EQ(Element(result, 0, k), expected[k]);
}

TEST(Programs, PlacesInsideOfCalls) {
  Program p;
  const uint32_t out = p.Param("B", I32, {4});
  Function* f = p.module().add_functions();
  f->set_name("bad");
  f->set_is_private(true);
  const uint32_t buffer = b::AddBuffer(f, "X", I32, {C(2)});
  b::AddBufferParam(f, buffer);
  *f->add_body() = b::Store(buffer, C(1), {C(2)});
  const uint32_t i = p.Var("i");
  Expr pointer = b::Call("address_of", HANDLE, {p.L(out, {C(0)})});
  p.Add(b::For(i, C(0), C(2), SERIAL, {b::Evaluate(b::Call("@bad", VOID, {pointer}))}));
  const Interpretation result = p.Run();
  EXPECT_UNDEFINED(result, "X[2] of shape [2]");
  EXPECT_EQ(result.place(), "for i = 0: evaluate @bad, call of bad: store X[2]");
}

TEST(Programs, VectorsShufflesAndReinterpretation) {
  Program p;
  const uint32_t a = p.Param("A", I32, {8});
  const uint32_t out = p.Param("B", I32, {4});
  const uint32_t bytes = p.Param("D", I8, {8});
  Expr low = p.L(a, {b::Ramp(C(0), C(2), 4)});
  Expr shuffle;
  shuffle.set_op(SHUFFLE);
  shuffle.set_type(I32);
  shuffle.set_lanes(4);
  *shuffle.add_args() = low;
  *shuffle.add_args() = b::Broadcast(C(9), 2);
  for (int64_t index : {3, 4, 0, 5}) shuffle.add_int_list(index);
  p.Add(b::Store(out, shuffle, {b::Ramp(C(3), C(-1), 4)}));
  Expr parts = b::Broadcast(C(0x01020304), 2);
  Expr cut;
  cut.set_op(REINTERPRET);
  cut.set_type(I8);
  cut.set_lanes(8);
  *cut.add_args() = parts;
  p.Add(b::Store(bytes, cut, {b::Ramp(C(0), C(1), 8)}));
  const Interpretation result = p.Run();
  EXPECT_DEFINED(result);
  EXPECT_EQ(Element(result, 1, 3), Element(result, 0, 6));
  EXPECT_EQ(Element(result, 1, 2), 9);
  EXPECT_EQ(Element(result, 1, 1), Element(result, 0, 0));
  for (size_t k = 0; k < 8; ++k) EXPECT_EQ(Element(result, 2, k), 4 - static_cast<int>(k % 4));
}

TEST(Programs, SymbolicDimensions) {
  Program p;
  const uint32_t n = p.Var("n");
  const uint32_t a = b::AddBuffer(p.function(), "A", I32, {p.V(n)});
  b::AddBufferParam(p.function(), a);
  const uint32_t i = p.Var("i");
  p.Add(b::For(i, C(0), p.V(n), SERIAL, {b::Store(a, p.V(i), {p.V(i)})}));
  DimValue* dim = p.inputs().add_dims();
  dim->set_variable(n);
  dim->set_value(5);
  const Interpretation result = p.Run();
  EXPECT_DEFINED(result);
  EXPECT_THAT(result.outputs(0).tensor().shape(), testing::ElementsAre(5));
  EXPECT_EQ(Element(result, 0, 4), 4);
}

TEST(Programs, IntegerIntrinsics) {
  Program p;
  const uint32_t out = p.Param("B", I32, {6});
  const auto put = [&](int64_t at, Expr value) { p.Add(b::Store(out, std::move(value), {C(at)})); };
  put(0, b::Call("popcount", I32, {C(-1)}));
  put(1, b::Call("clz", I32, {C(1 << 20)}));
  put(2, b::Call("q_multiply_shift", I32, {C(1000), C(1 << 30), C(31), C(0)}));
  put(3, b::Call("q_multiply_shift", I32, {C(-3), C(1 << 30), C(31), C(0)}));
  put(4, b::Cast(I32, b::Call("likely", BOOL, {b::BoolConst(true)})));
  put(5, b::Call("q_multiply_shift", I32, {C(3), C(1 << 30), C(31), C(3)}));
  const Interpretation result = p.Run();
  EXPECT_DEFINED(result);
  const double expected[] = {32, 11, 500, -1, 1, 12};
  for (size_t k = 0; k < 6; ++k) EXPECT_EQ(Element(result, 0, k), expected[k]) << k;
}

TEST(Programs, FunctionsOfTheLibraryAndOfLlvm) {
  Program p;
  const uint32_t out = p.Param("B", F32, {5});
  const auto put = [&](int64_t at, std::string_view call, std::string_view name,
                       std::vector<Expr> args) {
    args.insert(args.begin(), b::String(name));
    Expr expr = b::Call(call, F32, std::move(args));
    p.Add(b::Store(out, std::move(expr), {C(at)}));
  };
  put(0, "call_llvm_pure_intrin", "llvm.exp", {F(1)});
  put(1, "call_pure_extern", "erff", {F(0.5)});
  put(2, "call_llvm_pure_intrin", "llvm.fmuladd.f32", {F(2), F(3), F(4)});
  put(3, "call_llvm_pure_intrin", "llvm.nearbyint", {F(2.5)});
  put(4, "call_pure_extern", "roundf", {F(2.5)});
  const Interpretation result = p.Run();
  EXPECT_DEFINED(result);
  EXPECT_NEAR(Element(result, 0, 0), 2.718281828, 1e-6);
  EXPECT_NEAR(Element(result, 0, 1), 0.520499878, 1e-6);
  EXPECT_EQ(Element(result, 0, 2), 10);
  EXPECT_EQ(Element(result, 0, 3), 2) << "to even";
  EXPECT_EQ(Element(result, 0, 4), 3) << "away from zero";
}

TEST(Programs, DeviceCodeWithoutMeaningIsUnsupported) {
  for (int form : {0, 1, 2}) {
    Program p;
    p.Param("B", I32, {1});
    const uint32_t i = p.Var("i");
    Stmt barrier;
    barrier.set_kind(BARRIER);
    barrier.set_name(form == 0 ? "shared" : "global");
    Stmt stmt = b::For(i, C(0), C(4), THREAD_BINDING, {barrier});
    stmt.set_thread_tag(form == 1 ? "threadIdx.x" : "thread");
    p.Add(form == 0 ? barrier : stmt);
    const Interpretation result = p.Run();
    EXPECT_EQ(result.status(), Interpretation::UNSUPPORTED) << form;
  }
}

TEST(Programs, EveryFloatTypeComputes) {
  for (ScalarType type : {F16, BF16, F32, F64, F8E4M3FN, F8E5M2}) {
    Program p;
    const uint32_t a = p.Param("A", type, {8});
    const uint32_t out = p.Param("B", type, {8});
    const uint32_t i = p.Var("i");
    Expr x = p.L(a, {p.V(i)});
    p.Add(
        b::For(i, C(0), C(8), SERIAL,
               {b::Store(out, b::Binary(SUB, b::Binary(MUL, x, x), b::Float(type, 1)), {p.V(i)})}));
    const Interpretation result = p.Run();
    EXPECT_DEFINED(result);
    EXPECT_TRUE(result.outputs(1).bounds().empty()) << TypeName(type);
    for (size_t k = 0; k < 8; ++k) {
      const double input = Element(result, 0, k);
      if (std::fabs(input) > 2) continue;
      EXPECT_EQ(Element(result, 1, k), input * input - 1) << TypeName(type);
    }
  }
}

}  // namespace
}  // namespace irate
