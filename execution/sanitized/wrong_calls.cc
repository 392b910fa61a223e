#include "execution/sanitized/wrong_calls.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "fmt/format.h"

namespace irate::sanitized {
namespace {

using contract::AbiObjectHeader;
using contract::AbiTensor;
using contract::AbiType;
using contract::Argument;
using contract::PackedAny;

AbiTensor* TensorAt(CallFrame& frame, size_t index) {
  return static_cast<AbiTensor*>(frame.args[index].v_ptr);
}

std::string TypeText(const AbiType& type) {
  return fmt::format("code {}, {} bits, {} lanes", type.code, type.bits, type.lanes);
}

// An object that is no tensor, as long as a String object.
struct ForeignObject {
  AbiObjectHeader header;
  const char* text = "not a tensor";
  uint64_t size = 12;
};

class Builder {
 public:
  Builder(const Signature& signature, const std::vector<Argument>& right)
      : signature_(signature), right_(right) {}

  std::vector<WrongCall> Run() {
    CountVariables();
    CallAsAWhole();
    for (size_t i = 0; i < signature_.size(); ++i) {
      if (signature_[i].is_tensor && right_[i].tensor) {
        TensorTypes(i);
        TensorPointers(i);
        TensorShape(i);
        TensorStrides(i);
        TensorPlace(i);
      } else {
        ScalarTypes(i);
        ScalarRange(i);
      }
    }
    return std::move(calls_);
  }

 private:
  WrongCall& Add(std::string name, std::string clause, std::string text) {
    calls_.push_back({std::move(name), std::move(clause), std::move(text), right_, nullptr});
    return calls_.back();
  }
  // Changes the DLTensor of argument `i`, not its memory.
  void Mutate(size_t i, const std::string& what, std::string clause, std::string text,
              std::function<void(AbiTensor&)> change) {
    Add(fmt::format("{}-{}", signature_[i].name, what), std::move(clause), std::move(text)).mutate =
        [i, change = std::move(change)](CallFrame& frame) { change(*TensorAt(frame, i)); };
  }
  void Pass(size_t i, const std::string& what, std::string text, PackedAny value) {
    Add(fmt::format("{}-{}", signature_[i].name, what), "type", std::move(text)).mutate =
        [i, value](CallFrame& frame) { frame.args[i] = value; };
  }

  void CountVariables() {
    for (const ParameterSignature& parameter : signature_) {
      for (const auto& extent : parameter.shape) {
        if (!extent.variable.empty()) ++occurrences_[extent.variable];
      }
      if (!parameter.is_tensor) ++occurrences_[parameter.name];
    }
  }

  void CallAsAWhole() {
    if (!right_.empty()) {
      WrongCall& call =
          Add("too-few-arguments", "argument-count",
              fmt::format("{} arguments instead of {}", right_.size() - 1, right_.size()));
      call.arguments.pop_back();
      Add("null-arguments", "null", "a null array of arguments").mutate = [](CallFrame& frame) {
        frame.args = nullptr;
      };
    }
    Argument extra;
    extra.scalar.value.type_index = contract::kInt;
    Add("too-many-arguments", "argument-count",
        fmt::format("{} arguments instead of {}", right_.size() + 1, right_.size()))
        .arguments.push_back(extra);
    Add("negative-argument-count", "argument-count", "-1 arguments").mutate = [](CallFrame& frame) {
      frame.num_args = -1;
    };
  }

  void TensorTypes(size_t i) {
    const ParameterSignature& parameter = signature_[i];
    AbiType code = parameter.type;
    code.code = code.code == contract::kIntCode ? contract::kUIntCode : contract::kIntCode;
    AbiType bits = parameter.type;
    bits.bits = static_cast<uint8_t>(bits.bits == 64 ? 32 : bits.bits * 2);
    AbiType lanes = parameter.type;
    lanes.lanes = static_cast<uint16_t>(lanes.lanes + 1);
    for (const auto& [what, type] :
         {std::pair{"type-code", code}, std::pair{"type-bits", bits}, std::pair{"lanes", lanes}}) {
      Mutate(i, what, "element-type",
             fmt::format("{} has elements of {} instead of {}", parameter.name, TypeText(type),
                         TypeText(parameter.type)),
             [type = type](AbiTensor& tensor) { tensor.dtype = type; });
    }
  }

  void TensorPointers(size_t i) {
    const std::string& name = signature_[i].name;
    PackedAny value;
    Pass(i, "none", fmt::format("{} is None", name), value);
    value.type_index = contract::kTensorPointer;
    Pass(i, "null-tensor", fmt::format("{} is a null DLTensor*", name), value);
    value.type_index = contract::kInt;
    value.v_int64 = 1;
    Pass(i, "int", fmt::format("{} is the integer 1", name), value);
    value.type_index = contract::kFloat;
    value.v_float64 = 1.0;
    Pass(i, "float", fmt::format("{} is the number 1.0", name), value);
    value.type_index = contract::kRawString;
    value.v_ptr = const_cast<char*>("text");
    Pass(i, "string", fmt::format("{} is a string", name), value);
    static ForeignObject object;
    object.header.type_index = contract::kStringObject;
    value.type_index = contract::kStringObject;
    value.v_ptr = &object;
    Pass(i, "other-object", fmt::format("{} is an object of another class", name), value);
    if (!right_[i].tensor->contents.empty()) {
      Mutate(i, "null-data", "null", fmt::format("{} has a null data pointer", name),
             [](AbiTensor& tensor) { tensor.data = nullptr; });
    }
  }

  // A right tensor with another shape, compact, in memory of its own size.
  void Reshape(size_t i, const std::string& what, std::string clause, std::string text,
               std::vector<int64_t> shape) {
    uint64_t count = 1;
    for (int64_t extent : shape) count *= static_cast<uint64_t>(std::max<int64_t>(extent, 0));
    WrongCall& call =
        Add(fmt::format("{}-{}", signature_[i].name, what), std::move(clause), std::move(text));
    contract::TensorArgument& tensor = *call.arguments[i].tensor;
    tensor.shape = std::move(shape);
    if (!tensor.strides.empty()) {
      tensor.strides.assign(tensor.shape.size(), 1);
      for (size_t d = tensor.shape.size(); d > 1; --d) {
        tensor.strides[d - 2] = tensor.strides[d - 1] * tensor.shape[d - 1];
      }
    }
    tensor.contents.assign(count * contract::ElementBytes(tensor.type), '\0');
  }

  void TensorShape(size_t i) {
    const ParameterSignature& parameter = signature_[i];
    const std::vector<int64_t>& shape = right_[i].tensor->shape;
    std::vector<int64_t> more = shape;
    more.push_back(1);
    Reshape(i, "rank-plus-one", "rank",
            fmt::format("{} has {} dimensions instead of {}", parameter.name, more.size(),
                        shape.size()),
            more);
    if (!shape.empty()) {
      std::vector<int64_t> fewer(shape.begin(), shape.end() - 1);
      Reshape(i, "rank-minus-one", "rank",
              fmt::format("{} has {} dimensions instead of {}", parameter.name, fewer.size(),
                          shape.size()),
              fewer);
    }
    for (size_t d = 0; d < shape.size(); ++d) {
      const ParameterSignature::Extent& extent = parameter.shape[d];
      // A variable that occurs once takes any value.
      if (!extent.is_constant && (extent.variable.empty() || occurrences_[extent.variable] < 2)) {
        continue;
      }
      for (int64_t by : {int64_t{-1}, int64_t{1}}) {
        if (shape[d] + by < 0) continue;
        std::vector<int64_t> other = shape;
        other[d] += by;
        Reshape(i, fmt::format("extent-{}{}", d, by < 0 ? "-less" : "-more"), "shape",
                fmt::format("dimension {} of {} is {} instead of {}", d, parameter.name, other[d],
                            shape[d]),
                other);
      }
      const int64_t huge = shape[d] + (int64_t{1} << 32);
      Mutate(i, fmt::format("extent-{}-high-bits", d), "shape-high-bits",
             fmt::format("dimension {} of {} is {}, which is {} in 32 bits", d, parameter.name,
                         huge, shape[d]),
             [d, huge](AbiTensor& tensor) { tensor.shape[d] = huge; });
    }
  }

  void TensorStrides(size_t i) {
    const ParameterSignature& parameter = signature_[i];
    const std::vector<int64_t>& shape = right_[i].tensor->shape;
    if (!parameter.is_compact) return;
    std::vector<int64_t> compact(shape.size(), 1);
    for (size_t d = shape.size(); d > 1; --d) compact[d - 2] = compact[d - 1] * shape[d - 1];
    for (size_t d = 0; d < shape.size(); ++d) {
      // The stride of an extent of 1 is never used.
      if (shape[d] < 2) continue;
      std::vector<int64_t> strides = compact;
      ++strides[d];
      WrongCall& call = Add(fmt::format("{}-stride-{}", parameter.name, d), "strides",
                            fmt::format("stride {} of {} is {} instead of {}", d, parameter.name,
                                        strides[d], compact[d]));
      call.arguments[i].tensor->strides = strides;
    }
  }

  void TensorPlace(size_t i) {
    const ParameterSignature& parameter = signature_[i];
    Mutate(i, "device-type", "device", fmt::format("{} is on a CUDA device", parameter.name),
           [](AbiTensor& tensor) { tensor.device.type = contract::kCudaDevice; });
    size_t tensors = 0;
    for (const ParameterSignature& other : signature_) tensors += other.is_tensor ? 1 : 0;
    if (tensors > 1) {
      Mutate(i, "device-id", "device",
             fmt::format("{} is on another device of the same kind than the rest", parameter.name),
             [](AbiTensor& tensor) { ++tensor.device.id; });
    }
    const size_t element = contract::ElementBytes(parameter.type);
    if (!parameter.has_offset) {
      WrongCall& call = Add(fmt::format("{}-byte-offset", parameter.name), "byte-offset",
                            fmt::format("{} begins at a byte offset of {}, but its buffer has none",
                                        parameter.name, parameter.alignment));
      call.arguments[i].tensor->byte_offset = parameter.alignment;
    }
    // Aligned to its elements and no more, if that is a power of two below what is promised.
    if (element < parameter.alignment && (element & (element - 1)) == 0 &&
        !right_[i].tensor->contents.empty()) {
      WrongCall& call = Add(fmt::format("{}-alignment", parameter.name), "alignment",
                            fmt::format("the data of {} is aligned to {} bytes instead of {}",
                                        parameter.name, element, parameter.alignment));
      call.arguments[i].tensor->alignment = element;
    }
  }

  void ScalarTypes(size_t i) {
    const ParameterSignature& parameter = signature_[i];
    PackedAny value;
    Pass(i, "none", fmt::format("{} is None", parameter.name), value);
    value.type_index = contract::kRawString;
    value.v_ptr = const_cast<char*>("text");
    Pass(i, "string", fmt::format("{} is a string", parameter.name), value);
    if (parameter.type.code != contract::kFloatCode) {
      value.type_index = contract::kFloat;
      value.v_float64 = 1.5;
      Pass(i, "float", fmt::format("{} is the number 1.5", parameter.name), value);
    }
  }

  void ScalarRange(size_t i) {
    const ParameterSignature& parameter = signature_[i];
    const bool is_signed = parameter.type.code == contract::kIntCode;
    if (!is_signed && parameter.type.code != contract::kUIntCode) return;
    if (parameter.type.bits >= 64) return;
    const int value_bits = parameter.type.bits - (is_signed ? 1 : 0);
    const int64_t above = int64_t{1} << value_bits;
    const int64_t below = is_signed ? -above - 1 : -1;
    for (const auto& [what, number] :
         {std::pair{"above-range", above}, std::pair{"below-range", below}}) {
      PackedAny value;
      value.type_index = contract::kInt;
      value.v_int64 = number;
      WrongCall& call =
          Add(fmt::format("{}-{}", parameter.name, what), "scalar-range",
              fmt::format("{} is {}, which does not fit into {} {}bits", parameter.name, number,
                          parameter.type.bits, is_signed ? "signed " : ""));
      call.mutate = [i, value](CallFrame& frame) { frame.args[i] = value; };
    }
  }

  const Signature& signature_;
  const std::vector<Argument>& right_;
  std::map<std::string, int> occurrences_;
  std::vector<WrongCall> calls_;
};

// In the body that the compiler moves out of the function that checks the arguments, or in a
// parallel loop of it.
bool IsOfTheProgram(const Report& report) {
  return report.function.find("_compute_") != std::string::npos ||
         report.function.find("parallel_lambda") != std::string::npos;
}

}  // namespace

std::vector<WrongCall> WrongCalls(const Signature& signature, const std::vector<Argument>& right) {
  return Builder(signature, right).Run();
}

std::vector<Report> JudgeWrongCall(const WrongCall& call, const RunResult& result) {
  std::vector<Report> reports = result.reports;
  for (Report& report : reports) report.text = fmt::format("{}: {}", call.text, report.text);
  const bool succeeded = result.completed && result.returned == 0;
  // Behind the checks stands the program, which owes nothing to such arguments: whatever it does
  // with them, the cause is that they came through.
  const bool came_through = std::ranges::any_of(reports, IsOfTheProgram);
  if (succeeded || came_through) {
    Report silent;
    silent.kind = ReportKind::kSilentWrongCall;
    silent.clause = call.clause;
    silent.text = fmt::format("{}: the function {}", call.text,
                              succeeded ? "returned success" : "did not refuse it");
    reports.insert(reports.begin(), std::move(silent));
  }
  return reports;
}

}  // namespace irate::sanitized
