#include "targets/tvm/call_arguments.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "ir/inputs.h"
#include "ir/interpreter/minifloat.h"
#include "ir/interpreter/shape.h"
#include "ir/status_macros.h"
#include "ir/types.h"

namespace irate::tvm_target {
namespace {

ffi::AnyView ScalarValue(const Tensor& tensor) {
  uint64_t bits = 0;
  std::memcpy(&bits, tensor.data().data(), std::min(tensor.data().size(), sizeof(bits)));
  const ScalarType type = tensor.type();
  if (IsFloat(type)) return DecodeFloat(type, bits);
  if (type == BOOL) return bits != 0;
  const int unused = 64 - BitWidth(type);
  const uint64_t shifted = bits << unused;
  return IsSigned(type) ? static_cast<int64_t>(shifted) >> unused
                        : static_cast<int64_t>(shifted >> unused);
}

}  // namespace

absl::StatusOr<CallArguments> MakeCallArguments(const Function& function, const Inputs& inputs) {
  IRATE_ASSIGN_OR_RETURN(const std::vector<ArgumentValue> values, MakeArguments(function, inputs));
  IRATE_ASSIGN_OR_RETURN(const VariableValues known, KnownVariables(function, inputs));
  CallArguments arguments;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i].is_scalar) {
      arguments.values.push_back(ScalarValue(values[i].tensor));
      continue;
    }
    const Param& param = function.params(static_cast<int>(i));
    const Buffer& buffer = function.buffers(static_cast<int>(param.id()));
    IRATE_ASSIGN_OR_RETURN(const BufferLayout layout, EvaluateLayout(function, buffer, known));
    const auto side =
        (inputs.seed() + i) % 2 == 0 ? GuardedBuffer::Side::kEnd : GuardedBuffer::Side::kBegin;
    IRATE_ASSIGN_OR_RETURN(std::unique_ptr<TensorArgument> tensor,
                           TensorArgument::Create(buffer, layout, values[i].tensor, side));
    arguments.values.push_back(tensor->tensor());
    arguments.tensors.push_back(std::move(tensor));
  }
  return arguments;
}

}  // namespace irate::tvm_target
