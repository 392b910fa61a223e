// Accesses to buffers.
#include <algorithm>
#include <utility>

#include "absl/strings/str_join.h"
#include "fmt/format.h"
#include "ir/interpreter/float_ops.h"
#include "ir/interpreter/vm.h"

namespace irate::interp {

Trap Vm::CheckAddress(uint8_t flags) const {
  if ((flags & kPoison) != 0) return Trap::kPoisonUse;
  if (source_ && (flags & kFragile) != 0) return Trap::kFragileUse;
  if (source_ && (flags & kLoose) != 0) return Trap::kLooseUse;
  return Trap::kNone;
}

Trap Vm::ElementOffset(const Frame& frame, const Instr& instr, const View& view, uint32_t lane,
                       int64_t* offset, uint8_t* flags) {
  const uint32_t* indices = frame.function->lists.data() + instr.c;
  const uint32_t count = instr.aux;
  int64_t element = view.elem_offset;
  bool inside = count == view.shape.size();
  bool overflow = !inside;
  *flags = view.flags;
  for (uint32_t i = 0; i < count && inside; ++i) {
    const Cell& index = frame.cells[indices[i] + (i + 1 == count ? lane : 0)];
    *flags |= index.flags;
    int64_t distance = 0;
    overflow |= __builtin_mul_overflow(index.i, view.strides[i], &distance);
    overflow |= __builtin_add_overflow(element, distance, &element);
    inside = !source_ || (index.i >= 0 && index.i < view.shape[i]);
  }
  const int64_t size = int64_t{ByteSize(view.type)} * view.lanes;
  int64_t bytes = 0;
  overflow |= __builtin_mul_overflow(element, size, &bytes);
  overflow |= __builtin_add_overflow(view.base, bytes, offset);
  if (inside && !overflow) [[likely]]
    return Trap::kNone;
  return ExplainAccess(Trap::kOutOfBounds, frame, instr, lane);
}

Trap Vm::ExplainAccess(Trap trap, const Frame& frame, const Instr& instr, uint32_t lane) {
  if (!detail_.empty()) return trap;
  const uint32_t* indices = frame.function->lists.data() + instr.c;
  std::vector<int64_t> values;
  for (uint32_t i = 0; i < instr.aux; ++i) {
    values.push_back(frame.cells[indices[i] + (i + 1u == instr.aux ? lane : 0)].i);
  }
  const View& view = frame.views[instr.b];
  const Buffer& buffer = frame.function->source->buffers(static_cast<int>(instr.b));
  return Explain(trap, fmt::format("{}[{}] of shape [{}]", buffer.name(),
                                   absl::StrJoin(values, ", "), absl::StrJoin(view.shape, ", ")));
}

Trap Vm::LoadLanes(Frame* frame, const Instr& instr) {
  const View& view = frame->views[instr.b];
  if (!view.exists) return Trap::kInvalidPointer;
  const auto size = static_cast<int64_t>(ByteSize(view.type));
  Cell* out = &frame->cells[instr.dst];
  const bool conflicts = (instr.a & kReductionAccess) == 0;
  for (uint32_t lane = 0; lane < instr.lanes; ++lane) {
    int64_t offset = 0;
    uint8_t flags = 0;
    Trap trap = ElementOffset(*frame, instr, view, lane, &offset, &flags);
    for (uint32_t part = 0; part < view.lanes && trap == Trap::kNone; ++part, ++out) {
      trap = ReadScalar(view.object, offset + part * size, view.type, flags, out, conflicts);
    }
    if (trap == Trap::kNone) continue;
    if (trap == Trap::kOutOfBounds && !source_ && (flags & kInconclusive) != 0) {
      // Another legal evaluation may be inside.
      detail_.clear();
      global_flags_ |= kInconclusive;
      out = &frame->cells[instr.dst + lane * view.lanes];
      for (uint32_t part = 0; part < view.lanes; ++part, ++out) {
        SetFromBits(view.type, 0, kInconclusive, out);
      }
      continue;
    }
    if (!source_ && (instr.a & kSpeculativeLoad) != 0 &&
        (trap == Trap::kOutOfBounds || trap == Trap::kPoisonUse)) {
      // Passes fold what the condition implies into the arms, and RewriteUnsafeSelect mends it
      // before code is generated: such a load counts only if the arm is chosen.
      detail_.clear();
      out = &frame->cells[instr.dst + lane * view.lanes];
      for (uint32_t part = 0; part < view.lanes; ++part, ++out) {
        SetFromBits(view.type, 0, kPoison, out);
      }
      continue;
    }
    return ExplainAccess(trap, *frame, instr, lane);
  }
  return Trap::kNone;
}

Trap Vm::StoreLanes(Frame* frame, const Instr& instr) {
  const View& view = frame->views[instr.b];
  if (!view.exists) return Trap::kInvalidPointer;
  const auto size = static_cast<int64_t>(ByteSize(view.type));
  const Cell* value = &frame->cells[instr.a];
  const bool conflicts = (instr.dst & kReductionAccess) == 0;
  for (uint32_t lane = 0; lane < instr.lanes; ++lane) {
    int64_t offset = 0;
    uint8_t flags = 0;
    if (Trap trap = ElementOffset(*frame, instr, view, lane, &offset, &flags);
        trap != Trap::kNone) {
      return trap;
    }
    for (uint32_t part = 0; part < view.lanes; ++part, ++value) {
      const Trap trap =
          WriteScalar(view.object, offset + part * size, view.type, *value, flags, conflicts);
      if (trap == Trap::kNone) continue;
      return ExplainAccess(trap, *frame, instr, lane);
    }
  }
  return Trap::kNone;
}

Trap Vm::AddressOf(Frame* frame, const Instr& instr) {
  const View& view = frame->views[instr.b];
  if (!view.exists) return Trap::kInvalidPointer;
  int64_t offset = 0;
  uint8_t flags = 0;
  if (Trap trap = ElementOffset(*frame, instr, view, 0, &offset, &flags); trap != Trap::kNone) {
    return trap;
  }
  SetHandle(view.object, offset, flags, &frame->cells[instr.dst]);
  return Trap::kNone;
}

Trap Vm::CheckRace(Object* object, int64_t offset, uint32_t size, bool is_write) {
  RaceDetector& race = object->is_global ? race_ : shared_race_;
  if (!race.active()) return Trap::kNone;
  if (object->stamps.empty()) object->stamps.resize(object->state.size());
  const size_t first = static_cast<size_t>(offset) / object->granule;
  const size_t last = (static_cast<size_t>(offset) + size - 1) / object->granule;
  for (size_t i = first; i <= last; ++i) {
    Stamp* stamp = &object->stamps[i];
    if (is_write ? race.OnWrite(stamp) : race.OnRead(stamp)) {
      return IsThreadRunning() ? Trap::kThreadRace : Trap::kRace;
    }
  }
  return Trap::kNone;
}

Trap Vm::ReadScalar(uint32_t object, int64_t offset, ScalarType type, uint8_t address_flags,
                    Cell* out, bool conflicts) {
  if (address_flags != 0) [[unlikely]] {
    if (Trap trap = CheckAddress(address_flags); trap != Trap::kNone) return trap;
  }
  if (!memory_.IsAlive(object)) return Trap::kInvalidPointer;
  if (Trap trap = memory_.Load(object, offset, type, out); trap != Trap::kNone) return trap;
  if (conflicts) {
    const Trap trap =
        CheckRace(&memory_.object(object), offset, static_cast<uint32_t>(ByteSize(type)), false);
    if (trap != Trap::kNone) return trap;
  }
  if ((out->flags & kPoison) != 0 && source_) [[unlikely]] {
    // In an arm that the machine does not take, what the arm wrote is not there.
    const bool pretended = shadow_level_ > 0 && (out->flags & kInconclusive) != 0;
    if (!pretended) return Trap::kUninitialised;
    out->flags &= static_cast<uint8_t>(~kPoison);
  }
  out->flags |= address_flags & kDoubt;
  return Trap::kNone;
}

Trap Vm::WriteScalar(uint32_t object, int64_t offset, ScalarType type, const Cell& value,
                     uint8_t address_flags, bool conflicts) {
  if (address_flags != 0) [[unlikely]] {
    if (Trap trap = CheckAddress(address_flags); trap != Trap::kNone) return trap;
  }
  if (!memory_.IsAlive(object)) return Trap::kInvalidPointer;
  Object* target = &memory_.object(object);
  const auto size = static_cast<uint32_t>(ByteSize(type));
  const uint8_t doubt = address_flags & kDoubt;
  // What came into being in a branch ends with it: whether the branch is taken is no doubt about
  // it.
  const uint8_t control = target->doubt_level < doubt_level_ ? control_flags_ : 0;
  if (target->shadow_level < shadow_level_) {
    if (Trap trap = memory_.Taint(object, offset, size, control | doubt); trap != Trap::kNone) {
      return trap;
    }
  } else if (Trap trap = memory_.Store(object, offset, type, value, control | doubt);
             trap != Trap::kNone) {
    return trap;
  }
  // It may have gone anywhere.
  if (doubt != 0) memory_.TaintAll(object, doubt);
  return conflicts ? CheckRace(target, offset, size, true) : Trap::kNone;
}

}  // namespace irate::interp
