// Calls of external functions with one or several outputs, as partitioned graphs make them.
#include <string>
#include <utility>

#include "generators/family.h"
#include "generators/program.h"
#include "generators/value_expr.h"
#include "ir/builder.h"
#include "ir/external.h"
#include "ir/types.h"

namespace irate {
namespace {

// What is passed for a buffer: a tensor descriptor on the stack (tvm/tirx/builtin.h,
// tvm_stack_make_array; a zero for strides says that there are none).
Expr TensorArgument(const BufferInfo& buffer, int64_t size) {
  Expr shape = build::Call("tvm_stack_make_shape", HANDLE, {build::I32Const(size)});
  Expr zero = IsFloat(buffer.type) ? build::Float(buffer.type, 0) : build::Int(buffer.type, 0);
  return build::Call("tvm_stack_make_array", HANDLE,
                     {build::BufferData(buffer.id), std::move(shape), build::I32Const(0),
                      build::I32Const(1), std::move(zero), build::I32Const(0)});
}

Interval ResultRange(Op op, const Interval& a, const Interval& b, ScalarType type) {
  Expr value = IsFloat(type) ? build::Float(type, 0) : build::Int(type, 0);
  return Apply(op, Term{value, a}, Term{value, b}).range;
}

bool AllFit(const ExternalFunction& function, ScalarType type, const Interval& a,
            const Interval& b) {
  for (const Op op : function.outputs) {
    if (!Fits(ResultRange(op, a, b, type), type, TypeLimit(type))) return false;
  }
  return true;
}

// A call on some of `compact`, buffers of one type and extent without gaps; its outputs join them.
void AppendCall(Context& context, Program& program, ScalarType type, const Extent& extent,
                std::vector<BufferInfo>* compact) {
  const auto functions = ExternalFunctions();
  const ExternalFunction& function =
      functions[static_cast<size_t>(context.Int(0, static_cast<int64_t>(functions.size()) - 1))];
  std::vector<BufferInfo> tensors;
  for (int i = 0; i < function.inputs; ++i) {
    const auto last = static_cast<int64_t>(compact->size()) - 1;
    tensors.push_back((*compact)[static_cast<size_t>(context.Int(0, last))]);
  }
  const Interval a = context.ranges().Contents(tensors.front().id);
  const Interval b = context.ranges().Contents(tensors.back().id);
  if (!AllFit(function, type, a, b)) return;
  for (const Op op : function.outputs) {
    BufferInfo output = context.Percent(50) ? program.AddStage(type, {extent}, false)
                                            : program.AddOutput(type, {extent}, false);
    context.WidenContents(&output, ResultRange(op, a, b, type));
    tensors.push_back(output);
  }
  std::vector<Expr> args = {build::String(function.name)};
  for (const BufferInfo& tensor : tensors) args.push_back(TensorArgument(tensor, extent.size));
  std::vector<Stmt> stmts;
  stmts.push_back(build::Evaluate(build::Call("tvm_call_packed", I32, std::move(args))));
  program.Append(std::move(stmts));
  for (size_t i = static_cast<size_t>(function.inputs); i < tensors.size(); ++i) {
    program.Publish(tensors[i]);
    compact->push_back(tensors[i]);
  }
}

}  // namespace

Case GenerateExternalCase(Context& context) {
  Program program(context);
  ScalarType type = context.DrawType();
  if (!ExternalTakes(type)) type = context.Percent(50) ? F32 : I32;
  const Extent extent = context.ConstantExtent(context.DrawSize(17));
  const int64_t least = IsUnsigned(type) ? 0 : -3;
  std::vector<BufferInfo> compact;
  for (const char* name : {"A", "B"}) {
    compact.push_back(context.AddParam(name, type, {extent}, Interval::Bounds(least, 3), false));
    program.Publish(compact.back());
  }
  const int64_t calls = context.Int(1, 3);
  for (int64_t c = 0; c < calls; ++c) {
    AppendCall(context, program, type, extent, &compact);
    if (context.Percent(50)) {
      BufferInfo stage = program.AddStage(type, {extent}, false);
      program.Append(GenerateElementwise(context, &stage, program.IsInitialised(stage), 2));
      program.Publish(stage);
      compact.push_back(stage);
    }
  }
  BufferInfo last = program.AddOutput(context.DrawType(), {extent});
  program.Append(GenerateElementwise(context, &last, program.IsInitialised(last), 2));
  // TVM finds out what a block reads and writes, but not through a pointer that is passed on.
  return program.Finish(false);
}

}  // namespace irate
