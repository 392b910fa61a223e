// Tables, parameters and attributes of a function.
#include <bit>
#include <set>

#include "fmt/format.h"
#include "ir/dimensions.h"
#include "ir/ops.h"
#include "ir/status_macros.h"
#include "ir/verify_internal.h"

namespace irate::verify {

FunctionVerifier::FunctionVerifier(const Module& module, int index, const FunctionIndex& functions,
                                   const VerifyOptions& options)
    : module_(module),
      functions_(functions),
      function_(module.functions(index)),
      index_(index),
      options_(options),
      variables_(static_cast<size_t>(function_.variables_size()), State::kUndefined),
      buffers_(static_cast<size_t>(function_.buffers_size()), State::kUndefined) {}

absl::Status FunctionVerifier::Run() {
  IRATE_RETURN_IF_ERROR(CheckUnknownFields(function_));
  IRATE_RETURN_IF_ERROR(CheckText("the name", function_.name(), false));
  if (!ScalarType_IsValid(function_.result())) return Fail("the result has an unknown type");
  IRATE_RETURN_IF_ERROR(CheckFunctionAttributes());
  IRATE_RETURN_IF_ERROR(CheckTables());
  IRATE_RETURN_IF_ERROR(CheckParams());
  IRATE_RETURN_IF_ERROR(CheckList("body", function_.body()));
  check_scope_ = false;
  for (int i = 0; i < function_.buffers_size(); ++i) {
    if (buffers_[static_cast<size_t>(i)] != State::kUndefined) continue;
    const Buffer& buffer = function_.buffers(i);
    Scope scope(this, {.label = "buffer", .index = i});
    IRATE_RETURN_IF_ERROR(CheckBufferExprs(buffer));
  }
  return absl::OkStatus();
}

absl::Status FunctionVerifier::CheckTables() {
  for (int i = 0; i < function_.variables_size(); ++i) {
    const Variable& variable = function_.variables(i);
    Scope scope(this, {.label = "variable", .index = i});
    IRATE_RETURN_IF_ERROR(CheckUnknownFields(variable));
    IRATE_RETURN_IF_ERROR(CheckText("the name", variable.name(), false));
    IRATE_RETURN_IF_ERROR(CheckText("the pointee's scope", variable.pointee_scope(), true));
    IRATE_RETURN_IF_ERROR(CheckTypeForm(TypeOf(variable)));
    if (variable.type() == VOID) return Fail("a variable of type void");
    if (!ScalarType_IsValid(variable.pointee())) return Fail("the pointee has an unknown type");
    if (variable.type() != HANDLE &&
        (variable.pointee() != VOID || !variable.pointee_scope().empty())) {
      return Fail("only a handle has a pointee");
    }
  }
  for (int i = 0; i < function_.buffers_size(); ++i) {
    Scope scope(this, {.label = "buffer", .index = i});
    IRATE_RETURN_IF_ERROR(CheckBufferEntry(function_.buffers(i)));
  }
  return absl::OkStatus();
}

absl::Status FunctionVerifier::CheckBufferEntry(const Buffer& buffer) {
  IRATE_RETURN_IF_ERROR(CheckUnknownFields(buffer));
  IRATE_RETURN_IF_ERROR(CheckText("the name", buffer.name(), false));
  IRATE_RETURN_IF_ERROR(CheckText("the scope", buffer.scope(), true));
  const Type type{buffer.type(), buffer.lanes()};
  IRATE_RETURN_IF_ERROR(CheckTypeForm(type));
  if (type.scalar == VOID) return Fail("a buffer of type void");
  if (buffer.strides_size() != 0 && buffer.strides_size() != buffer.shape_size()) {
    return Fail(
        fmt::format("{} strides for {} dimensions", buffer.strides_size(), buffer.shape_size()));
  }
  if (buffer.alignment() != 0 && !std::has_single_bit(buffer.alignment())) {
    return Fail(fmt::format("the alignment {} is no power of two", buffer.alignment()));
  }
  return absl::OkStatus();
}

absl::Status FunctionVerifier::CheckBufferExprs(const Buffer& buffer) {
  for (int i = 0; i < buffer.shape_size(); ++i) {
    Scope scope(this, {.label = "shape", .index = i});
    IRATE_RETURN_IF_ERROR(CheckDimension(buffer.shape(i)));
  }
  for (int i = 0; i < buffer.strides_size(); ++i) {
    Scope scope(this, {.label = "strides", .index = i});
    IRATE_RETURN_IF_ERROR(CheckDimension(buffer.strides(i)));
  }
  if (!buffer.has_elem_offset()) return absl::OkStatus();
  Scope scope(this, {.label = "elem_offset"});
  return CheckDimension(buffer.elem_offset());
}

namespace {

// The operators that shapes, strides and offsets of source programs are made of.
bool IsDimensionOp(Op op) {
  return op == CONST || op == VAR || op == SELECT || op == CAST || IsArithmetic(op) ||
         IsComparison(op) || IsLogic(op) || IsBitwise(op);
}

const Expr* FindForeignOp(const Expr& expr) {
  if (!IsDimensionOp(expr.op())) return &expr;
  for (const Expr& arg : expr.args()) {
    if (const Expr* found = FindForeignOp(arg)) return found;
  }
  return nullptr;
}

}  // namespace

absl::Status FunctionVerifier::CheckDimension(const Expr& expr) {
  IRATE_RETURN_IF_ERROR(CheckScalarInt("", expr));
  if (options_.lifted) return absl::OkStatus();
  if (const Expr* foreign = FindForeignOp(expr)) {
    return Fail(fmt::format("{} in the declaration of a buffer", OpName(foreign->op())));
  }
  return absl::OkStatus();
}

absl::Status FunctionVerifier::CheckParams() {
  std::set<uint32_t> buffers;
  for (int i = 0; i < function_.params_size(); ++i) {
    const Param& param = function_.params(i);
    Scope scope(this, {.label = "params", .index = i});
    IRATE_RETURN_IF_ERROR(CheckUnknownFields(param));
    if (!ParamKind_IsValid(param.kind())) return Fail("unknown kind of parameter");
    if (param.kind() == PARAM_BUFFER) {
      if (buffers.insert(param.id()).second) continue;
      return Fail(fmt::format("the buffer {} is two parameters", BufferName(param.id())));
    }
    IRATE_RETURN_IF_ERROR(Define(param.id()));
    const Variable& variable = function_.variables(static_cast<int>(param.id()));
    if (variable.lanes() != 0 && !options_.lifted) {
      return Fail(fmt::format("the scalar parameter {} is a vector", VariableName(param.id())));
    }
    if (variable.type() == HANDLE && index_ == 0 && !options_.lifted) {
      return Fail(fmt::format("the scalar parameter {} of the entry is a handle",
                              VariableName(param.id())));
    }
  }
  IRATE_RETURN_IF_ERROR(CheckDimensionVariables());
  for (int i = 0; i < function_.params_size(); ++i) {
    const Param& param = function_.params(i);
    if (param.kind() != PARAM_BUFFER) continue;
    Scope scope(this, {.label = "params", .index = i});
    IRATE_RETURN_IF_ERROR(DefineBuffer(param.id()));
  }
  return absl::OkStatus();
}

absl::Status FunctionVerifier::CheckDimensionVariables() {
  std::set<uint32_t> alone;
  const auto note_alone = [&](const Expr& expr) {
    if (expr.op() == VAR) alone.insert(expr.id());
  };
  for (const Param& param : function_.params()) {
    if (param.kind() != PARAM_BUFFER || param.id() >= buffers_.size()) continue;
    const Buffer& buffer = function_.buffers(static_cast<int>(param.id()));
    for (const Expr& extent : buffer.shape()) note_alone(extent);
    for (const Expr& stride : buffer.strides()) note_alone(stride);
    note_alone(buffer.elem_offset());
  }
  for (uint32_t id : DimensionVariables(function_)) {
    IRATE_RETURN_IF_ERROR(Define(id));
    const Type type = TypeOf(function_.variables(static_cast<int>(id)));
    if (!IsInteger(type.scalar) || type.lanes != 0) {
      return Fail(fmt::format("the dimension variable {} has type {}, not a scalar integer",
                              VariableName(id), ToString(type)));
    }
    if (!options_.lifted && !alone.contains(id)) {
      return Fail(fmt::format(
          "the dimension variable {} never stands alone as an extent, a stride or an offset of a "
          "parameter, so no caller's tensor defines it",
          VariableName(id)));
    }
  }
  return absl::OkStatus();
}

absl::Status FunctionVerifier::CheckFunctionAttributes() {
  IRATE_RETURN_IF_ERROR(CheckAttributes(function_.attrs()));
  for (const Attribute& attr : function_.attrs()) {
    const Expr& value = attr.value();
    const bool is_const = value.op() == CONST;
    if ((attr.key() == "noalias" && !(is_const && value.type() == BOOL)) ||
        (attr.key() == "calling_conv" && !(is_const && value.type() == I32)) ||
        (attr.key() == "target" && value.op() != STRING)) {
      return Fail(
          fmt::format("attribute {}: noalias is a bool, calling_conv an i32 and target a "
                      "string, all constant",
                      attr.key()));
    }
  }
  return absl::OkStatus();
}

absl::Status FunctionVerifier::CheckAttributes(
    const google::protobuf::RepeatedPtrField<Attribute>& attributes) {
  std::set<std::string_view> keys;
  for (const Attribute& attribute : attributes) {
    Scope scope(this, {.label = "attribute"});
    IRATE_RETURN_IF_ERROR(CheckUnknownFields(attribute));
    IRATE_RETURN_IF_ERROR(CheckText("the key", attribute.key(), false));
    if (!keys.insert(attribute.key()).second) {
      return Fail(fmt::format("the key {} occurs twice", attribute.key()));
    }
    if (!attribute.has_value()) return Fail(fmt::format("{} has no value", attribute.key()));
    IRATE_RETURN_IF_ERROR(CheckPart(attribute.key(), attribute.value(), Accept::kString));
  }
  return absl::OkStatus();
}

absl::Status FunctionVerifier::CheckUnknownFields(const google::protobuf::Message& message) {
  const auto& fields = message.GetReflection()->GetUnknownFields(message);
  if (fields.empty()) return absl::OkStatus();
  return Fail(fmt::format("{} has a field with the unknown number {}",
                          message.GetDescriptor()->name(), fields.field(0).number()));
}

absl::Status FunctionVerifier::CheckText(std::string_view what, const std::string& text,
                                         bool may_be_empty) {
  if (text.empty() && !may_be_empty) return Fail(fmt::format("{} is empty", what));
  if (!IsValidUtf8(text)) return Fail(fmt::format("{} is not valid UTF-8", what));
  return absl::OkStatus();
}

}  // namespace irate::verify
