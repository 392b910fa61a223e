// TVM's structures in memory, and memory from the stack and the runtime.
#include <algorithm>

#include "ir/interpreter/int_ops.h"
#include "ir/interpreter/packed_api.h"
#include "ir/interpreter/vm.h"

namespace irate::interp {
namespace {

constexpr int64_t kMaxStackItems = 1 << 20;

}  // namespace

Trap Vm::NewStackObject(Frame* frame, uint64_t size, uint32_t granule, uint32_t* object) {
  if (Trap trap = memory_.Allocate(size, granule, object); trap != Trap::kNone) return trap;
  Born(*object);
  frame->stack.push_back(*object);
  return Trap::kNone;
}

Trap Vm::StackAlloca(Frame* frame, const Instr& instr) {
  const int64_t count = frame->cells[instr.a].i;
  if (count < 0 || count > kMaxStackItems) return Trap::kMemory;
  // The granule is the largest that no field straddles.
  const auto kind = static_cast<StackKind>(instr.c);
  const int64_t size = kind == StackKind::kShape ? 8
                       : kind == StackKind::kAny ? kAnySize
                                                 : kTensorSize;
  const uint32_t granule = kind == StackKind::kShape ? 8 : kind == StackKind::kAny ? 4 : 1;
  uint32_t object = 0;
  if (Trap trap = NewStackObject(frame, static_cast<uint64_t>(count * size), granule, &object);
      trap != Trap::kNone) {
    return trap;
  }
  SetHandle(object, 0, 0, &frame->cells[instr.dst]);
  return Trap::kNone;
}

Trap Vm::Workspace(Frame* frame, const Instr& instr) {
  const Cell& bytes = frame->cells[instr.a];
  if (bytes.flags != 0) {
    if (Trap trap = CheckAddress(bytes.flags); trap != Trap::kNone) return trap;
  }
  if (bytes.i < 0) return Trap::kMemory;
  uint32_t object = 0;
  if (Trap trap = NewStackObject(frame, static_cast<uint64_t>(bytes.i), 1, &object);
      trap != Trap::kNone) {
    return trap;
  }
  memory_.object(object).adapts = true;
  SetHandle(object, 0, 0, &frame->cells[instr.dst]);
  return Trap::kNone;
}

Trap Vm::FreeWorkspace(Frame* frame, const Instr& instr) {
  const Cell handle = frame->cells[instr.a];
  SetIntLeaf(I32, 0, 0, &frame->cells[instr.dst]);
  if (!memory_.IsAlive(handle.object) || handle.i != 0) return Trap::kInvalidPointer;
  if (memory_.object(handle.object).shadow_level < shadow_level_) return Trap::kNone;
  const auto found = std::find(frame->stack.begin(), frame->stack.end(), handle.object);
  if (found == frame->stack.end()) return Trap::kInvalidPointer;
  frame->stack.erase(found);
  memory_.Free(handle.object);
  return Trap::kNone;
}

Trap Vm::MakeShape(Frame* frame, const Instr& instr) {
  uint32_t object = 0;
  if (Trap trap = NewStackObject(frame, uint64_t{instr.b} * 8, 8, &object); trap != Trap::kNone) {
    return trap;
  }
  const uint32_t* extents = frame->function->lists.data() + instr.c;
  for (uint32_t i = 0; i < instr.b; ++i) {
    const Trap trap = WriteScalar(object, int64_t{i} * 8, I64, frame->cells[extents[i]], 0);
    if (trap != Trap::kNone) return trap;
  }
  SetHandle(object, 0, 0, &frame->cells[instr.dst]);
  return Trap::kNone;
}

Trap Vm::MakeArray(Frame* frame, const Instr& instr) {
  uint32_t object = 0;
  if (Trap trap = NewStackObject(frame, kTensorSize, 1, &object); trap != Trap::kNone) return trap;
  const uint32_t* parts = frame->function->lists.data() + instr.c;
  const auto constant = [](ScalarType type, int64_t value) {
    Cell cell;
    SetIntLeaf(type, value, 0, &cell);
    return cell;
  };
  Cell bytes;
  const Cell size = constant(U64, int64_t{ByteSize(instr.type)} * instr.b);
  if (Trap trap = MulInt(U64, source_, frame->cells[parts[4]], size, &bytes); trap != Trap::kNone) {
    return trap;
  }
  const struct {
    StructFieldKind field;
    Cell value;
  } fields[] = {
      {kTensorData, frame->cells[parts[0]]},
      {kTensorShape, frame->cells[parts[1]]},
      {kTensorStrides, frame->cells[parts[2]]},
      {kTensorNdim, frame->cells[parts[3]]},
      {kTensorTypeCode, constant(U8, DataTypeCode(instr.type))},
      {kTensorTypeBits, constant(U8, BitWidth(instr.type))},
      {kTensorTypeLanes, constant(U16, instr.b)},
      {kTensorByteOffset, bytes},
      {kTensorDeviceId, constant(I32, 0)},
      {kTensorDeviceType, constant(I32, 1)},
  };
  for (const auto& item : fields) {
    const StructField field = *FindStructField(item.field);
    const Trap trap = WriteScalar(object, field.offset, field.type, item.value, 0);
    if (trap != Trap::kNone) return trap;
  }
  SetHandle(object, 0, 0, &frame->cells[instr.dst]);
  return Trap::kNone;
}

Trap Vm::StructGet(Frame* frame, const Instr& instr) {
  const Cell handle = frame->cells[instr.a];
  const Cell index = frame->cells[instr.b];
  const StructField field = *FindStructField(instr.c);
  int64_t offset = 0;
  if (__builtin_mul_overflow(index.i, field.stride, &offset) ||
      __builtin_add_overflow(offset, handle.i + field.offset, &offset)) {
    return Trap::kOutOfBounds;
  }
  return ReadScalar(handle.object, offset, instr.type, handle.flags | index.flags,
                    &frame->cells[instr.dst]);
}

Trap Vm::StructSet(Frame* frame, const Instr& instr) {
  const Cell handle = frame->cells[instr.a];
  const Cell index = frame->cells[instr.b];
  const Cell& value = frame->cells[frame->function->lists[instr.c]];
  const StructField field = *FindStructField(instr.aux);
  int64_t offset = 0;
  if (__builtin_mul_overflow(index.i, field.stride, &offset) ||
      __builtin_add_overflow(offset, handle.i + field.offset, &offset)) {
    return Trap::kOutOfBounds;
  }
  const uint8_t flags = handle.flags | index.flags;
  if (field.type == VOID && ByteSize(instr.type) < 8) {
    // A narrow value clears the rest of the union.
    Cell zero;
    SetIntLeaf(I64, 0, 0, &zero);
    if (Trap trap = WriteScalar(handle.object, offset, I64, zero, flags); trap != Trap::kNone) {
      return trap;
    }
  }
  return WriteScalar(handle.object, offset, instr.type, value, flags);
}

}  // namespace irate::interp
