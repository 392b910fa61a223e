// Single steps on floats and pointers.
#include "ir/interpreter/float_ops.h"
#include "ir/interpreter/math_ops.h"
#include "ir/interpreter/vm.h"

namespace irate::interp {

Trap Vm::FloatStep(Frame* frame, const Instr& instr) {
  Cell* cells = frame->cells.data();
  const FloatFacts& facts = FloatFactsOf(instr.type);
  const auto op = static_cast<Op>(instr.aux);
  const auto binary = [&](auto&& apply) {
    for (uint32_t i = 0; i < instr.lanes; ++i) {
      apply(cells[instr.a + i], cells[instr.b + i], &cells[instr.dst + i]);
    }
    return Trap::kNone;
  };
  switch (instr.code) {
    case Code::kAddFloat:
      return binary([&](const Cell& a, const Cell& b, Cell* out) { AddFloat(facts, a, b, out); });
    case Code::kSubFloat:
      return binary([&](const Cell& a, const Cell& b, Cell* out) { SubFloat(facts, a, b, out); });
    case Code::kMulFloat:
      return binary([&](const Cell& a, const Cell& b, Cell* out) { MulFloat(facts, a, b, out); });
    case Code::kDivFloat:
      return binary([&](const Cell& a, const Cell& b, Cell* out) { DivFloat(facts, a, b, out); });
    case Code::kMinMaxFloat:
      return binary(
          [&](const Cell& a, const Cell& b, Cell* out) { MinMaxFloat(op, facts, a, b, out); });
    case Code::kCompareFloat:
      return binary(
          [&](const Cell& a, const Cell& b, Cell* out) { CompareFloat(op, facts, a, b, out); });
    case Code::kFma:
      for (uint32_t i = 0; i < instr.lanes; ++i) {
        FmaFloat(facts, cells[instr.a + i], cells[instr.b + i], cells[instr.c + i],
                 &cells[instr.dst + i]);
      }
      return Trap::kNone;
    case Code::kLdexp:
      return binary([&](const Cell& a, const Cell& b, Cell* out) { LdexpFloat(facts, a, b, out); });
    default:
      MathLanes(frame, instr);
      return Trap::kNone;
  }
}

Trap Vm::PointerStep(Frame* frame, const Instr& instr) {
  Cell* cells = frame->cells.data();
  switch (instr.code) {
    case Code::kAddressOf:
      return AddressOf(frame, instr);
    case Code::kAlloc:
      return Allocate(frame, instr);
    case Code::kView:
      return MakeView(frame, instr);
    case Code::kMatch:
      return MatchView(frame, instr);
    case Code::kBufferData: {
      const View& view = frame->views[instr.b];
      if (!view.exists) return Trap::kInvalidPointer;
      SetHandle(view.object, view.base, view.flags, &cells[instr.dst]);
      return Trap::kNone;
    }
    case Code::kAddByteOffset:
    case Code::kAccessPointer: {
      const Cell& handle = cells[instr.a];
      const Cell& amount = cells[instr.b];
      const int64_t scale = instr.code == Code::kAccessPointer ? instr.c : 1;
      int64_t offset = 0;
      if (__builtin_mul_overflow(amount.i, scale, &offset) ||
          __builtin_add_overflow(handle.i, offset, &offset)) {
        return Trap::kOutOfBounds;
      }
      SetHandle(handle.object, offset, handle.flags | amount.flags, &cells[instr.dst]);
      return Trap::kNone;
    }
    case Code::kIsNull: {
      const Cell& handle = cells[instr.a];
      SetBool(handle.object == 0 && handle.i == 0, handle.flags & kDoubt, &cells[instr.dst]);
      return Trap::kNone;
    }
    case Code::kStackAlloca:
      return StackAlloca(frame, instr);
    case Code::kWorkspace:
      return Workspace(frame, instr);
    case Code::kFreeWorkspace:
      return FreeWorkspace(frame, instr);
    case Code::kMakeShape:
      return MakeShape(frame, instr);
    case Code::kMakeArray:
      return MakeArray(frame, instr);
    case Code::kStructGet:
      return StructGet(frame, instr);
    case Code::kStructSet:
      return StructSet(frame, instr);
    default:
      return Explain(Trap::kUnsupported, "an unknown instruction");
  }
}

}  // namespace irate::interp
