// Instructions over all lanes that need more than a line.
#include <bit>
#include <cstring>

#include "ir/interpreter/bits.h"
#include "ir/interpreter/float_ops.h"
#include "ir/interpreter/int_ops.h"
#include "ir/interpreter/math_ops.h"
#include "ir/interpreter/vm.h"

namespace irate::interp {

Trap Vm::DivideLanes(Frame* frame, const Instr& instr) {
  Cell* cells = frame->cells.data();
  for (uint32_t i = 0; i < instr.lanes; ++i) {
    const Trap trap = DivideInt(static_cast<Op>(instr.aux), instr.type, source_, cells[instr.a + i],
                                cells[instr.b + i], &cells[instr.dst + i]);
    if (trap != Trap::kNone) return trap;
  }
  return Trap::kNone;
}

Trap Vm::ShiftLanes(Frame* frame, const Instr& instr) {
  Cell* cells = frame->cells.data();
  for (uint32_t i = 0; i < instr.lanes; ++i) {
    const Trap trap = ShiftInt(static_cast<Op>(instr.aux), instr.type, source_, cells[instr.a + i],
                               cells[instr.b + i], &cells[instr.dst + i]);
    if (trap != Trap::kNone) return trap;
  }
  return Trap::kNone;
}

Trap Vm::CastLanes(Frame* frame, const Instr& instr) {
  Cell* cells = frame->cells.data();
  const auto from = static_cast<ScalarType>(instr.aux);
  const ScalarType to = instr.type;
  for (uint32_t i = 0; i < instr.lanes; ++i) {
    const Cell& a = cells[instr.a + i];
    Cell* out = &cells[instr.dst + i];
    if (IsFloat(from)) {
      if (IsFloat(to)) {
        CastFloat(FloatFactsOf(from), FloatFactsOf(to), a, out);
      } else if (Trap trap = FloatToInt(to, source_, a, out); trap != Trap::kNone) {
        return trap;
      }
    } else if (IsFloat(to)) {
      IntToFloat(from, FloatFactsOf(to), a, out);
    } else {
      CastInt(from, to, source_, a, out);
    }
  }
  return Trap::kNone;
}

Trap Vm::ReinterpretLanes(Frame* frame, const Instr& instr) {
  Cell* cells = frame->cells.data();
  const auto from = static_cast<ScalarType>(instr.aux);
  const ScalarType to = instr.type;
  if (from == to) {
    for (uint32_t i = 0; i < instr.lanes; ++i) cells[instr.dst + i] = cells[instr.a + i];
    return Trap::kNone;
  }
  if (from == HANDLE || to == HANDLE) {
    const Cell& a = cells[instr.a];
    const bool is_null = a.object == 0 && a.i == 0;
    if (!is_null) return Explain(Trap::kUnsupported, "a pointer as an integer or from one");
    SetFromBits(to, 0, a.flags, &cells[instr.dst]);
    return Trap::kNone;
  }
  if (instr.lanes == instr.c) {
    for (uint32_t i = 0; i < instr.lanes; ++i) {
      const Cell& a = cells[instr.a + i];
      SetFromForeign(RecordOf(from, a), CellBits(from, a), to, a.flags, &cells[instr.dst + i]);
    }
    return Trap::kNone;
  }
  // Other lanes: all of the bits, cut anew. A doubt about one is a doubt about all.
  const auto from_size = static_cast<size_t>(ByteSize(from));
  const auto to_size = static_cast<size_t>(ByteSize(to));
  std::vector<uint8_t> bytes(from_size * instr.c + sizeof(uint64_t));
  uint8_t flags = 0;
  for (uint32_t i = 0; i < instr.c; ++i) {
    const Cell& a = cells[instr.a + i];
    const uint64_t bits = CellBits(from, a);
    std::memcpy(bytes.data() + i * from_size, &bits, from_size);
    flags |= a.flags;
    if (!HasCertainBits(RecordOf(from, a), bits)) flags |= kInconclusive | kLoose;
  }
  for (uint32_t i = 0; i < instr.lanes; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + i * to_size, to_size);
    SetFromBits(to, bits, flags, &cells[instr.dst + i]);
  }
  return Trap::kNone;
}

Trap Vm::BitCountLanes(Frame* frame, const Instr& instr) {
  Cell* cells = frame->cells.data();
  const IntFacts& facts = FactsOf(instr.type);
  const uint64_t mask = facts.bits == 64 ? UINT64_MAX : (uint64_t{1} << facts.bits) - 1;
  for (uint32_t i = 0; i < instr.lanes; ++i) {
    const Cell& a = cells[instr.a + i];
    const uint64_t bits = static_cast<uint64_t>(a.i) & mask;
    uint8_t flags = SpreadLoose(a.flags);
    int64_t count = std::popcount(bits);
    if (instr.code == Code::kClz) {
      count = std::countl_zero(bits) - (64 - facts.bits);
      if (bits == 0) {
        if (source_ && (flags & kDoubt) == 0) {
          return Explain(Trap::kInvalidArgument, "clz of zero");
        }
        flags |= kPoison;
      }
    }
    SetIntLeaf(I32, count, flags, &cells[instr.dst + i]);
  }
  return Trap::kNone;
}

// x * y / 2^q * 2^s, rounded to nearest, halves up (tvm::tirx::q_multiply_shift).
Trap Vm::MultiplyShiftLanes(Frame* frame, const Instr& instr) {
  Cell* cells = frame->cells.data();
  const uint32_t* operands = frame->function->lists.data() + instr.c;
  for (uint32_t i = 0; i < instr.lanes; ++i) {
    const Cell& x = cells[operands[0] + i];
    const Cell& y = cells[operands[1] + i];
    const Cell& q = cells[operands[2] + i];
    const Cell& s = cells[operands[3] + i];
    const uint8_t flags = SpreadLoose(x.flags | y.flags | q.flags | s.flags);
    const int64_t left = s.i > 0 ? s.i : 0;
    const int64_t right = q.i + (s.i > 0 ? 0 : -s.i);
    if (left > 31 || q.i < 0 || right < 1 || right > 62) {
      return Explain(Trap::kShiftRange, "q_multiply_shift");
    }
    const __int128 product = (static_cast<__int128>(x.i) << left) * y.i;
    const __int128 rounded = (product + (__int128{1} << (right - 1))) >> right;
    const bool fits = product + (__int128{1} << (right - 1)) <= INT64_MAX && product >= INT64_MIN &&
                      rounded >= INT32_MIN && rounded <= INT32_MAX;
    const int64_t value = WrapInt(FactsOf(I32), static_cast<int64_t>(rounded));
    SetIntLeaf(I32, value, static_cast<uint8_t>(flags | (fits ? 0 : kFragile)),
               &cells[instr.dst + i]);
  }
  return Trap::kNone;
}

Trap Vm::RampLanes(Frame* frame, const Instr& instr) {
  Cell* cells = frame->cells.data();
  const Cell base = cells[instr.a];
  const Cell stride = cells[instr.b];
  for (uint32_t i = 0; i < instr.lanes; ++i) {
    Cell index;
    SetIntLeaf(instr.type, WrapInt(FactsOf(instr.type), i), 0, &index);
    Cell distance;
    if (Trap trap = MulInt(instr.type, source_, stride, index, &distance); trap != Trap::kNone) {
      return trap;
    }
    if (Trap trap = AddInt(instr.type, source_, base, distance, &cells[instr.dst + i]);
        trap != Trap::kNone) {
      return trap;
    }
  }
  return Trap::kNone;
}

void Vm::SelectLanes(Frame* frame, const Instr& instr) {
  Cell* cells = frame->cells.data();
  for (uint32_t i = 0; i < instr.lanes; ++i) {
    const Cell& condition = cells[instr.a + (instr.aux != 0 ? i : 0)];
    const uint8_t doubt = condition.flags & kDoubt;
    const Cell& chosen = cells[(condition.i != 0 ? instr.b : instr.c) + i];
    Cell* out = &cells[instr.dst + i];
    if (doubt == 0) {
      *out = chosen;
      continue;
    }
    JoinArms(instr.type, doubt, chosen, cells[(condition.i != 0 ? instr.c : instr.b) + i], out);
  }
}

void Vm::MathLanes(Frame* frame, const Instr& instr) {
  Cell* cells = frame->cells.data();
  const FloatFacts& facts = FloatFactsOf(instr.type);
  const MathFunction& function = *frame->function->math_functions[instr.c];
  for (uint32_t i = 0; i < instr.lanes; ++i) {
    ApplyMath(function, facts, cells[instr.a + i], cells[instr.b + i], &cells[instr.dst + i]);
  }
}

void JoinArms(ScalarType type, uint8_t doubt, const Cell& chosen, const Cell& other, Cell* out) {
  if (IsFloat(type) && doubt == kInconclusive) {
    JoinFloat(chosen, other, out);
    return;
  }
  const bool equal = !IsFloat(type) && chosen.i == other.i && chosen.object == other.object;
  const uint8_t flags = chosen.flags | other.flags;
  if (out != &chosen) *out = chosen;
  // Both arms say the same: the condition does not matter.
  out->flags = static_cast<uint8_t>(flags | (equal && (doubt & kPoison) == 0 ? 0 : doubt));
}

}  // namespace irate::interp
