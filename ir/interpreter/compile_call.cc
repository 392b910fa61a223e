// Calls of intrinsics that compute, and of functions of the module.
#include <utility>

#include "fmt/format.h"
#include "ir/interpreter/compiler.h"

namespace irate::interp {

Reg FunctionCompiler::CompileCall(const Expr& expr) {
  const std::string& name = expr.name();
  if (name.starts_with('@')) return CompileFunctionCall(expr);
  Reg out;
  if (CompileHint(expr, &out) || CompileMath(expr, &out) || CompileExtern(expr, &out) ||
      CompileVectorPart(expr, &out) || CompilePointer(expr, &out) || CompileStruct(expr, &out) ||
      CompilePackedCall(expr, &out) || CompileAllReduce(expr, &out) ||
      CompileKernelCall(expr, &out)) {
    return out;
  }
  EmitTrap(Trap::kUnsupported, fmt::format("the intrinsic {}", name));
  return Nothing(expr);
}

Reg FunctionCompiler::CompileFunctionCall(const Expr& expr) {
  const std::string_view name = std::string_view(expr.name()).substr(1);
  for (int i = 0; i < module_.functions_size(); ++i) {
    const Function& callee = module_.functions(i);
    if (callee.name() != name) continue;
    if (callee.params_size() != expr.args_size()) {
      Fail(fmt::format("a call of {} with {} arguments", name, expr.args_size()));
      return Nothing(expr);
    }
    std::vector<uint32_t> arguments;
    for (int k = 0; k < expr.args_size(); ++k) {
      const Reg reg = CompileExpr(expr.args(k));
      const Param& param = callee.params(k);
      const bool is_buffer = param.kind() == PARAM_BUFFER;
      const bool known = param.id() < static_cast<uint32_t>(is_buffer ? callee.buffers_size()
                                                                      : callee.variables_size());
      if (!known) continue;
      const ScalarType wanted =
          is_buffer ? HANDLE : callee.variables(static_cast<int>(param.id())).type();
      const uint32_t lanes =
          is_buffer ? 1 : Lanes(callee.variables(static_cast<int>(param.id())).lanes());
      if (reg.type != wanted || reg.lanes != lanes) {
        Fail(fmt::format("a call of {} with argument {} of another type", name, k));
      }
      arguments.push_back(reg.index);
    }
    const Reg out = Nothing(expr);
    if (out.lanes != 1) Fail("a call that gives a vector");
    Emit({.code = Code::kCall,
          .type = expr.type(),
          .dst = out.index,
          .b = static_cast<uint32_t>(i),
          .c = AddList(arguments)});
    return out;
  }
  Fail(fmt::format("a call of the unknown function {}", name));
  return Nothing(expr);
}

bool FunctionCompiler::CompileHint(const Expr& expr, Reg* out) {
  const std::string& name = expr.name();
  if (name == "likely" || name == "ignore_loop_partition" || name == "tvm_thread_invariant") {
    *out = Arity(expr, 1, 1) ? CompileExpr(expr.args(0)) : Nothing(expr);
    return true;
  }
  if (name == "assume") {
    *out = Nothing(expr);
    if (!Arity(expr, 1, 1)) return true;
    const Reg condition = CompileCondition(expr.args(0));
    Emit({.code = Code::kAssume, .a = condition.index});
    return true;
  }
  if (name == "undef") {
    *out = Nothing(expr);
    for (uint32_t lane = 0; lane < out->lanes; ++lane) {
      ConstantCell constant{out->index + lane, {}};
      constant.cell.flags = kPoison;
      out_.constants.push_back(constant);
    }
    return true;
  }
  // What only tells a compiler something.
  if (name == "prefetch" || name == "type_annotation" || name == "tvm_tuple") {
    *out = Nothing(expr);
    return true;
  }
  if (name == "tvm_context_id") {
    *out = IntConst(I32, 0);
    return true;
  }
  return false;
}

bool FunctionCompiler::CompileMath(const Expr& expr, Reg* out) {
  return CompileNamed(expr.name(), expr, 0, out) ||
         CompileMathCall(FindMathFunction(expr.name()), expr, 0, out);
}

bool FunctionCompiler::CompileMathCall(const MathFunction* function, const Expr& expr, int first,
                                       Reg* out) {
  if (function == nullptr) return false;
  using Kind = MathFunction::Kind;
  const int count = function->kind == Kind::kBinary ? 2 : 1;
  if (!Arity(expr, first + count, first + count)) {
    *out = Nothing(expr);
    return true;
  }
  const Reg a = CompileExpr(expr.args(first));
  const Reg b = count == 2 ? CompileExpr(expr.args(first + 1)) : a;
  const ScalarType result = function->kind == Kind::kTest ? BOOL : a.type;
  *out = NewReg(result, a.lanes);
  if (!IsFloat(a.type)) {
    EmitTrap(Trap::kUnsupported, fmt::format("{} of {}", function->name, TypeName(a.type)));
    return true;
  }
  if (b.type != a.type || b.lanes != a.lanes || result != expr.type()) {
    Fail(fmt::format("{} of two types", function->name));
    return true;
  }
  out_.math_functions.push_back(function);
  Emit({.code = Code::kMath,
        .type = a.type,
        .lanes = a.lanes,
        .dst = out->index,
        .a = a.index,
        .b = b.index,
        .c = static_cast<uint32_t>(out_.math_functions.size() - 1)});
  return true;
}

// Functions that do not fit "one or two floats of one type".
bool FunctionCompiler::CompileNamed(std::string_view name, const Expr& expr, int first, Reg* out) {
  if (name == "fma") {
    *out = Nothing(expr);
    if (!Arity(expr, first + 3, first + 3)) return true;
    const Reg a = CompileExpr(expr.args(first));
    const Reg b = CompileExpr(expr.args(first + 1));
    const Reg c = CompileExpr(expr.args(first + 2));
    if (!IsFloat(a.type) || b.type != a.type || c.type != a.type || out->type != a.type ||
        b.lanes != a.lanes || c.lanes != a.lanes || out->lanes != a.lanes) {
      Fail("fma of two types");
    }
    Emit({.code = Code::kFma,
          .type = a.type,
          .lanes = out->lanes,
          .dst = out->index,
          .a = a.index,
          .b = b.index,
          .c = c.index});
    return true;
  }
  if (name == "ldexp" || name == "ldexpf") {
    *out = Nothing(expr);
    if (!Arity(expr, first + 2, first + 2)) return true;
    const Reg a = CompileExpr(expr.args(first));
    const Reg b = CompileExpr(expr.args(first + 1));
    if (!IsFloat(a.type) || !IsInteger(b.type) || b.lanes != a.lanes || out->lanes != a.lanes) {
      Fail("ldexp of other types than a float and an integer");
    }
    Emit({.code = Code::kLdexp,
          .type = a.type,
          .lanes = out->lanes,
          .dst = out->index,
          .a = a.index,
          .b = b.index});
    return true;
  }
  return CompileInteger(name, expr, first, out);
}

bool FunctionCompiler::CompileInteger(std::string_view name, const Expr& expr, int first,
                                      Reg* out) {
  const bool is_popcount = name == "popcount" || name == "ctpop";
  const bool is_clz = name == "clz" || name == "ctlz";
  if (is_popcount || is_clz) {
    *out = Nothing(expr);
    // LLVM's ctlz has a second operand: whether zero is undefined, which it is for TVM anyway.
    if (!Arity(expr, first + 1, first + 2)) return true;
    const Reg a = CompileExpr(expr.args(first));
    if (!IsInteger(a.type) || !IsInteger(out->type) || out->lanes != a.lanes) {
      Fail(fmt::format("{} of {}", name, TypeName(a.type)));
    }
    Emit({.code = is_clz ? Code::kClz : Code::kPopcount,
          .type = a.type,
          .lanes = out->lanes,
          .dst = out->index,
          .a = a.index});
    return true;
  }
  if (name == "q_multiply_shift") {
    *out = Nothing(expr);
    if (!Arity(expr, 4, 4)) return true;
    std::vector<uint32_t> operands;
    for (const Expr& arg : expr.args()) {
      const Reg reg = CompileExpr(arg);
      if (reg.type != I32 || reg.lanes != out->lanes) Fail("q_multiply_shift of other than i32");
      operands.push_back(reg.index);
    }
    Emit({.code = Code::kQMultiplyShift,
          .type = I32,
          .lanes = out->lanes,
          .dst = out->index,
          .c = AddList(operands)});
    return true;
  }
  return false;
}

// Calls of the C library and of LLVM's intrinsics, by name.
bool FunctionCompiler::CompileExtern(const Expr& expr, Reg* out) {
  const std::string& call = expr.name();
  const bool is_llvm = call == "call_llvm_pure_intrin" || call == "call_llvm_intrin";
  if (!is_llvm && call != "call_pure_extern" && call != "call_extern") return false;
  if (expr.args_size() == 0 || expr.args(0).op() != STRING) {
    EmitTrap(Trap::kUnsupported, fmt::format("{} of a function that is not named", call));
    *out = Nothing(expr);
    return true;
  }
  std::string_view name = expr.args(0).name();
  if (name.starts_with("llvm.")) {
    name.remove_prefix(5);
    // An overloaded intrinsic may carry its type: llvm.exp.f32.
    name = name.substr(0, name.find('.'));
  }
  if (name == "fmuladd" || name == "fmaf") name = "fma";
  if (name == "prefetch") {
    *out = Nothing(expr);
    return true;
  }
  if (CompileNamed(name, expr, 1, out)) return true;
  if (CompileMathCall(FindLibraryFunction(name), expr, 1, out)) return true;
  EmitTrap(Trap::kUnsupported, fmt::format("{} of {}", call, expr.args(0).name()));
  *out = Nothing(expr);
  return true;
}

bool FunctionCompiler::CompileVectorPart(const Expr& expr, Reg* out) {
  const std::string& name = expr.name();
  const bool is_low = name == "vectorlow";
  const bool is_high = name == "vectorhigh";
  if (!is_low && !is_high && name != "vectorcombine") return false;
  std::vector<uint32_t> cells;
  for (const Expr& arg : expr.args()) {
    const Reg reg = CompileExpr(arg);
    if (reg.type != expr.type()) Fail(fmt::format("{} of two types", name));
    const uint32_t half = reg.lanes / 2;
    const uint32_t begin = is_high ? half : 0;
    const uint32_t end = is_low ? half : reg.lanes;
    for (uint32_t lane = begin; lane < end; ++lane) cells.push_back(reg.index + lane);
  }
  if (cells.empty() || cells.size() != Lanes(expr.lanes())) {
    Fail(fmt::format("{} of other lanes than its own", name));
    *out = Nothing(expr);
    return true;
  }
  *out = Shuffle(expr.type(), cells);
  return true;
}

}  // namespace irate::interp
