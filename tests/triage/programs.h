// Small Cases for tests of triage.
#pragma once

#include "ir/builder.h"
#include "ir/irate.pb.h"

namespace irate::testing {

// for i in [0, extent): B[i] = (A[i] * 3 + 7) floordiv 2, with a local, a conditional store to a
// second output C and an unused parameter D around it: something to take away.
inline Case RichCase(int64_t extent = 16) {
  using namespace build;  // NOLINT: what it is for
  Case test_case;
  test_case.set_version(1);
  test_case.mutable_inputs()->set_seed(7);
  Function* f = test_case.mutable_module()->add_functions();
  f->set_name("main");
  const uint32_t i = AddVariable(f, "i", I32);
  const uint32_t x = AddVariable(f, "x", I32);
  const uint32_t a = AddBuffer(f, "A", I32, {I32Const(extent)});
  const uint32_t b = AddBuffer(f, "B", I32, {I32Const(extent)});
  const uint32_t c = AddBuffer(f, "C", I32, {I32Const(extent)});
  const uint32_t d = AddBuffer(f, "D", F32, {I32Const(4)});
  for (const uint32_t buffer : {a, d, b, c}) AddBufferParam(f, buffer);
  ParamInput* input = test_case.mutable_inputs()->add_params();
  input->set_param(2);
  input->set_min(1);
  input->set_max(9);
  const Expr index = Var(*f, i);
  const Expr scaled = Binary(ADD, Binary(MUL, Load(*f, a, {index}), I32Const(3)), I32Const(7));
  const Stmt bind = Bind(x, Binary(FLOOR_DIV, scaled, I32Const(2)));
  const Stmt store = Store(b, Var(*f, x), {index});
  const Stmt guarded =
      If(Binary(LT, index, I32Const(3)), {Store(c, Binary(ADD, Var(*f, x), index), {index})});
  *f->add_body() = For(i, I32Const(0), I32Const(extent), PARALLEL, {bind, store, guarded});
  return test_case;
}

}  // namespace irate::testing
