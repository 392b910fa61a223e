#include "ir/interpreter/vm.h"

#include "ir/interpreter/float_ops.h"
#include "ir/interpreter/int_ops.h"

namespace irate::interp {
namespace {

constexpr int kMaxCallDepth = 64;

}  // namespace

Vm::Vm(const Program& program, const InterpretOptions& options)
    : program_(program),
      options_(options),
      source_(options.mode == InterpretOptions::Mode::kSource),
      implicit_barriers_(options.implicit_barriers),
      memory_(options.memory) {}

Trap Vm::Enter(uint32_t function, Frame* caller, Frame* frame) {
  if (depth_ >= kMaxCallDepth) return Explain(Trap::kFuel, "calls nested too deeply");
  ++depth_;
  frame->function = &program_.functions[function];
  frame->caller = caller;
  frame->cells.resize(frame->function->cells);
  frame->views.resize(static_cast<size_t>(frame->function->source->buffers_size()));
  for (const ConstantCell& constant : frame->function->constants) {
    frame->cells[constant.index] = constant.cell;
  }
  // A pass may lose the definition of a variable that is still used.
  for (uint32_t i = 0; i < frame->function->variable_cells; ++i) frame->cells[i].flags = kPoison;
  return Trap::kNone;
}

bool Vm::RunPrologue(Frame* frame) { return Run(frame, 0, frame->function->body); }

bool Vm::RunBody(Frame* frame) {
  return Run(frame, frame->function->body, static_cast<uint32_t>(frame->function->code.size()));
}

void Vm::Leave(Frame* frame) {
  --depth_;
  for (const View& view : frame->views) {
    if (view.is_owner) memory_.Free(view.object);
  }
  for (uint32_t object : frame->stack) memory_.Free(object);
}

void Vm::Record(Frame* frame, Trap trap) {
  trap_ = trap;
  place_ = DescribePlace(*frame);
}

bool Vm::Run(Frame* frame, uint32_t begin, uint32_t end) {
  const CompiledFunction& function = *frame->function;
  const Instr* code = function.code.data();
  Cell* cells = frame->cells.data();
  uint32_t pc = begin;
  Trap trap = Trap::kNone;
  while (pc != end) {
    const Instr& instr = code[pc];
    steps_ += instr.lanes;
    if (steps_ > options_.fuel) [[unlikely]] {
      frame->pc = pc;
      Record(frame, Trap::kFuel);
      return false;
    }
    frame->pc = pc++;
    // The hottest instructions, then control, then the rest.
    switch (instr.code) {
      case Code::kAddInt:
        for (uint32_t i = 0; i < instr.lanes && trap == Trap::kNone; ++i) {
          trap = AddInt(instr.type, source_, cells[instr.a + i], cells[instr.b + i],
                        &cells[instr.dst + i]);
        }
        break;
      case Code::kSubInt:
        for (uint32_t i = 0; i < instr.lanes && trap == Trap::kNone; ++i) {
          trap = SubInt(instr.type, source_, cells[instr.a + i], cells[instr.b + i],
                        &cells[instr.dst + i]);
        }
        break;
      case Code::kMulInt:
        for (uint32_t i = 0; i < instr.lanes && trap == Trap::kNone; ++i) {
          trap = MulInt(instr.type, source_, cells[instr.a + i], cells[instr.b + i],
                        &cells[instr.dst + i]);
        }
        break;
      case Code::kCompareInt:
        for (uint32_t i = 0; i < instr.lanes; ++i) {
          CompareInt(static_cast<Op>(instr.aux), instr.type, cells[instr.a + i], cells[instr.b + i],
                     &cells[instr.dst + i]);
        }
        break;
      case Code::kLoad:
        trap = LoadLanes(frame, instr);
        break;
      case Code::kStore:
        trap = StoreLanes(frame, instr);
        break;
      case Code::kJump:
        pc = instr.a;
        break;
      case Code::kBranch:
        trap = TakeBranch(frame, instr, &pc);
        break;
      case Code::kLoopEnter:
        trap = EnterLoop(frame, function.loops[instr.c], &pc);
        break;
      case Code::kLoopNext:
        trap = NextTrip(frame, function.loops[instr.c], &pc);
        break;
      case Code::kWhile:
        trap = CheckWhile(frame, instr, &pc);
        break;
      case Code::kLaunch:
        trap = RunLaunch(frame, instr, &pc);
        break;
      case Code::kReturn:
        frame->returned = true;
        frame->has_result = instr.a != kNoRegister;
        if (frame->has_result) frame->result = cells[instr.a];
        return true;
      case Code::kMove:
        for (uint32_t i = 0; i < instr.lanes; ++i) cells[instr.dst + i] = cells[instr.a + i];
        break;
      default:
        trap = Step(frame, instr);
        break;
    }
    if (trap != Trap::kNone) [[unlikely]] {
      if (trap == Trap::kYield) return false;
      // A failed run inside (an arm, a call) has reported its own place.
      if (trap_ == Trap::kNone) Record(frame, trap);
      return false;
    }
  }
  return true;
}

Trap Vm::Step(Frame* frame, const Instr& instr) {
  Cell* cells = frame->cells.data();
  const auto op = static_cast<Op>(instr.aux);
  switch (instr.code) {
    case Code::kDivideInt:
      return DivideLanes(frame, instr);
    case Code::kShiftInt:
      return ShiftLanes(frame, instr);
    case Code::kMinMaxInt:
      for (uint32_t i = 0; i < instr.lanes; ++i) {
        MinMaxInt(op, instr.type, cells[instr.a + i], cells[instr.b + i], &cells[instr.dst + i]);
      }
      return Trap::kNone;
    case Code::kBitwiseInt:
      for (uint32_t i = 0; i < instr.lanes; ++i) {
        BitwiseInt(op, instr.type, cells[instr.a + i], cells[instr.b + i], &cells[instr.dst + i]);
      }
      return Trap::kNone;
    case Code::kNotInt:
      for (uint32_t i = 0; i < instr.lanes; ++i) {
        NotInt(instr.type, cells[instr.a + i], &cells[instr.dst + i]);
      }
      return Trap::kNone;
    case Code::kAnd:
    case Code::kOr:
      for (uint32_t i = 0; i < instr.lanes; ++i) {
        LogicInt(instr.code == Code::kAnd, cells[instr.a + i], cells[instr.b + i],
                 &cells[instr.dst + i]);
      }
      return Trap::kNone;
    case Code::kPopcount:
    case Code::kClz:
      return BitCountLanes(frame, instr);
    case Code::kQMultiplyShift:
      return MultiplyShiftLanes(frame, instr);
    case Code::kCompareHandle: {
      const Cell& a = cells[instr.a];
      const Cell& b = cells[instr.b];
      const bool equal = a.object == b.object && a.i == b.i;
      SetBool(equal == (op == EQ), (a.flags | b.flags) & kDoubt, &cells[instr.dst]);
      return Trap::kNone;
    }
    case Code::kSelect:
      SelectLanes(frame, instr);
      return Trap::kNone;
    case Code::kCast:
      return CastLanes(frame, instr);
    case Code::kReinterpret:
      return ReinterpretLanes(frame, instr);
    case Code::kRamp:
      return RampLanes(frame, instr);
    case Code::kBroadcast: {
      const Cell value = cells[instr.a];
      for (uint32_t i = 0; i < instr.lanes; ++i) cells[instr.dst + i] = value;
      return Trap::kNone;
    }
    case Code::kShuffle: {
      const uint32_t* chosen = frame->function->lists.data() + instr.c;
      for (uint32_t i = 0; i < instr.lanes; ++i) cells[instr.dst + i] = cells[chosen[i]];
      return Trap::kNone;
    }
    case Code::kTrap:
      return Explain(static_cast<Trap>(instr.aux), frame->function->texts[instr.c]);
    case Code::kAssert:
      return CheckAssert(frame, instr);
    case Code::kAssume:
      return CheckAssume(frame, instr);
    case Code::kCheckDomain:
      return CheckDomain(frame, instr);
    case Code::kCall:
      return CallFunction(frame, instr);
    case Code::kCallPacked:
      return CallPacked(frame, instr);
    case Code::kCallExternal:
      return CallExternal(frame, instr);
    case Code::kCallPackedKernel:
      return CallPackedKernel(frame, instr);
    case Code::kCallKernel:
      return CallKernel(frame, instr);
    case Code::kThread:
      return SetThreadIndex(frame, instr);
    case Code::kConverge:
    case Code::kBarrier:
    case Code::kAllReduce:
      return WaitFor(frame, instr);
    default:
      return instr.code <= Code::kLdexp ? FloatStep(frame, instr) : PointerStep(frame, instr);
  }
}

}  // namespace irate::interp
