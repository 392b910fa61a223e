#include "execution/sanitized/case_arguments.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "ir/inputs.h"
#include "ir/interpreter/minifloat.h"
#include "ir/interpreter/shape.h"
#include "ir/status_macros.h"
#include "ir/types.h"

namespace irate::sanitized {
namespace {

constexpr size_t kDefaultAlignment = 64;

contract::PackedAny ScalarValue(const Tensor& tensor) {
  uint64_t bits = 0;
  std::memcpy(&bits, tensor.data().data(), std::min(tensor.data().size(), sizeof(bits)));
  contract::PackedAny value;
  const ScalarType type = tensor.type();
  if (IsFloat(type)) {
    value.type_index = contract::kFloat;
    value.v_float64 = DecodeFloat(type, bits);
  } else if (type == BOOL) {
    value.type_index = contract::kBool;
    value.v_int64 = bits != 0 ? 1 : 0;
  } else {
    value.type_index = contract::kInt;
    const int unused = 64 - BitWidth(type);
    const uint64_t shifted = bits << unused;
    value.v_int64 = IsSigned(type) ? static_cast<int64_t>(shifted) >> unused
                                   : static_cast<int64_t>(shifted >> unused);
  }
  return value;
}

contract::TensorArgument TensorFor(const Buffer& buffer, const BufferLayout& layout,
                                   const Tensor& values) {
  contract::TensorArgument tensor;
  tensor.name = buffer.name();
  tensor.type = ToAbiType(buffer.type(), buffer.lanes());
  tensor.shape = layout.shape;
  // A compact buffer may be passed without strides; a buffer that names its strides has them read.
  if (buffer.strides_size() > 0) tensor.strides = layout.strides;
  tensor.byte_offset =
      static_cast<uint64_t>(layout.elem_offset) * contract::ElementBytes(tensor.type);
  tensor.alignment = buffer.alignment() == 0 ? kDefaultAlignment : buffer.alignment();
  tensor.contents = values.data();
  return tensor;
}

}  // namespace

contract::AbiType ToAbiType(ScalarType type, uint32_t lanes) {
  contract::AbiType result;
  result.lanes = static_cast<uint16_t>(Lanes(lanes));
  result.bits = static_cast<uint8_t>(type == BOOL ? 8 : BitWidth(type));
  if (type == BOOL) {
    result.code = contract::kBoolCode;
  } else if (IsSigned(type)) {
    result.code = contract::kIntCode;
  } else if (IsUnsigned(type)) {
    result.code = contract::kUIntCode;
  } else if (type == BF16) {
    result.code = contract::kBfloatCode;
  } else if (type == F8E4M3FN) {
    result.code = contract::kFloat8E4M3FNCode;
  } else if (type == F8E5M2) {
    result.code = contract::kFloat8E5M2Code;
  } else if (type == HANDLE) {
    result.code = contract::kHandleCode;
  } else {
    result.code = contract::kFloatCode;
  }
  return result;
}

absl::StatusOr<std::vector<contract::Argument>> CaseArguments(const Function& function,
                                                              const Inputs& inputs) {
  IRATE_ASSIGN_OR_RETURN(const std::vector<ArgumentValue> values, MakeArguments(function, inputs));
  IRATE_ASSIGN_OR_RETURN(const VariableValues known, KnownVariables(function, inputs));
  std::vector<contract::Argument> arguments(values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const Param& param = function.params(static_cast<int>(i));
    if (values[i].is_scalar) {
      arguments[i].scalar.name = function.variables(static_cast<int>(param.id())).name();
      arguments[i].scalar.value = ScalarValue(values[i].tensor);
      continue;
    }
    const Buffer& buffer = function.buffers(static_cast<int>(param.id()));
    IRATE_ASSIGN_OR_RETURN(const BufferLayout layout, EvaluateLayout(function, buffer, known));
    arguments[i].tensor = TensorFor(buffer, layout, values[i].tensor);
  }
  return arguments;
}

absl::StatusOr<std::vector<Tensor>> ToTensors(const Function& function, const Inputs& inputs,
                                              const std::vector<std::string>& contents) {
  IRATE_ASSIGN_OR_RETURN(const VariableValues known, KnownVariables(function, inputs));
  std::vector<Tensor> tensors;
  for (const Param& param : function.params()) {
    if (param.kind() != PARAM_BUFFER) continue;
    const Buffer& buffer = function.buffers(static_cast<int>(param.id()));
    IRATE_ASSIGN_OR_RETURN(const BufferLayout layout, EvaluateLayout(function, buffer, known));
    if (tensors.size() >= contents.size()) {
      return absl::InvalidArgumentError(fmt::format("no contents for parameter {}: {} were given",
                                                    buffer.name(), contents.size()));
    }
    Tensor tensor;
    tensor.set_type(buffer.type());
    tensor.set_lanes(buffer.lanes());
    for (int64_t extent : layout.shape) tensor.add_shape(extent);
    tensor.set_data(contents[tensors.size()]);
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

}  // namespace irate::sanitized
