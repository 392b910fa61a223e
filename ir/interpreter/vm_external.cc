// Calls of external functions (ir/external.h): tensors in memory, as the packed interface passes
// them.
#include "fmt/format.h"
#include "ir/external.h"
#include "ir/interpreter/float_ops.h"
#include "ir/interpreter/int_ops.h"
#include "ir/interpreter/packed_api.h"
#include "ir/interpreter/vm.h"
#include "ir/types.h"

namespace irate::interp {
namespace {

// A type index, a code or a size that a doubt is about.
constexpr const char* kDoubtful = "an argument of an external function is in doubt";

Trap Apply(Op op, ScalarType type, bool source, const Cell& a, const Cell& b, Cell* out) {
  if (IsFloat(type)) {
    const FloatFacts& facts = FloatFactsOf(type);
    switch (op) {
      case ADD:
        AddFloat(facts, a, b, out);
        return Trap::kNone;
      case SUB:
        SubFloat(facts, a, b, out);
        return Trap::kNone;
      case MUL:
        MulFloat(facts, a, b, out);
        return Trap::kNone;
      default:
        MinMaxFloat(op, facts, a, b, out);
        return Trap::kNone;
    }
  }
  switch (op) {
    case ADD:
      return AddInt(type, source, a, b, out);
    case SUB:
      return SubInt(type, source, a, b, out);
    case MUL:
      return MulInt(type, source, a, b, out);
    default:
      MinMaxInt(op, type, a, b, out);
      return Trap::kNone;
  }
}

}  // namespace

Trap Vm::ReadField(uint32_t object, int64_t offset, int64_t kind, Cell* out) {
  const StructField field = *FindStructField(kind);
  const Trap trap = ReadScalar(object, offset + field.offset, field.type, 0, out);
  if (trap != Trap::kNone) return trap;
  return (out->flags & kDoubt) != 0 ? Explain(Trap::kPoisonUse, kDoubtful) : Trap::kNone;
}

// The tensors by number, from the argument array of the packed interface.
Trap Vm::ReadTensorArguments(const Cell& stack, int64_t count, const ExternalFunction& function,
                             std::vector<Cell>* tensors) {
  if (count != function.arity()) {
    return Explain(Trap::kInvalidArgument, fmt::format("{} reads {} arguments, {} are passed",
                                                       function.name, function.arity(), count));
  }
  for (int64_t k = 0; k < count; ++k) {
    const int64_t slot = stack.i + k * kAnySize;
    Cell type_index;
    if (Trap trap = ReadField(stack.object, slot, kAnyTypeIndex, &type_index);
        trap != Trap::kNone) {
      return trap;
    }
    if (type_index.i != kTypeTensorPointer) {
      return Explain(Trap::kInvalidArgument,
                     fmt::format("argument {} of {} has type index {} and is no tensor", k,
                                 function.name, type_index.i));
    }
    Cell& tensor = tensors->emplace_back();
    const Trap trap = ReadScalar(stack.object, slot + kAnyValueOffset, HANDLE, 0, &tensor);
    if (trap != Trap::kNone) return trap;
  }
  return Trap::kNone;
}

Trap Vm::ReadTensor(const Cell& handle, ExternalTensor* tensor) {
  Cell bytes;
  Cell dimensions;
  Cell code;
  Cell bits;
  Cell lanes;
  Cell shape;
  const std::pair<StructFieldKind, Cell*> fields[] = {
      {kTensorData, &tensor->data}, {kTensorByteOffset, &bytes}, {kTensorNdim, &dimensions},
      {kTensorTypeCode, &code},     {kTensorTypeBits, &bits},    {kTensorTypeLanes, &lanes},
      {kTensorShape, &shape}};
  for (const auto& [kind, cell] : fields) {
    const Trap trap = ReadField(handle.object, handle.i, kind, cell);
    if (trap != Trap::kNone) return trap;
  }
  tensor->data.i += bytes.i;
  tensor->type = VOID;
  for (int type = ScalarType_MIN; type <= ScalarType_MAX; ++type) {
    const auto candidate = static_cast<ScalarType>(type);
    if (!ScalarType_IsValid(type) || !ExternalTakes(candidate)) continue;
    if (DataTypeCode(candidate) == code.i && BitWidth(candidate) == bits.i && lanes.i == 1) {
      tensor->type = candidate;
    }
  }
  tensor->elements = 1;
  for (int64_t d = 0; d < dimensions.i; ++d) {
    Cell extent;
    const Trap trap = ReadScalar(shape.object, shape.i + d * 8, I64, 0, &extent);
    if (trap != Trap::kNone) return trap;
    if (extent.i < 0 || __builtin_mul_overflow(tensor->elements, extent.i, &tensor->elements)) {
      return Explain(Trap::kInvalidArgument, "the shape of a tensor that is passed on");
    }
  }
  return Trap::kNone;
}

Trap Vm::RunExternal(const ExternalFunction& function, const std::vector<Cell>& handles) {
  std::vector<ExternalTensor> tensors(handles.size());
  for (size_t k = 0; k < handles.size(); ++k) {
    if (Trap trap = ReadTensor(handles[k], &tensors[k]); trap != Trap::kNone) return trap;
    if (tensors[k].type == VOID || tensors[k].type != tensors[0].type ||
        tensors[k].elements != tensors[0].elements) {
      return Explain(Trap::kInvalidArgument,
                     fmt::format("argument {} of {} has another type or size than the first", k,
                                 function.name));
    }
  }
  const ScalarType type = tensors[0].type;
  const int64_t size = ByteSize(type);
  const size_t second = function.inputs > 1 ? 1 : 0;
  for (int64_t i = 0; i < tensors[0].elements; ++i) {
    if (++steps_ > options_.fuel) return Trap::kFuel;
    const auto at = [&](size_t k) { return tensors[k].data.i + i * size; };
    Cell a;
    Cell b;
    Trap trap = ReadScalar(tensors[0].data.object, at(0), type, 0, &a);
    if (trap == Trap::kNone)
      trap = ReadScalar(tensors[second].data.object, at(second), type, 0, &b);
    if (trap != Trap::kNone) return trap;
    for (size_t k = 0; k < function.outputs.size(); ++k) {
      Cell value;
      const auto to = static_cast<size_t>(function.inputs) + k;
      trap = Apply(function.outputs[k], type, source_, a, b, &value);
      if (trap == Trap::kNone) trap = WriteScalar(tensors[to].data.object, at(to), type, value, 0);
      if (trap != Trap::kNone) return trap;
    }
  }
  return Trap::kNone;
}

Trap Vm::CallExternal(Frame* frame, const Instr& instr) {
  const uint32_t* parts = frame->function->lists.data() + instr.c;
  const ExternalFunction& function = ExternalFunctions()[instr.b];
  std::vector<Cell> handles;
  if (instr.aux != 0) {
    const Cell stack = frame->cells[parts[0]];
    const int64_t begin = frame->cells[parts[1]].i;
    const int64_t end = frame->cells[parts[2]].i;
    if (begin < 0 || end < begin || end > INT32_MAX) return Trap::kOutOfBounds;
    Cell first = stack;
    first.i += begin * kAnySize;
    const Trap trap = ReadTensorArguments(first, end - begin, function, &handles);
    if (trap != Trap::kNone) return trap;
  } else {
    for (uint32_t k = 0; k < instr.a; ++k) handles.push_back(frame->cells[parts[k]]);
  }
  if (Trap trap = RunExternal(function, handles); trap != Trap::kNone) return trap;
  if (instr.type != VOID) SetIntLeaf(instr.type, 0, 0, &frame->cells[instr.dst]);
  return Trap::kNone;
}

}  // namespace irate::interp
