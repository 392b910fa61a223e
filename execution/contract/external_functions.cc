#include "execution/contract/external_functions.h"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "fmt/format.h"

namespace irate::contract {
namespace {

const AbiTensor* TensorOf(const PackedAny& arg) {
  if (arg.type_index == kTensorPointer) return static_cast<const AbiTensor*>(arg.v_ptr);
  if (arg.type_index != kTensorObject) return nullptr;
  const auto* object = static_cast<const char*>(arg.v_ptr);
  return reinterpret_cast<const AbiTensor*>(object + sizeof(AbiObjectHeader));
}

int64_t ElementsOf(const AbiTensor& tensor) {
  int64_t elements = 1;
  for (int32_t d = 0; d < tensor.ndim; ++d) elements *= tensor.shape[d];
  return elements;
}

template <typename T>
T Apply(Op op, T a, T b) {
  // Integers wrap.
  using Number = std::conditional_t<std::is_floating_point_v<T>, T, uint64_t>;
  const auto x = static_cast<Number>(a);
  const auto y = static_cast<Number>(b);
  switch (op) {
    case ADD:
      return static_cast<T>(x + y);
    case SUB:
      return static_cast<T>(x - y);
    case MUL:
      return static_cast<T>(x * y);
    case MIN:
      return std::min(a, b);
    default:
      return std::max(a, b);
  }
}

template <typename T>
void Run(const ExternalFunction& function, const std::vector<char*>& data, int64_t elements) {
  const size_t second = function.inputs > 1 ? 1 : 0;
  for (int64_t i = 0; i < elements; ++i) {
    const T a = reinterpret_cast<const T*>(data[0])[i];
    const T b = reinterpret_cast<const T*>(data[second])[i];
    for (size_t k = 0; k < function.outputs.size(); ++k) {
      auto* output = reinterpret_cast<T*>(data[static_cast<size_t>(function.inputs) + k]);
      output[i] = Apply(function.outputs[k], a, b);
    }
  }
}

using Runner = void (*)(const ExternalFunction&, const std::vector<char*>&, int64_t);

Runner RunnerOf(const AbiType& type) {
  if (type.lanes != 1) return nullptr;
  switch (type.code * 256 + type.bits) {
    case kIntCode * 256 + 8:
      return Run<int8_t>;
    case kIntCode * 256 + 16:
      return Run<int16_t>;
    case kIntCode * 256 + 32:
      return Run<int32_t>;
    case kIntCode * 256 + 64:
      return Run<int64_t>;
    case kUIntCode * 256 + 8:
      return Run<uint8_t>;
    case kUIntCode * 256 + 16:
      return Run<uint16_t>;
    case kUIntCode * 256 + 32:
      return Run<uint32_t>;
    case kUIntCode * 256 + 64:
      return Run<uint64_t>;
    case kFloatCode * 256 + 32:
      return Run<float>;
    case kFloatCode * 256 + 64:
      return Run<double>;
    default:
      return nullptr;
  }
}

}  // namespace

void* TensorBegin(const PackedAny& arg) {
  const AbiTensor* tensor = TensorOf(arg);
  return tensor == nullptr ? nullptr : static_cast<char*>(tensor->data) + tensor->byte_offset;
}

uint64_t TensorBytes(const PackedAny& arg) {
  const AbiTensor* tensor = TensorOf(arg);
  return tensor == nullptr ? 0
                           : static_cast<uint64_t>(ElementsOf(*tensor)) * tensor->dtype.bits / 8;
}

std::string RunExternal(const ExternalFunction& function, const PackedAny* args, int32_t num_args,
                        PackedAny* result) {
  if (num_args != function.arity()) {
    return fmt::format("{} reads {} arguments, {} are passed", function.name, function.arity(),
                       num_args);
  }
  const AbiTensor* first = TensorOf(args[0]);
  std::vector<char*> data;
  for (int32_t k = 0; k < num_args; ++k) {
    const AbiTensor* tensor = TensorOf(args[k]);
    if (tensor == nullptr) {
      return fmt::format("argument {} of {} is {} and no tensor", k, function.name,
                         TypeIndexName(args[k].type_index));
    }
    if (!(tensor->dtype == first->dtype) || ElementsOf(*tensor) != ElementsOf(*first)) {
      return fmt::format("argument {} of {} has another type or size than the first", k,
                         function.name);
    }
    data.push_back(static_cast<char*>(tensor->data) + tensor->byte_offset);
  }
  const Runner run = RunnerOf(first->dtype);
  if (run == nullptr) {
    return fmt::format("{} does not take elements of type code {} with {} bits", function.name,
                       first->dtype.code, first->dtype.bits);
  }
  run(function, data, ElementsOf(*first));
  result->type_index = kInt;
  result->v_int64 = 0;
  return "";
}

}  // namespace irate::contract
