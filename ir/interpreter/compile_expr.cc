// Expressions other than calls.
#include <bit>

#include "fmt/format.h"
#include "ir/interpreter/compiler.h"
#include "ir/ops.h"

namespace irate::interp {

bool FunctionCompiler::Arity(const Expr& expr, int min, int max) {
  if (expr.args_size() >= min && (max < 0 || expr.args_size() <= max)) return true;
  Fail(fmt::format("{} with {} operands", OpName(expr.op()), expr.args_size()));
  return false;
}

Reg FunctionCompiler::CompileExpr(const Expr& expr) {
  switch (expr.op()) {
    case CONST:
      return CompileConst(expr);
    case VAR: {
      const Reg variable = Variable(expr.id());
      if (variable.type != expr.type() || variable.lanes != Lanes(expr.lanes())) {
        Fail("a variable used as another type than its own");
      }
      return variable;
    }
    case LOAD:
      return CompileLoad(expr, Code::kLoad);
    case BUFFER_DATA: {
      if (!KnowsBuffer(expr.id())) return Nothing(expr);
      const Reg out = NewReg(HANDLE, 1);
      Emit({.code = Code::kBufferData, .dst = out.index, .b = expr.id()});
      return out;
    }
    case NOT:
    case BIT_NOT: {
      if (!Arity(expr, 1, 1)) return Nothing(expr);
      const Reg a = CompileExpr(expr.args(0));
      const Reg out = NewReg(a.type, a.lanes);
      Emit({.code = Code::kNotInt,
            .type = a.type,
            .lanes = a.lanes,
            .dst = out.index,
            .a = a.index});
      return out;
    }
    case SELECT:
      return CompileSelect(expr);
    case IF_THEN_ELSE:
      return CompileIfThenElse(expr);
    case CAST:
    case REINTERPRET:
    case RAMP:
    case BROADCAST:
      return CompileConversion(expr);
    case SHUFFLE:
      return CompileShuffle(expr);
    case LET: {
      if (!Arity(expr, 2, 2)) return Nothing(expr);
      const Reg value = CompileExpr(expr.args(0));
      const Reg variable = Variable(expr.id());
      if (variable.lanes != value.lanes) Fail("LET of a value of other lanes");
      Move(value, variable.index);
      return CompileExpr(expr.args(1));
    }
    case CALL:
      return CompileCall(expr);
    case STRING:
      EmitTrap(Trap::kUnsupported, "a string as a value");
      return NewReg(HANDLE, 1);
    default:
      return CompileBinary(expr);
  }
}

Reg FunctionCompiler::CompileConst(const Expr& expr) {
  const ScalarType type = expr.type();
  const bool is_float = IsFloat(type);
  if ((!is_float && !IsInteger(type) && type != BOOL) || Lanes(expr.lanes()) != 1) {
    Fail("a constant of a type that has none");
    return Nothing(expr);
  }
  const uint64_t bits = is_float ? std::bit_cast<uint64_t>(expr.float_value())
                                 : static_cast<uint64_t>(expr.int_value());
  const auto [found, inserted] = constants_[type].try_emplace(bits, 0);
  if (inserted) {
    found->second = NewCells(1);
    ConstantCell constant{found->second, {}};
    if (is_float) {
      SetFloatConstant(type, expr.float_value(), &constant.cell);
    } else {
      SetIntLeaf(type, WrapInt(FactsOf(type), expr.int_value()), 0, &constant.cell);
    }
    out_.constants.push_back(constant);
  }
  return {found->second, type, 1};
}

Reg FunctionCompiler::IntConst(ScalarType type, int64_t value) {
  Expr expr;
  expr.set_op(CONST);
  expr.set_type(type);
  expr.set_int_value(value);
  return CompileConst(expr);
}

Reg FunctionCompiler::Binary(Code code, uint16_t aux, ScalarType result, Reg a, Reg b) {
  if (a.type != b.type || a.lanes != b.lanes) Fail("operands of two types");
  const Reg out = NewReg(result, a.lanes);
  Emit({.code = code,
        .type = a.type,
        .aux = aux,
        .lanes = std::min(a.lanes, b.lanes),
        .dst = out.index,
        .a = a.index,
        .b = b.index});
  return out;
}

Reg FunctionCompiler::CompileBinary(const Expr& expr) {
  const Op op = expr.op();
  const bool known = IsArithmetic(op) || IsComparison(op) || op == AND || op == OR ||
                     (IsBitwise(op) && op != BIT_NOT);
  if (!known) {
    Fail(fmt::format("the operator {}", OpName(op)));
    return Nothing(expr);
  }
  if (!Arity(expr, 2, 2)) return Nothing(expr);
  const Reg a = CompileExpr(expr.args(0));
  const Reg b = CompileExpr(expr.args(1));
  const bool is_float = IsFloat(a.type);
  const bool is_int = IsInteger(a.type);
  const auto aux = static_cast<uint16_t>(op);
  const auto reject = [&] {
    Fail(fmt::format("{} of {}", OpName(op), TypeName(a.type)));
    return Nothing(expr);
  };
  if (IsComparison(op)) {
    if (a.type == HANDLE) return Binary(Code::kCompareHandle, aux, BOOL, a, b);
    if (is_float) return Binary(Code::kCompareFloat, aux, BOOL, a, b);
    return is_int || a.type == BOOL ? Binary(Code::kCompareInt, aux, BOOL, a, b) : reject();
  }
  if (op == AND || op == OR) {
    return a.type == BOOL ? Binary(op == AND ? Code::kAnd : Code::kOr, aux, BOOL, a, b) : reject();
  }
  if (op == SHL || op == SHR) return is_int ? Binary(Code::kShiftInt, aux, a.type, a, b) : reject();
  if (IsBitwise(op)) {
    return is_int || a.type == BOOL ? Binary(Code::kBitwiseInt, aux, a.type, a, b) : reject();
  }
  switch (op) {
    case ADD:
      return is_float ? Binary(Code::kAddFloat, aux, a.type, a, b)
             : is_int ? Binary(Code::kAddInt, aux, a.type, a, b)
                      : reject();
    case SUB:
      return is_float ? Binary(Code::kSubFloat, aux, a.type, a, b)
             : is_int ? Binary(Code::kSubInt, aux, a.type, a, b)
                      : reject();
    case MUL:
      return is_float ? Binary(Code::kMulFloat, aux, a.type, a, b)
             : is_int ? Binary(Code::kMulInt, aux, a.type, a, b)
                      : reject();
    case DIV:
      return is_float ? Binary(Code::kDivFloat, aux, a.type, a, b) : reject();
    case MIN:
    case MAX:
      return is_float                   ? Binary(Code::kMinMaxFloat, aux, a.type, a, b)
             : is_int || a.type == BOOL ? Binary(Code::kMinMaxInt, aux, a.type, a, b)
                                        : reject();
    default:
      return is_int ? Binary(Code::kDivideInt, aux, a.type, a, b) : reject();
  }
}

Reg FunctionCompiler::CompileSelect(const Expr& expr) {
  if (!Arity(expr, 3, 3)) return Nothing(expr);
  const Reg condition = CompileExpr(expr.args(0));
  ++select_depth_;
  const Reg a = CompileExpr(expr.args(1));
  const Reg b = CompileExpr(expr.args(2));
  --select_depth_;
  if (condition.type != BOOL || a.type != b.type || a.lanes != b.lanes ||
      (condition.lanes != 1 && condition.lanes != a.lanes)) {
    Fail("SELECT between two types");
    return Nothing(expr);
  }
  const Reg out = NewReg(a.type, a.lanes);
  Emit({.code = Code::kSelect,
        .type = a.type,
        .aux = static_cast<uint16_t>(condition.lanes == 1 ? 0 : 1),
        .lanes = a.lanes,
        .dst = out.index,
        .a = condition.index,
        .b = a.index,
        .c = b.index});
  return out;
}

Reg FunctionCompiler::CompileIfThenElse(const Expr& expr) {
  if (!Arity(expr, 3, 3)) return Nothing(expr);
  const Reg condition = CompileCondition(expr.args(0));
  const Reg out = Nothing(expr);
  const auto index = static_cast<uint32_t>(out_.branches.size());
  out_.branches.emplace_back();
  Emit({.code = Code::kBranch, .a = condition.index, .c = index});
  Branch branch{.result = out.index, .lanes = out.lanes, .type = out.type};
  const auto arm = [&](const Expr& value) {
    const Reg reg = CompileExpr(value);
    if (reg.type != out.type || reg.lanes != out.lanes) {
      Fail("IF_THEN_ELSE between two types");
      return;
    }
    Move(reg, out.index);
  };
  arm(expr.args(1));
  branch.then_end = Here();
  Emit({.code = Code::kJump});
  branch.else_begin = Here();
  arm(expr.args(2));
  branch.end = Here();
  out_.code[branch.then_end].a = branch.end;
  out_.branches[index] = branch;
  return out;
}

void FunctionCompiler::Move(Reg from, uint32_t to) {
  Emit({.code = Code::kMove, .type = from.type, .lanes = from.lanes, .dst = to, .a = from.index});
}

Reg FunctionCompiler::CompileScalarInt(const Expr& expr) {
  const Reg reg = CompileExpr(expr);
  if (!IsInteger(reg.type) || reg.lanes != 1) Fail("something else where a scalar integer belongs");
  return reg;
}

Reg FunctionCompiler::CompileCondition(const Expr& expr) {
  const Reg reg = CompileExpr(expr);
  if (reg.type != BOOL || reg.lanes != 1) Fail("something else where a scalar condition belongs");
  return reg;
}

}  // namespace irate::interp
