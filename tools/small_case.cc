#include "tools/small_case.h"

#include "ir/builder.h"

namespace irate {

Case SmallCase() {
  using namespace build;  // NOLINT: what it is for
  Case test_case;
  test_case.set_version(1);
  test_case.mutable_inputs()->set_seed(1);
  Function* function = test_case.mutable_module()->add_functions();
  function->set_name("main");
  const uint32_t i = AddVariable(function, "i", I32);
  const uint32_t a = AddBuffer(function, "A", I32, {I32Const(16)});
  const uint32_t b = AddBuffer(function, "B", I32, {I32Const(16)});
  AddBufferParam(function, a);
  AddBufferParam(function, b);
  const Expr index = Var(*function, i);
  const Expr value =
      Binary(ADD, Binary(MUL, Load(*function, a, {index}), I32Const(3)), I32Const(7));
  *function->add_body() = For(i, I32Const(0), I32Const(16), PARALLEL, {Store(b, value, {index})});
  return test_case;
}

}  // namespace irate
