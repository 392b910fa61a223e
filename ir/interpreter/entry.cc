#include "ir/interpreter/entry.h"

#include <algorithm>
#include <cstring>

#include "absl/status/status.h"
#include "fmt/format.h"
#include "ir/interpreter.h"
#include "ir/interpreter/float_ops.h"
#include "ir/interpreter/packed_api.h"
#include "ir/status_macros.h"
#include "ir/visit.h"

namespace irate::interp {
namespace {

constexpr int64_t kHostDevice = 1;  // kDLCPU

// Calls visit(element, offset) for each element in row-major order; offsets are in elements.
template <typename Visit>
void ForEachElement(const BufferLayout& layout, const Visit& visit) {
  std::vector<int64_t> index(layout.shape.size());
  int64_t offset = layout.elem_offset;
  for (int64_t element = 0; element < layout.elements; ++element) {
    visit(element, offset);
    for (size_t i = index.size(); i-- > 0;) {
      offset += layout.strides[i];
      if (++index[i] < layout.shape[i]) break;
      offset -= layout.strides[i] * layout.shape[i];
      index[i] = 0;
    }
  }
}

void SetFromTensor(const Tensor& tensor, uint32_t lane, Cell* out) {
  const auto size = static_cast<size_t>(ByteSize(tensor.type()));
  uint64_t bits = 0;
  std::memcpy(&bits, tensor.data().data() + lane * size, size);
  SetFromBits(tensor.type(), bits, 0, out);
}

Trap Store(Memory* memory, uint32_t object, int64_t offset, ScalarType type, const Cell& value) {
  return memory->Store(object, offset, type, value, 0);
}

Trap StoreInt(Memory* memory, uint32_t object, int64_t offset, ScalarType type, int64_t value) {
  Cell cell;
  SetIntLeaf(type, value, 0, &cell);
  return Store(memory, object, offset, type, cell);
}

// A DLTensor with its shape and strides.
Trap MakeTensor(const BoundArgument& argument, int64_t device_type, Memory* memory,
                uint32_t* tensor) {
  const auto ndim = static_cast<int64_t>(argument.layout.shape.size());
  uint32_t shape = 0;
  uint32_t strides = 0;
  Trap trap = memory->Allocate(kTensorSize, 1, tensor);
  const auto also = [&trap](Trap next) { trap = trap == Trap::kNone ? next : trap; };
  also(memory->Allocate(static_cast<uint64_t>(ndim) * 8, 8, &shape));
  also(memory->Allocate(static_cast<uint64_t>(ndim) * 8, 8, &strides));
  if (trap != Trap::kNone) return trap;
  for (int64_t i = 0; i < ndim; ++i) {
    also(StoreInt(memory, shape, i * 8, I64, argument.layout.shape[static_cast<size_t>(i)]));
    also(StoreInt(memory, strides, i * 8, I64, argument.layout.strides[static_cast<size_t>(i)]));
  }
  const auto set_int = [&](StructFieldKind kind, int64_t value) {
    const StructField field = *FindStructField(kind);
    also(StoreInt(memory, *tensor, field.offset, field.type, value));
  };
  const auto set_handle = [&](StructFieldKind kind, uint32_t object) {
    Cell cell;
    SetHandle(object, 0, 0, &cell);
    also(Store(memory, *tensor, FindStructField(kind)->offset, HANDLE, cell));
  };
  set_handle(kTensorData, argument.object);
  set_handle(kTensorShape, shape);
  set_handle(kTensorStrides, strides);
  set_int(kTensorNdim, ndim);
  set_int(kTensorTypeCode, DataTypeCode(argument.type));
  set_int(kTensorTypeBits, argument.type == BOOL ? 8 : BitWidth(argument.type));
  set_int(kTensorTypeLanes, argument.lanes);
  set_int(kTensorDeviceType, device_type);
  set_int(kTensorDeviceId, 0);
  // The data pointer of a DLTensor is before the offset that the buffer declares.
  set_int(kTensorByteOffset, argument.layout.elem_offset * ByteSize(argument.type) *
                                 static_cast<int64_t>(argument.lanes));
  return trap;
}

Trap SetPackedArgument(const BoundArgument& argument, int64_t device_type, int64_t offset,
                       uint32_t args, Memory* memory) {
  TypeIndex index = kTypeTensorPointer;
  ScalarType type = HANDLE;
  Cell value;
  if (!argument.is_scalar) {
    uint32_t tensor = 0;
    if (Trap trap = MakeTensor(argument, device_type, memory, &tensor); trap != Trap::kNone) {
      return trap;
    }
    SetHandle(tensor, 0, 0, &value);
  } else if (IsFloat(argument.type)) {
    index = kTypeFloat;
    type = F64;
    value = argument.cells[0];
  } else {
    index = argument.type == BOOL ? kTypeBool : kTypeInt;
    type = I64;
    value = argument.cells[0];
  }
  Trap trap = StoreInt(memory, args, offset, I32, index);
  if (trap == Trap::kNone) trap = StoreInt(memory, args, offset + 4, I32, 0);
  if (trap == Trap::kNone) trap = Store(memory, args, offset + kAnyValueOffset, type, value);
  return trap;
}

}  // namespace

absl::StatusOr<std::vector<BoundArgument>> BindArguments(const Function& described,
                                                         const Inputs& inputs, Memory* memory) {
  IRATE_ASSIGN_OR_RETURN(const std::vector<ArgumentValue> values, MakeArguments(described, inputs));
  IRATE_ASSIGN_OR_RETURN(const VariableValues known, KnownVariables(described, inputs));
  std::vector<BoundArgument> arguments;
  for (int i = 0; i < described.params_size(); ++i) {
    const Tensor& tensor = values[static_cast<size_t>(i)].tensor;
    BoundArgument argument;
    argument.is_scalar = values[static_cast<size_t>(i)].is_scalar;
    argument.type = tensor.type();
    argument.lanes = Lanes(tensor.lanes());
    if (argument.is_scalar) {
      argument.cells.resize(argument.lanes);
      for (uint32_t lane = 0; lane < argument.lanes; ++lane) {
        SetFromTensor(tensor, lane, &argument.cells[lane]);
      }
      arguments.push_back(std::move(argument));
      continue;
    }
    const Buffer& buffer = described.buffers(static_cast<int>(described.params(i).id()));
    IRATE_ASSIGN_OR_RETURN(argument.layout, EvaluateLayout(described, buffer, known));
    const auto granule = static_cast<uint32_t>(ByteSize(argument.type));
    const uint64_t size = uint64_t{granule} * argument.lanes;
    const Trap trap = memory->Allocate(static_cast<uint64_t>(argument.layout.span) * size, granule,
                                       &argument.object);
    if (trap != Trap::kNone) {
      return absl::ResourceExhaustedError(
          fmt::format("parameter {} ({}) exceeds the memory limit", i, buffer.name()));
    }
    ForEachElement(argument.layout, [&](int64_t element, int64_t offset) {
      memory->Fill(argument.object, static_cast<uint64_t>(offset) * size,
                   tensor.data().data() + static_cast<size_t>(element) * size, size);
    });
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

bool RunDirect(const std::vector<BoundArgument>& arguments, const Function& described,
               const Inputs& inputs, Vm* vm) {
  Frame frame;
  vm->Enter(0, nullptr, &frame);
  const CompiledFunction& function = *frame.function;
  for (const DimValue& dim : inputs.dims()) {
    if (dim.variable() >= function.variables.size()) continue;
    const ScalarType type = described.variables(static_cast<int>(dim.variable())).type();
    if (IsInteger(type)) {
      SetIntLeaf(type, dim.value(), 0, &frame.cells[function.variables[dim.variable()]]);
    }
  }
  for (int i = 0; i < described.params_size(); ++i) {
    const BoundArgument& argument = arguments[static_cast<size_t>(i)];
    if (!argument.is_scalar) continue;
    std::copy(argument.cells.begin(), argument.cells.end(),
              frame.cells.begin() + function.variables[described.params(i).id()]);
  }
  bool ok = vm->RunPrologue(&frame);
  uint32_t ordinal = 0;
  for (int i = 0; i < described.params_size() && ok; ++i) {
    const BoundArgument& argument = arguments[static_cast<size_t>(i)];
    if (argument.is_scalar) continue;
    const Trap trap =
        vm->BindParameter(&frame, described.params(i).id(), ordinal++, argument.object, 0, 0);
    ok = trap == Trap::kNone;
    if (!ok) vm->SetTrap(trap, vm->detail(), "the start");
  }
  if (ok) ok = vm->RunBody(&frame);
  vm->Leave(&frame);
  return ok;
}

int64_t DeviceTypeOf(const Function& entry) {
  int64_t device_type = kHostDevice;
  VisitExprs(entry, [&device_type](const Expr& expr) {
    if (expr.op() != EQ || expr.args_size() != 2) return;
    for (int i : {0, 1}) {
      const Expr& field = expr.args(i);
      const Expr& value = expr.args(1 - i);
      if (field.name() == "tvm_struct_get" && field.args_size() == 3 &&
          field.args(2).int_value() == kTensorDeviceType && value.op() == CONST) {
        device_type = value.int_value();
      }
    }
  });
  return device_type;
}

bool RunPacked(const std::vector<BoundArgument>& arguments, int64_t device_type, Vm* vm) {
  Memory& memory = vm->memory();
  uint32_t args = 0;
  uint32_t result = 0;
  Trap trap = memory.Allocate(arguments.size() * kAnySize, 4, &args);
  if (trap == Trap::kNone) trap = memory.Allocate(kAnySize, 4, &result);
  for (size_t i = 0; i < arguments.size() && trap == Trap::kNone; ++i) {
    trap = SetPackedArgument(arguments[i], device_type, static_cast<int64_t>(i) * kAnySize, args,
                             &memory);
  }
  if (trap != Trap::kNone) {
    vm->SetTrap(trap, "the packed arguments", "the start");
    return false;
  }
  Frame frame;
  vm->Enter(0, nullptr, &frame);
  const Function& source = *frame.function->source;
  const auto parameter = [&](int i) {
    return &frame.cells[frame.function->variables[source.params(i).id()]];
  };
  SetHandle(0, 0, 0, parameter(0));
  SetHandle(args, 0, 0, parameter(1));
  SetIntLeaf(I32, static_cast<int64_t>(arguments.size()), 0, parameter(2));
  SetHandle(result, 0, 0, parameter(3));
  bool ok = vm->RunPrologue(&frame) && vm->RunBody(&frame);
  if (ok && frame.has_result && frame.result.i != 0) {
    vm->SetTrap(Trap::kReturnCode, fmt::format("{}", frame.result.i), "the entry function");
    ok = false;
  }
  vm->Leave(&frame);
  return ok;
}

bool IsPackedEntry(const Function& function) {
  for (const Attribute& attribute : function.attrs()) {
    if (attribute.key() == "calling_conv" && attribute.value().int_value() == 1) {
      return HasPackedParameters(function);
    }
  }
  return false;
}

InterpretedTensor ReadOutput(const BoundArgument& argument, uint8_t global_flags, Memory* memory,
                             int64_t* poisoned_element) {
  InterpretedTensor output;
  Tensor* tensor = output.mutable_tensor();
  tensor->set_type(argument.type);
  tensor->set_lanes(argument.lanes == 1 ? 0 : argument.lanes);
  for (int64_t extent : argument.layout.shape) tensor->add_shape(extent);
  const auto size = static_cast<int64_t>(ByteSize(argument.type));
  const auto count = static_cast<size_t>(argument.layout.elements) * argument.lanes;
  std::string* data = tensor->mutable_data();
  data->resize(count * static_cast<size_t>(size));
  std::string judged(count, kJudged);
  std::string bounds;
  bool all_judged = true;
  size_t k = 0;
  ForEachElement(argument.layout, [&](int64_t element, int64_t offset) {
    for (uint32_t lane = 0; lane < argument.lanes; ++lane, ++k) {
      Cell cell;
      memory->Load(argument.object, (offset * argument.lanes + lane) * size, argument.type, &cell);
      const uint64_t bits = CellBits(argument.type, cell);
      std::memcpy(data->data() + k * static_cast<size_t>(size), &bits, static_cast<size_t>(size));
      const uint8_t flags = cell.flags | global_flags;
      if ((flags & kPoison) != 0 && *poisoned_element < 0) *poisoned_element = element;
      if ((flags & (kInconclusive | kPoison)) != 0) {
        judged[k] = kNotJudged;
      } else if ((flags & kFragile) != 0) {
        judged[k] = kJudgedAsResult;
      }
      all_judged &= judged[k] == kJudged;
      if (!IsFloat(argument.type) || judged[k] == kNotJudged) continue;
      const double bound = Bound(cell);
      if (bound == 0) continue;
      if (bounds.empty()) bounds.resize(count * sizeof(double));
      std::memcpy(bounds.data() + k * sizeof(double), &bound, sizeof bound);
    }
  });
  if (!all_judged) output.set_judged(std::move(judged));
  if (!bounds.empty()) output.set_bounds(std::move(bounds));
  return output;
}

}  // namespace irate::interp
