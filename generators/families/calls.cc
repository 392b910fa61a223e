// Several functions: the entry calls private functions of the module on its buffers' memory.
#include <utility>

#include "fmt/format.h"
#include "generators/family.h"
#include "generators/loop_scope.h"
#include "generators/program.h"
#include "generators/value_expr.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using enum Feature;
using build::Binary;

// out[i] = f(in[i], i): a private function over `size` elements, made by hand because a Context
// builds one function. Arguments are the two data pointers and, perhaps, a scalar.
struct Callee {
  std::string name;
  ScalarType type = I32;
  int64_t size = 1;
  bool has_scalar = false;
  Interval result;
};

uint32_t AddPointer(Function* function, const char* name, ScalarType type) {
  const uint32_t id = build::AddVariable(function, name, HANDLE);
  function->mutable_variables(static_cast<int>(id))->set_pointee(type);
  build::AddScalarParam(function, id);
  return id;
}

Stmt DeclareOver(const Function& function, uint32_t buffer, uint32_t pointer) {
  Stmt stmt;
  stmt.set_kind(DECL_BUFFER);
  stmt.set_id(buffer);
  *stmt.add_args() = build::Var(function, pointer);
  return stmt;
}

Callee AddCallee(Context& context, int number, ScalarType type, int64_t size,
                 const Interval& input) {
  Callee callee;
  callee.name = fmt::format("callee{}", number);
  callee.type = type;
  callee.size = size;
  callee.has_scalar = context.Allows(kParamScalar) && context.Percent(40);
  Function* function = context.test_case().mutable_module()->add_functions();
  function->set_name(callee.name);
  function->set_is_private(true);
  const uint32_t in_pointer = AddPointer(function, "in_data", type);
  const uint32_t out_pointer = AddPointer(function, "out_data", type);
  uint32_t scalar = 0;
  if (callee.has_scalar) {
    scalar = build::AddVariable(function, "x", type);
    build::AddScalarParam(function, scalar);
  }
  const uint32_t in = build::AddBuffer(function, "in", type, {build::I32Const(size)});
  const uint32_t out = build::AddBuffer(function, "out", type, {build::I32Const(size)});
  const uint32_t i = build::AddVariable(function, "i", I32);

  const Expr index = build::Var(*function, i);
  Term value = {build::Load(*function, in, {index}), input};
  const int64_t factor = context.Int(0, 3);
  const Term product = Apply(MUL, value, Constant(type, factor));
  if (Fits(product.range, type, TypeLimit(type))) value = product;
  if (callee.has_scalar) {
    const Term sum = Apply(ADD, value, {build::Var(*function, scalar), Interval::Bounds(0, 3)});
    if (Fits(sum.range, type, TypeLimit(type))) value = sum;
  }
  if (context.AllowsAll({kSelect, kSelectInVectorized, kLess})) {
    value = Choose(SELECT, Binary(LT, index, build::I32Const(context.Int(0, size))),
                   std::move(value), Constant(type, context.Int(0, 2)));
  }
  callee.result = value.range;
  std::vector<Stmt> body;
  body.push_back(build::Store(out, std::move(value.expr), {index}));
  const LoopKind kind = size <= 32 && context.Draw(kLoopVectorized) ? VECTORIZED : SERIAL;
  *function->add_body() = DeclareOver(*function, in, in_pointer);
  *function->add_body() = DeclareOver(*function, out, out_pointer);
  *function->add_body() =
      build::For(i, build::I32Const(0), build::I32Const(size), kind, std::move(body));
  return callee;
}

Expr DataOf(uint32_t buffer) {
  Expr data;
  data.set_op(BUFFER_DATA);
  data.set_type(HANDLE);
  data.set_id(buffer);
  return data;
}

}  // namespace

Case GenerateCallsCase(Context& context) {
  // The callees' element types are also those of their pointers; nothing there is symbolic.
  Program program(context);
  ScalarType type = context.DrawType();
  if (type == BOOL) type = I32;
  const Extent extent = context.ConstantExtent(context.DrawSize(17));
  BufferInfo previous =
      context.AddParam("A", type, {extent}, Interval::Bounds(IsUnsigned(type) ? 0 : -3, 3), false);
  const int64_t calls = context.Int(1, 3);
  for (int64_t c = 0; c < calls; ++c) {
    const Callee callee = AddCallee(context, static_cast<int>(c), type, extent.size,
                                    context.ranges().Contents(previous.id));
    BufferInfo output = context.AddParam("C", type, {extent}, Interval::Bounds(0, 3), false);
    std::vector<Expr> args = {DataOf(previous.id), DataOf(output.id)};
    if (callee.has_scalar) args.push_back(Constant(type, context.Int(0, 3)).expr);
    Expr call = build::Call("@" + callee.name, VOID, std::move(args));
    call.set_lanes(0);
    std::vector<Stmt> stmts;
    stmts.push_back(build::Evaluate(std::move(call)));
    program.Append(std::move(stmts));
    context.WidenContents(&output, callee.result);
    program.Publish(output);
    previous = output;
  }
  if (context.Percent(60)) {
    BufferInfo last = program.AddOutput(context.DrawType(), {extent});
    program.Append(GenerateElementwise(context, &last, true, 2));
  }
  // TVM finds out what a block reads and writes, but not through a pointer that is passed on.
  return program.Finish(false);
}

}  // namespace irate
