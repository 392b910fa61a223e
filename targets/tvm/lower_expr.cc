#include <string>
#include <utility>

#include "ir/types.h"
#include "targets/tvm/function_lowering.h"
#include "targets/tvm/literals.h"
#include "targets/tvm/types.h"

namespace irate::tvm_target {
namespace {

const ffi::Function& BinaryConstructor(Op op) {
  switch (op) {
    case ADD:
      return Registered<"prim.Add">();
    case SUB:
      return Registered<"prim.Sub">();
    case MUL:
      return Registered<"prim.Mul">();
    case DIV:
    case TRUNC_DIV:
      return Registered<"prim.Div">();
    case TRUNC_MOD:
      return Registered<"prim.Mod">();
    case FLOOR_DIV:
      return Registered<"prim.FloorDiv">();
    case FLOOR_MOD:
      return Registered<"prim.FloorMod">();
    case MIN:
      return Registered<"prim.Min">();
    case MAX:
      return Registered<"prim.Max">();
    case EQ:
      return Registered<"prim.EQ">();
    case NE:
      return Registered<"prim.NE">();
    case LT:
      return Registered<"prim.LT">();
    case LE:
      return Registered<"prim.LE">();
    case GT:
      return Registered<"prim.GT">();
    case GE:
      return Registered<"prim.GE">();
    case AND:
      return Registered<"prim.And">();
    case OR:
      return Registered<"prim.Or">();
    case BIT_AND:
      return Registered<"prim.BitwiseAnd">();
    case BIT_OR:
      return Registered<"prim.BitwiseOr">();
    case BIT_XOR:
      return Registered<"prim.BitwiseXor">();
    case SHL:
      return Registered<"prim.LShift">();
    case SHR:
      return Registered<"prim.RShift">();
    default:
      TVM_FFI_THROW(ValueError) << "operator " << OpName(op) << " has no TVM IR";
  }
}

}  // namespace

Any FunctionLowering::LowerExpr(const Expr& expr, const Any* pointer_type) {
  switch (expr.op()) {
    case CONST:
      return LowerConst(expr);
    case VAR:
      return Variable(expr.id());
    case STRING:
      return StringImm(expr.name());
    case LOAD:
      return Native<"tirx.BufferLoad">(Buffer(expr.id()), LowerExprs(expr.args()), nullptr);
    case BUFFER_DATA:
      return Native<"tirx.BufferData">(Buffer(expr.id()));
    case NOT:
      return Native<"prim.Not">(LowerExpr(expr.args(0)), nullptr);
    case BIT_NOT:
      return Native<"prim.BitwiseNot">(LowerExpr(expr.args(0)), nullptr);
    case SELECT:
      return Native<"prim.Select">(LowerExpr(expr.args(0)), LowerExpr(expr.args(1)),
                                   LowerExpr(expr.args(2)), nullptr);
    case CAST:
      return Native<"prim.Cast">(PrimType(expr.type(), expr.lanes()), LowerExpr(expr.args(0)),
                                 nullptr);
    case RAMP:
      return Native<"prim.Ramp">(LowerExpr(expr.args(0)), LowerExpr(expr.args(1)),
                                 IntImm(I32, expr.lanes()), nullptr);
    case BROADCAST:
      return Native<"prim.Broadcast">(LowerExpr(expr.args(0)),
                                      IntImm(I32, expr.lanes() / Lanes(expr.args(0).lanes())),
                                      nullptr);
    case SHUFFLE:
      return LowerShuffle(expr);
    case LET:
      return Native<"prim.Let">(Variable(expr.id()), LowerExpr(expr.args(0)),
                                LowerExpr(expr.args(1), pointer_type), nullptr);
    case IF_THEN_ELSE:
    case REINTERPRET:
    case CALL:
      return LowerCall(expr, pointer_type);
    default:
      return BinaryConstructor(expr.op())(LowerExpr(expr.args(0)), LowerExpr(expr.args(1)),
                                          nullptr);
  }
}

Any FunctionLowering::LowerConst(const Expr& expr) {
  Any value = IsFloat(expr.type())
                  ? Native<"ir.FloatImm">(ToDataType(expr.type(), 0), expr.float_value(), nullptr)
                  : IntImm(expr.type(), expr.int_value());
  if (expr.lanes() == 0) return value;
  return Native<"prim.Broadcast">(value, IntImm(I32, expr.lanes()), nullptr);
}

Any FunctionLowering::LowerShuffle(const Expr& expr) {
  AnyArray indices;
  for (int64_t index : expr.int_list()) indices.push_back(IntImm(I32, index));
  return Native<"prim.Shuffle">(LowerExprs(expr.args()), indices, nullptr);
}

AnyArray FunctionLowering::LowerExprs(const Exprs& exprs, int first) {
  AnyArray result;
  result.reserve(exprs.size());
  for (int i = first; i < exprs.size(); ++i) result.push_back(LowerExpr(exprs[i]));
  return result;
}

Any FunctionLowering::Variable(uint32_t id) {
  Any& entry = variables_.at(id);
  if (entry != nullptr) return entry;
  const irate::Variable& variable = function_.variables(static_cast<int>(id));
  const Any type = variable.type() == HANDLE
                       ? PointerType(variable.pointee(), variable.pointee_scope())
                       : PrimType(variable.type(), variable.lanes());
  entry = Native<"ir.Var">(ffi::String(variable.name()), type, nullptr);
  return entry;
}

Any FunctionLowering::Buffer(uint32_t id) {
  if (buffers_.at(id) != nullptr) return buffers_[id];
  const irate::Buffer& buffer = function_.buffers(static_cast<int>(id));
  const Any offset = buffer.has_elem_offset() ? LowerExpr(buffer.elem_offset()) : Any();
  const Any type = Native<"tirx.BufferType">(
      ffi::String(buffer.scope()), PrimType(buffer.type(), buffer.lanes()),
      LowerExprs(buffer.shape()), LowerExprs(buffer.strides()), offset,
      static_cast<int>(buffer.alignment()), static_cast<int>(buffer.offset_factor()), nullptr,
      AnyArray(), nullptr);
  buffers_[id] = Native<"tirx.BufferVar">(ffi::String(buffer.name()), type, nullptr);
  return buffers_[id];
}

Any FunctionLowering::DataType(uint32_t buffer) {
  return Native<"tirx.BufferDataPointerType">(Buffer(buffer));
}

}  // namespace irate::tvm_target
