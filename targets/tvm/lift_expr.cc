#include <string>
#include <utility>

#include "ir/types.h"
#include "targets/tvm/function_lift.h"
#include "targets/tvm/node_types.h"
#include "targets/tvm/types.h"

namespace irate::tvm_target {
namespace {

const Object* TypeObject(const Object* expr) { return Ref<"ir.Expr", "ty">(expr); }

}  // namespace

bool FunctionLift::LiftExpr(const Object* node, Expr* result) {
  if (node == nullptr) return Fail("a null expression");
  switch (TypeOf(node).kind) {
    case NodeKind::kBinary:
    case NodeKind::kUnary:
      return LiftOperator(node, result);
    case NodeKind::kVar: {
      if (IsBuffer(node)) return Fail("ir.Var of tirx.BufferType as a value");
      uint32_t id = 0;
      if (!VariableId(node, &id)) return false;
      const Variable& variable = function_->variables(static_cast<int>(id));
      result->set_op(VAR);
      result->set_type(variable.type());
      result->set_lanes(variable.lanes());
      result->set_id(id);
      return true;
    }
    case NodeKind::kIntImm:
      return LiftIntImm(node, result);
    case NodeKind::kFloatImm:
      result->set_op(CONST);
      result->set_float_value(Plain<double, "ir.FloatImm", "value">(node));
      return SetType(node, result);
    case NodeKind::kStringImm:
      result->set_op(STRING);
      result->set_name(ToString(Get<"ir.StringImm", "value">(node)));
      return true;
    case NodeKind::kTensorLoad:
      return LiftLoad(node, result);
    case NodeKind::kCall:
      return LiftCall(node, result);
    case NodeKind::kCast:
      result->set_op(CAST);
      return SetType(node, result) && LiftExpr(Ref<"prim.Cast", "value">(node), result->add_args());
    case NodeKind::kSelect:
      result->set_op(SELECT);
      return SetType(node, result) &&
             LiftExpr(Ref<"prim.Select", "condition">(node), result->add_args()) &&
             LiftExpr(Ref<"prim.Select", "true_value">(node), result->add_args()) &&
             LiftExpr(Ref<"prim.Select", "false_value">(node), result->add_args());
    case NodeKind::kRamp:
      result->set_op(RAMP);
      return SetType(node, result) &&
             LiftExpr(Ref<"prim.Ramp", "base">(node), result->add_args()) &&
             LiftExpr(Ref<"prim.Ramp", "stride">(node), result->add_args());
    case NodeKind::kBroadcast:
      result->set_op(BROADCAST);
      return SetType(node, result) &&
             LiftExpr(Ref<"prim.Broadcast", "value">(node), result->add_args());
    case NodeKind::kShuffle:
      return LiftShuffle(node, result);
    case NodeKind::kLet: {
      result->set_op(LET);
      uint32_t id = 0;
      if (!SetType(node, result) || !VariableId(Ref<"prim.Let", "var">(node), &id)) return false;
      result->set_id(id);
      return LiftExpr(Ref<"prim.Let", "value">(node), result->add_args()) &&
             LiftExpr(Ref<"prim.Let", "body">(node), result->add_args());
    }
    default:
      return Fail(TypeKey(node));
  }
}

bool FunctionLift::LiftOperator(const Object* node, Expr* result) {
  const NodeType& type = TypeOf(node);
  const auto operand = [node](size_t offset) {
    return *reinterpret_cast<const Object* const*>(reinterpret_cast<const char*>(node) + offset);
  };
  if (!SetType(node, result)) return false;
  const bool is_float_division = type.op == TRUNC_DIV && IsFloat(result->type());
  result->set_op(is_float_division ? DIV : type.op);
  if (!LiftExpr(operand(type.a), result->add_args())) return false;
  return type.kind == NodeKind::kUnary || LiftExpr(operand(type.b), result->add_args());
}

bool FunctionLift::LiftExprs(const Object* array,
                             google::protobuf::RepeatedPtrField<Expr>* result) {
  for (const Any& entry : Elements(array)) {
    if (!LiftExpr(ObjectOf(entry), result->Add())) return false;
  }
  return true;
}

bool FunctionLift::LiftLoad(const Object* node, Expr* result) {
  const Object* source = Ref<"ir.TensorLoad", "source">(node);
  if (!IsBuffer(source)) return Fail("ir.TensorLoad of " + TypeKey(source));
  uint32_t id = 0;
  if (!SetType(node, result) || !BufferId(source, &id)) return false;
  result->set_op(LOAD);
  result->set_id(id);
  return LiftExprs(Ref<"ir.TensorLoad", "indices">(node), result->mutable_args());
}

bool FunctionLift::LiftShuffle(const Object* node, Expr* result) {
  result->set_op(SHUFFLE);
  if (!SetType(node, result)) return false;
  if (!LiftExprs(Ref<"prim.Shuffle", "vectors">(node), result->mutable_args())) return false;
  for (const Any& index : Elements(Ref<"prim.Shuffle", "indices">(node))) {
    const Object* constant = ObjectOf(index);
    if (constant == nullptr || TypeOf(constant).kind != NodeKind::kIntImm) {
      return Fail("prim.Shuffle with an index that is no constant");
    }
    result->add_int_list(Get<"ir.IntImm", "value">(constant).cast<int64_t>());
  }
  return true;
}

bool FunctionLift::LiftIntImm(const Object* node, Expr* result) {
  result->set_op(CONST);
  const Any value = Get<"ir.IntImm", "value">(node);
  if (value.type_index() == ffi::TypeIndex::kTVMFFIInt) {
    result->set_int_value(value.cast<int64_t>());
  } else {
    // Beyond int64: only u64 has such values, and they are kept as their bit pattern.
    const ffi::BigInt modulus = ffi::BigInt(~uint64_t{0}) + ffi::BigInt(1);
    result->set_int_value(static_cast<int64_t>(value.cast<ffi::BigInt>() - modulus));
  }
  return SetType(node, result);
}

bool FunctionLift::SetType(const Object* node, Expr* result) {
  const Object* type = TypeObject(node);
  const std::optional<ValueType> value_type = FromType(type);
  if (!value_type.has_value()) {
    return Fail(TypeKey(node) + " of type " +
                (type == nullptr ? std::string("none") : TypeKey(type)));
  }
  result->set_type(value_type->type);
  result->set_lanes(value_type->lanes);
  return true;
}

bool FunctionLift::IsBuffer(const Object* node) const {
  if (node == nullptr || TypeOf(node).kind != NodeKind::kVar) return false;
  if (buffers_.contains(node)) return true;
  const Object* type = TypeObject(node);
  return type != nullptr && TypeOf(type).kind == NodeKind::kBufferType;
}

bool FunctionLift::VariableId(const Object* var, uint32_t* id) {
  const auto [entry, is_new] = variables_.try_emplace(var, function_->variables_size());
  *id = entry->second;
  if (!is_new) return true;
  const std::optional<ValueType> type = FromType(TypeObject(var));
  if (!type.has_value()) {
    const Object* native = TypeObject(var);
    return Fail("ir.Var of type " + (native == nullptr ? std::string("none") : TypeKey(native)));
  }
  Variable* variable = function_->add_variables();
  variable->set_name(ToString(Get<"ir.Var", "name">(var)));
  if (variable->name().empty()) variable->set_name("v");
  variable->set_type(type->type);
  variable->set_lanes(type->lanes);
  variable->set_pointee(type->pointee);
  variable->set_pointee_scope(type->scope);
  return true;
}

bool FunctionLift::BufferId(const Object* var, uint32_t* id) {
  const auto [entry, is_new] = buffers_.try_emplace(var, function_->buffers_size());
  *id = entry->second;
  if (!is_new) return true;
  const Object* type = TypeObject(var);
  irate::Buffer* buffer = function_->add_buffers();
  buffer->set_name(ToString(Get<"ir.Var", "name">(var)));
  if (buffer->name().empty()) buffer->set_name("buffer");
  const std::optional<ValueType> element = FromType(Ref<"tirx.BufferType", "dtype">(type));
  if (!element.has_value()) return Fail("tirx.BufferType of an unknown element type");
  buffer->set_type(element->type);
  buffer->set_lanes(element->lanes);
  if (!LiftExprs(Ref<"tirx.BufferType", "shape">(type), buffer->mutable_shape()) ||
      !LiftExprs(Ref<"tirx.BufferType", "strides">(type), buffer->mutable_strides())) {
    return false;
  }
  Expr offset;
  if (!LiftExpr(Ref<"tirx.BufferType", "elem_offset">(type), &offset)) return false;
  if (offset.op() != CONST || offset.int_value() != 0) *buffer->mutable_elem_offset() = offset;
  constexpr int64_t kDefaultAlignment = 64;
  const auto alignment = Get<"tirx.BufferType", "data_alignment">(type).cast<int64_t>();
  if (alignment != kDefaultAlignment) buffer->set_alignment(static_cast<uint32_t>(alignment));
  const auto factor = Get<"tirx.BufferType", "offset_factor">(type).cast<int64_t>();
  if (factor > 1) buffer->set_offset_factor(static_cast<uint32_t>(factor));
  buffer->set_scope(ScopeFromNative(ToString(Get<"tirx.BufferType", "storage_scope">(type))));
  if (Elements(Ref<"tirx.BufferType", "allocated_addr">(type)).size() != 0) {
    return Fail("tirx.BufferType with an allocated address");
  }
  if (Ref<"tirx.BufferType", "layout">(type) != nullptr) {
    return Fail("tirx.BufferType with a layout");
  }
  return true;
}

bool FunctionLift::Fail(std::string construct) {
  if (construct_.empty()) construct_ = std::move(construct);
  return false;
}

}  // namespace irate::tvm_target
