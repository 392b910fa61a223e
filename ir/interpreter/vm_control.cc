// Loops, branches, assertions, calls. docs/semantics.md, "Decisions", says what doubtful ones mean.
#include <utility>

#include "fmt/format.h"
#include "ir/interpreter/int_ops.h"
#include "ir/interpreter/packed_api.h"
#include "ir/interpreter/vm.h"

namespace irate::interp {
namespace {

// A loop's number of trips, for an extent and a step that are positive.
int64_t Trips(ScalarType type, int64_t extent, int64_t step) {
  if (type == U64) {
    const uint64_t trips = (static_cast<uint64_t>(extent) - 1) / static_cast<uint64_t>(step) + 1;
    return trips > INT64_MAX ? INT64_MAX : static_cast<int64_t>(trips);
  }
  return (extent - 1) / step + 1;
}

bool IsParallel(const Loop& loop) { return loop.kind == PARALLEL || loop.kind == VECTORIZED; }

}  // namespace

Trap Vm::DoubtEverything(uint8_t flags) {
  if ((flags & kPoison) != 0) return Trap::kPoisonUse;
  if (source_ && (flags & kFragile) != 0) return Trap::kFragileUse;
  global_flags_ |= flags & kDoubt;
  return Trap::kNone;
}

Trap Vm::EnterLoop(Frame* frame, const Loop& loop, uint32_t* pc) {
  Cell* cells = frame->cells.data();
  const Cell& min = cells[loop.min];
  const Cell& extent = cells[loop.extent];
  uint8_t flags = min.flags | extent.flags;
  int64_t step = 1;
  if (loop.step != kNoRegister) {
    flags |= cells[loop.step].flags;
    step = cells[loop.step].i;
    if (step <= 0) return Trap::kStep;
  }
  if (flags != 0) {
    if (source_ && (flags & kLoose) != 0) return Trap::kLooseUse;
    if (Trap trap = DoubtEverything(flags); trap != Trap::kNone) return trap;
  }
  const IntFacts& facts = FactsOf(loop.type);
  if (extent.i == 0 || (extent.i < 0 && loop.type != U64)) {
    *pc = loop.end;
    return Trap::kNone;
  }
  if (source_ && facts.traps &&
      static_cast<__int128>(min.i) + extent.i > static_cast<__int128>(facts.max)) {
    return Explain(Trap::kOverflow, "the end of a loop");
  }
  cells[loop.state].i = Trips(loop.type, extent.i, step);
  cells[loop.state + 1].i = step;
  // The variable stands for every value that it takes.
  Cell* variable = &cells[loop.variable];
  variable->i = min.i;
  variable->p = min.p + extent.p;
  variable->n = min.n;
  variable->flags = flags & kDoubt;
  variable->object = 0;
  MarkMagnitude(facts, variable);
  if (IsParallel(loop)) {
    race_.EnterLoop();
    shared_race_.EnterLoop();
  }
  *pc = loop.begin;
  return Trap::kNone;
}

Trap Vm::NextTrip(Frame* frame, const Loop& loop, uint32_t* pc) {
  Cell* cells = frame->cells.data();
  if (--cells[loop.state].i == 0) {
    if (IsParallel(loop)) {
      race_.LeaveLoop();
      shared_race_.LeaveLoop();
    }
    *pc = loop.end;
    return Trap::kNone;
  }
  Cell* variable = &cells[loop.variable];
  const uint64_t next =
      static_cast<uint64_t>(variable->i) + static_cast<uint64_t>(cells[loop.state + 1].i);
  variable->i = WrapInt(FactsOf(loop.type), static_cast<int64_t>(next));
  if (IsParallel(loop)) {
    race_.NextIteration();
    shared_race_.NextIteration();
  }
  *pc = loop.begin;
  return Trap::kNone;
}

Trap Vm::TakeBranch(Frame* frame, const Instr& instr, uint32_t* pc) {
  const Cell& condition = frame->cells[instr.a];
  const Branch& branch = frame->function->branches[instr.c];
  if (condition.flags != 0) [[unlikely]] {
    return TakeDoubtfulBranch(frame, branch, condition, pc);
  }
  if (condition.i == 0) *pc = branch.else_begin;
  return Trap::kNone;
}

Trap Vm::TakeDoubtfulBranch(Frame* frame, const Branch& branch, const Cell& condition,
                            uint32_t* pc) {
  const uint8_t doubt = condition.flags & kDoubt;
  const bool taken = condition.i != 0;
  if ((doubt & kPoison) != 0) return Trap::kPoisonUse;
  if (source_ && (doubt & kFragile) != 0) return Trap::kFragileUse;
  if (branch.escapes) {
    global_flags_ |= doubt;
    if (!taken) *pc = branch.else_begin;
    return Trap::kNone;
  }
  const uint32_t then_begin = *pc;
  const auto run_arm = [&](bool is_then) {
    return is_then ? Run(frame, then_begin, branch.then_end)
                   : Run(frame, branch.else_begin, branch.end);
  };
  const uint8_t outer_flags = control_flags_;
  const uint32_t outer_doubts = doubt_level_;
  const uint32_t outer_shadows = shadow_level_;
  control_flags_ |= doubt;
  ++doubt_level_;
  if (!run_arm(taken)) return trap_;
  std::vector<Cell> chosen;
  if (branch.result != kNoRegister) {
    const auto first = frame->cells.begin() + branch.result;
    chosen.assign(first, first + branch.lanes);
  }
  // The arm that the machine does not take here: another legal evaluation may take it, and what it
  // writes is doubtful too.
  const size_t loops = race_.depth();
  ++shadow_level_;
  const bool finished = run_arm(!taken);
  // A run that stopped may have stopped deeper inside.
  shadow_level_ = outer_shadows;
  doubt_level_ = outer_doubts;
  control_flags_ = outer_flags;
  if (!finished) {
    race_.Unwind(loops);
    shared_race_.Unwind(loops);
    if (source_ || trap_ == Trap::kFuel || trap_ == Trap::kMemory) return trap_;
    trap_ = Trap::kNone;
    detail_.clear();
    global_flags_ |= doubt;
  }
  for (uint32_t i = 0; i < chosen.size(); ++i) {
    Cell* out = &frame->cells[branch.result + i];
    const Cell other = *out;
    if (finished) {
      JoinArms(branch.type, doubt, chosen[i], other, out);
    } else {
      *out = chosen[i];
      out->flags |= doubt;
    }
  }
  *pc = branch.end;
  return Trap::kNone;
}

Trap Vm::CheckWhile(Frame* frame, const Instr& instr, uint32_t* pc) {
  const Cell& condition = frame->cells[instr.a];
  if (condition.flags != 0) {
    if (Trap trap = DoubtEverything(condition.flags); trap != Trap::kNone) return trap;
  }
  if (condition.i == 0) *pc = frame->function->whiles[instr.c].end;
  return Trap::kNone;
}

Trap Vm::CheckAssert(Frame* frame, const Instr& instr) {
  const Cell& condition = frame->cells[instr.a];
  if (condition.flags != 0) return DoubtEverything(condition.flags);
  if (condition.i != 0) return Trap::kNone;
  return Explain(Trap::kAssertion, frame->function->texts[instr.c]);
}

Trap Vm::CheckAssume(Frame* frame, const Instr& instr) {
  const Cell& condition = frame->cells[instr.a];
  if (condition.i != 0 || condition.flags != 0) return Trap::kNone;
  return Explain(Trap::kAssertion, "an assumption (assume) is false");
}

Trap Vm::CheckDomain(Frame* frame, const Instr& instr) {
  // A promise to the compiler, which it need not keep in what it makes of the program.
  if (!source_) return Trap::kNone;
  const Cell& value = frame->cells[instr.a];
  const Cell& min = frame->cells[instr.b];
  const Cell& extent = frame->cells[instr.c];
  const auto distance = static_cast<__int128>(value.i) - min.i;
  if (distance >= 0 && distance < extent.i) return Trap::kNone;
  return Explain(Trap::kOutOfBounds,
                 fmt::format("block iterator {} is {}, outside of [{}, {} + {})", instr.aux,
                             value.i, min.i, min.i, extent.i));
}

Trap Vm::CallFunction(Frame* frame, const Instr& instr) {
  Frame callee;
  if (Trap trap = Enter(instr.b, frame, &callee); trap != Trap::kNone) return trap;
  const Function& source = *callee.function->source;
  const uint32_t* arguments = frame->function->lists.data() + instr.c;
  Trap trap = Trap::kNone;
  for (int i = 0; i < source.params_size(); ++i) {
    const Param& param = source.params(i);
    if (param.kind() != PARAM_SCALAR) continue;
    const uint32_t first = callee.function->variables[param.id()];
    const uint32_t lanes = Lanes(source.variables(static_cast<int>(param.id())).lanes());
    for (uint32_t lane = 0; lane < lanes; ++lane) {
      callee.cells[first + lane] = frame->cells[arguments[i] + lane];
    }
  }
  if (!RunPrologue(&callee)) trap = trap_;
  uint32_t ordinal = 0;
  for (int i = 0; i < source.params_size() && trap == Trap::kNone; ++i) {
    const Param& param = source.params(i);
    if (param.kind() != PARAM_BUFFER) continue;
    const Cell& handle = frame->cells[arguments[i]];
    trap = BindParameter(&callee, param.id(), ordinal++, handle.object, handle.i, handle.flags);
  }
  if (trap == Trap::kNone && !RunBody(&callee)) trap = trap_;
  if (trap == Trap::kNone) {
    Cell* out = &frame->cells[instr.dst];
    *out = callee.result;
    if (!callee.has_result) out->flags |= kPoison;
  }
  Leave(&callee);
  return trap;
}

// name(args, begin, end): TVMFFIAny arguments [begin, end) of an array, the result at `end`.
Trap Vm::CallPacked(Frame* frame, const Instr& instr) {
  const uint32_t* parts = frame->function->lists.data() + instr.c;
  const Cell stack = frame->cells[parts[0]];
  const int64_t begin = frame->cells[parts[1]].i;
  const int64_t end = frame->cells[parts[2]].i;
  if (begin < 0 || end < begin || end > INT32_MAX) return Trap::kOutOfBounds;
  const int64_t result_offset = stack.i + end * kAnySize;
  Frame callee;
  if (Trap trap = Enter(instr.b, frame, &callee); trap != Trap::kNone) return trap;
  const Function& source = *callee.function->source;
  const auto parameter = [&](int i) {
    return &callee.cells[callee.function->variables[source.params(i).id()]];
  };
  SetHandle(0, 0, 0, parameter(0));
  SetHandle(stack.object, stack.i + begin * kAnySize, stack.flags, parameter(1));
  SetIntLeaf(I32, end - begin, 0, parameter(2));
  SetHandle(stack.object, result_offset, stack.flags, parameter(3));
  Trap trap = Trap::kNone;
  if (!RunPrologue(&callee) || !RunBody(&callee)) trap = trap_;
  if (trap == Trap::kNone && callee.has_result && callee.result.i != 0) {
    trap = Explain(Trap::kReturnCode, fmt::format("{} from {}", callee.result.i, source.name()));
  }
  const bool is_wide = instr.type == HANDLE || instr.type == F64;
  if (trap == Trap::kNone && instr.type != VOID) {
    if (IsFloat(instr.type) && !is_wide) {
      trap = Explain(Trap::kUnsupported, "a packed call that gives a narrow float");
    } else {
      Cell value;
      trap = ReadScalar(stack.object, result_offset + kAnyValueOffset, is_wide ? instr.type : I64,
                        stack.flags, &value);
      if (!is_wide) CastInt(I64, instr.type, source_, value, &value);
      frame->cells[instr.dst] = value;
    }
  }
  Leave(&callee);
  return trap;
}

}  // namespace irate::interp
