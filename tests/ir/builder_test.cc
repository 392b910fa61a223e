#include "ir/builder.h"

#include <gtest/gtest.h>

#include "ir/text.h"
#include "ir/verify.h"

namespace irate {
namespace {

namespace b = build;

// Each builder gives what the verifier accepts and the text form shows.
TEST(Builder, MakesValidPrograms) {
  Module module;
  Function* f = module.add_functions();
  f->set_name("main");
  f->set_result(I32);
  const uint32_t n = b::AddVariable(f, "n", I32);
  const uint32_t i = b::AddVariable(f, "i", I32);
  const uint32_t x = b::AddVariable(f, "x", F32);
  const uint32_t y = b::AddVariable(f, "y", F32, 4);
  const uint32_t a = b::AddBuffer(f, "A", F32, {b::I32Const(16)});
  const uint32_t view = b::AddBuffer(f, "view", F32, {b::I32Const(4)}, "global");
  const uint32_t local = b::AddBuffer(f, "local", F32, {b::Var(*f, n)}, "local");
  b::AddBufferParam(f, a);
  b::AddScalarParam(f, n);
  const Expr at_i = b::Load(*f, a, {b::Var(*f, i)});
  const Expr four = b::Load(*f, a, {b::Ramp(b::I32Const(0), b::I32Const(1), 4)});
  const Expr small = b::Binary(LT, b::Var(*f, i), b::I32Const(3));

  *f->add_body() = b::Alloc(local);
  *f->add_body() = b::DeclBuffer(view, b::BufferData(a));
  *f->add_body() = b::Assert(b::Binary(GT, b::Var(*f, n), b::I32Const(0)), "ValueError", "n");
  *f->add_body() = b::Bind(y, b::Binary(ADD, four, b::Broadcast(b::Float(F32, 1), 4)));
  *f->add_body() =
      b::For(i, b::I32Const(0), b::Var(*f, n), SERIAL,
             {b::If(small, {b::Continue()}, {b::Break()}),
              b::Store(a, b::Select(small, at_i, b::Float(F32, 0.5)), {b::Var(*f, i)}),
              b::Store(a, b::IfThenElse(b::Unary(NOT, small), at_i, at_i), {b::Var(*f, i)}),
              b::Store(a, b::Let(x, at_i, b::Var(*f, x)), {b::Var(*f, i)}),
              b::Store(a, b::Shuffle({b::Var(*f, y), four}, {7}), {b::Var(*f, i)}),
              b::Evaluate(b::Call("exp", F32, {four})),
              b::Evaluate(b::Call("call_extern", VOID, {b::String("f"), four})),
              b::Evaluate(b::Reinterpret(I32, at_i)), b::Evaluate(b::Cast(F16, four))});
  *f->add_body() = b::While(b::BoolConst(false), {b::Break()});
  *f->add_body() = b::Return(b::Int(I32, -1));
  const absl::Status status = Verify(module);
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(PrintModule(module), R"(func @main(buffer A, scalar n) -> i32 {
  var n, i: i32
  var x: f32
  var y: f32x4
  buffer A: f32[16]
  buffer view: f32[4] scope "global"
  buffer local: f32[n] scope "local"

  alloc local
  decl view = A.data
  assert n > 0, "ValueError", "n"
  let y = A[ramp(0, 1, 4)] + broadcast(1.0, 4)
  for i in 0..n {
    if i < 3 {
      continue
    } else {
      break
    }
    A[i] = select(i < 3, A[i], 0.5)
    A[i] = if_then_else(!(i < 3), A[i], A[i])
    A[i] = let x = A[i] in x
    A[i] = shuffle([y, A[ramp(0, 1, 4)]], [7])
    eval exp(A[ramp(0, 1, 4)])
    eval call_extern("f", A[ramp(0, 1, 4)])
    eval reinterpret<i32>(A[i])
    eval f16(A[ramp(0, 1, 4)])
  }
  while false {
    break
  }
  return -1
}
)");

  Function g;
  *g.add_body() = b::Return();
  EXPECT_EQ(PrintStmt(g, g.body(0)), "return\n");
}

TEST(BuilderDeathTest, MisuseIsNamed) {
  const Function f;
  const Expr one = b::I32Const(1);
  const Expr half = b::Float(F32, 0.5);
  EXPECT_DEATH(b::Binary(ADD, one, half), "a builder was misused: ADD of i32x1 and f32x1");
  EXPECT_DEATH(b::Int(U8, 256), "Int out of its type's range");
  EXPECT_DEATH(b::Int(F32, 1), "Int of a type that is not an integer");
  EXPECT_DEATH(b::Float(I32, 1), "Float of a type that is not a float");
  EXPECT_DEATH(b::Var(f, 0), "Var of an unknown id");
  EXPECT_DEATH(b::Load(f, 0, {}), "Load of an unknown buffer");
  EXPECT_DEATH(b::Select(one, one, one), "SELECT on a condition of type i32x1");
  EXPECT_DEATH(b::Select(b::BoolConst(true), one, half), "SELECT between i32x1 and f32x1");
  EXPECT_DEATH(b::Reinterpret(F64, one), "Reinterpret between sizes");
  EXPECT_DEATH(b::Ramp(one, one, 1), "Ramp of fewer than two lanes");
  EXPECT_DEATH(b::Ramp(one, b::Int(I64, 1), 4), "Ramp of two types");
  EXPECT_DEATH(b::Broadcast(b::Broadcast(one, 2), 2), "Broadcast of a vector");
  EXPECT_DEATH(b::Shuffle({}, {0}), "Shuffle of nothing");
  EXPECT_DEATH(b::For(0, one, b::Int(I64, 1), SERIAL, {}), "an extent of two types");
}

}  // namespace
}  // namespace irate
