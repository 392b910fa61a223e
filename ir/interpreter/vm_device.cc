// Launches: threads, barriers, reductions over threads. docs/semantics.md, "Devices", has the
// rules.
#include "ir/interpreter/device.h"

#include <algorithm>
#include <string>
#include <utility>

#include "fmt/format.h"
#include "ir/interpreter/float_ops.h"
#include "ir/interpreter/int_ops.h"
#include "ir/interpreter/packed_api.h"
#include "ir/interpreter/vm.h"

namespace irate::interp {
namespace {

// A frame costs kilobytes, and real devices allow no more.
constexpr int64_t kMaxThreads = 1024;
constexpr int64_t kMaxBlocks = int64_t{1} << 31;

using State = Thread::State;

}  // namespace

Trap Vm::LaunchExtents(Frame* frame, const Launch& launch, BlockRun* run) {
  uint8_t flags = 0;
  for (uint32_t dim = 0; dim < kThreadDims; ++dim) {
    run->extents[dim] = 1;
    if (launch.extents[dim] == kNoRegister) continue;
    const Cell& extent = frame->cells[launch.extents[dim]];
    flags |= extent.flags;
    run->extents[dim] = std::max<int64_t>(extent.i, 0);
  }
  if (const std::vector<int64_t> given = std::exchange(kernel_extents_, {}); !given.empty()) {
    for (uint32_t dim = 0; dim < kThreadDims; ++dim) {
      if (given[dim] == run->extents[dim]) continue;
      return Explain(Trap::kLaunch, fmt::format("the kernel is launched with {} where it has {}",
                                                given[dim], run->extents[dim]));
    }
  }
  return flags == 0 ? Trap::kNone : DoubtEverything(flags);
}

Trap Vm::RunLaunch(Frame* frame, const Instr& instr, uint32_t* pc) {
  const Launch& launch = frame->function->launches[instr.c];
  if (block_ != nullptr) return Explain(Trap::kUnsupported, "a launch inside of a launch");
  BlockRun run;
  run.function = frame->function;
  run.doubt_level = doubt_level_;
  if (Trap trap = LaunchExtents(frame, launch, &run); trap != Trap::kNone) return trap;
  int64_t threads = 1;
  int64_t blocks = 1;
  for (uint32_t dim = 0; dim < kThreadDims; ++dim) {
    int64_t* count = dim < kBlockDims ? &blocks : &threads;
    if (run.extents[dim] > kMaxBlocks) return Explain(Trap::kFuel, "too many blocks");
    *count = std::min(*count * run.extents[dim], kMaxBlocks);
  }
  if (threads > kMaxThreads) {
    return Explain(Trap::kUnsupported, fmt::format("{} threads of a block", threads));
  }
  const uint32_t begin = *pc;
  Trap trap = Trap::kNone;
  block_ = &run;
  if (threads > 0 && blocks > 0) {
    race_.EnterLoop();
    shared_race_.EnterLoop();
    for (int64_t block = 0; block < blocks && trap == Trap::kNone; ++block) {
      if (block > 0) {
        race_.NextIteration();
        shared_race_.NextIteration();
      }
      trap = RunBlock(*frame, begin, launch.end, block, &run);
    }
    race_.LeaveLoop();
    shared_race_.LeaveLoop();
  }
  block_ = nullptr;
  *pc = launch.end;
  return trap;
}

Trap Vm::RunBlock(const Frame& frame, uint32_t begin, uint32_t end, int64_t block, BlockRun* run) {
  int64_t count = 1;
  for (uint32_t dim = kBlockDims; dim < kThreadDims; ++dim) count *= run->extents[dim];
  run->threads.resize(static_cast<size_t>(count));
  const uint32_t global_run = race_.NewRun();
  const uint32_t shared_run = shared_race_.NewRun();
  for (int64_t i = 0; i < count; ++i) {
    Thread& thread = run->threads[static_cast<size_t>(i)];
    thread.frame = frame;
    for (View& view : thread.frame.views) view.is_owner = false;
    thread.frame.stack.clear();
    thread.pc = begin;
    thread.allocations.clear();
    thread.state = State::kReady;
    const auto split = [&](int64_t rest, uint32_t first) {
      for (uint32_t dim = first; dim < first + kBlockDims; ++dim) {
        thread.index[dim] = rest % run->extents[dim];
        rest /= run->extents[dim];
      }
    };
    split(block, 0);
    split(i, kBlockDims);
    race_.StartThread(global_run, &thread.global);
    shared_race_.StartThread(shared_run, &thread.shared);
  }
  Trap trap = Trap::kNone;
  bool running = true;
  while (running && trap == Trap::kNone) {
    for (Thread& thread : run->threads) {
      if (thread.state != State::kReady) continue;
      trap = RunThread(end, &thread, run);
      if (trap != Trap::kNone) break;
    }
    if (trap == Trap::kNone) trap = Meet(run, &running);
  }
  for (Thread& thread : run->threads) {
    for (const View& view : thread.frame.views) {
      if (view.is_owner) memory_.Free(view.object);
    }
    for (uint32_t object : thread.frame.stack) memory_.Free(object);
  }
  for (const auto& [pc, objects] : run->shared) {
    for (uint32_t object : objects) memory_.Free(object);
  }
  run->shared.clear();
  return trap;
}

Trap Vm::RunThread(uint32_t end, Thread* thread, BlockRun* run) {
  run->current = thread;
  thread->state = State::kDone;
  race_.Swap(&thread->global);
  shared_race_.Swap(&thread->shared);
  const bool finished = Run(&thread->frame, thread->pc, end);
  race_.Swap(&thread->global);
  shared_race_.Swap(&thread->shared);
  run->current = nullptr;
  if (finished || trap_ != Trap::kNone) return trap_;
  thread->pc = thread->frame.pc + 1;
  return Trap::kNone;
}

// All threads have stopped. Those that wait for each other go on if they are at one place.
Trap Vm::Meet(BlockRun* run, bool* running) {
  *running = false;
  bool together = true;
  bool converging = false;
  Thread* waiting = nullptr;
  const Thread& first = run->threads.front();
  for (Thread& thread : run->threads) {
    together &= thread.state == first.state && thread.pc == first.pc;
    converging |= thread.state == State::kConverging;
    if (thread.state == State::kDone) continue;
    *running = true;
    if (thread.state != State::kConverging && waiting == nullptr) waiting = &thread;
  }
  if (!*running) return Trap::kNone;
  if (waiting != nullptr && together) together = InSameIterations(*run);
  if (!together) {
    if (!converging) return Diverged(*run, *waiting);
    // Nothing orders threads that are at different places; those at a barrier wait on.
    for (Thread& thread : run->threads) {
      if (thread.state == State::kConverging) thread.state = State::kReady;
    }
    return Trap::kNone;
  }
  if (first.state == State::kReducing) {
    if (Trap trap = Reduce(run); trap != Trap::kNone) return trap;
  }
  // A barrier of shared memory orders nothing else.
  const uint32_t next = shared_race_.NewRun();
  for (Thread& thread : run->threads) {
    if (shared_race_.Advance(next, &thread.shared)) continue;
    if (first.state == State::kConverging) continue;
    place_ = DescribePlace(thread.frame);
    return trap_ = Explain(Trap::kUnsupported, "a barrier inside of a parallel or vectorized loop");
  }
  for (Thread& thread : run->threads) thread.state = State::kReady;
  return Trap::kNone;
}

bool Vm::InSameIterations(const BlockRun& run) const {
  const Thread& first = run.threads.front();
  const Instr& instr = run.function->code[first.pc - 1];
  const uint32_t* loops = run.function->lists.data() + instr.c;
  return std::ranges::all_of(run.threads, [&](const Thread& thread) {
    for (uint32_t i = 0; i < instr.aux; ++i) {
      if (thread.frame.cells[loops[i]].i != first.frame.cells[loops[i]].i) return false;
    }
    return true;
  });
}

Trap Vm::Diverged(const BlockRun& run, const Thread& waiting) {
  size_t there = 0;
  for (const Thread& thread : run.threads) {
    there += thread.state == waiting.state && thread.pc == waiting.pc ? 1 : 0;
  }
  place_ = DescribePlace(waiting.frame);
  return trap_ = Explain(
             Trap::kBarrierDivergence,
             there == run.threads.size()
                 ? "threads of a block wait in different iterations"
                 : fmt::format("{} of {} threads of a block wait here", there, run.threads.size()));
}

bool Vm::IsThreadRunning() const { return block_ != nullptr && block_->current != nullptr; }

Trap Vm::WaitFor(Frame* frame, const Instr& instr) {
  const bool is_barrier = instr.code != Code::kConverge;
  if (!is_barrier && !implicit_barriers_) return Trap::kNone;
  if (!IsThreadRunning()) return Explain(Trap::kUnsupported, "a barrier outside of threads");
  if (doubt_level_ != block_->doubt_level || &block_->current->frame != frame) {
    if (!is_barrier) return Trap::kNone;
    // Whether the thread comes here at all is in doubt.
    if (source_) return Explain(Trap::kBarrierDivergence, "a condition in doubt decides");
    return Explain(Trap::kUnsupported, "a barrier in a doubtful branch or in a called function");
  }
  block_->current->state = instr.code == Code::kConverge  ? State::kConverging
                           : instr.code == Code::kBarrier ? State::kAtBarrier
                                                          : State::kReducing;
  return Trap::kYield;
}

Trap Vm::SetThreadIndex(Frame* frame, const Instr& instr) {
  if (!IsThreadRunning()) {
    return Explain(Trap::kUnsupported, "a thread index outside of threads");
  }
  const Cell& extent = frame->cells[instr.b];
  Cell min;
  if (instr.a != kNoRegister) min = frame->cells[instr.a];
  const uint8_t flags = extent.flags | min.flags;
  if (flags != 0) {
    if (source_ && (flags & kLoose) != 0) return Trap::kLooseUse;
    if (Trap trap = DoubtEverything(flags); trap != Trap::kNone) return trap;
  }
  const int64_t launched = block_->extents[instr.aux];
  if (std::max<int64_t>(extent.i, 0) != launched) {
    return Explain(Trap::kLaunch, fmt::format("{} here, {} in the launch", extent.i, launched));
  }
  const IntFacts& facts = FactsOf(instr.type);
  if (source_ && facts.traps &&
      static_cast<__int128>(min.i) + extent.i > static_cast<__int128>(facts.max)) {
    return Explain(Trap::kOverflow, "the end of a loop");
  }
  Cell* variable = &frame->cells[instr.dst];
  variable->i = WrapInt(facts, min.i + block_->current->index[instr.aux]);
  variable->p = min.p + extent.p;
  variable->n = min.n;
  variable->flags = flags & kDoubt;
  variable->object = 0;
  MarkMagnitude(facts, variable);
  return Trap::kNone;
}

// Each group of threads that differ in the reduction's dimensions only combines its values, in the
// order of the threads; every thread of it gets the result.
Trap Vm::Reduce(BlockRun* run) {
  Thread& first = run->threads.front();
  const Instr& instr = run->function->code[first.pc - 1];
  const Reduction& reduction = run->function->reductions[instr.a];
  const size_t count = reduction.values.size();
  std::map<std::vector<int64_t>, std::vector<Thread*>> groups;
  for (Thread& thread : run->threads) {
    std::vector<int64_t> key;
    for (uint32_t dim = kBlockDims; dim < kThreadDims; ++dim) {
      if ((reduction.dims >> dim & 1) == 0) key.push_back(thread.index[dim]);
    }
    groups[key].push_back(&thread);
  }
  for (const auto& [key, threads] : groups) {
    Frame* frame = &threads.front()->frame;
    std::vector<Cell> sum(count);
    uint8_t flags = 0;
    for (size_t k = 0; k < count; ++k) sum[k] = frame->cells[reduction.identity[k]];
    for (const Thread* thread : threads) {
      const Cell& condition = thread->frame.cells[reduction.condition];
      flags |= condition.flags;
      if (condition.i == 0) continue;
      for (size_t k = 0; k < count; ++k) {
        frame->cells[reduction.lhs[k]] = sum[k];
        frame->cells[reduction.rhs[k]] = thread->frame.cells[reduction.values[k]];
      }
      if (!Run(frame, reduction.begin, reduction.end)) return trap_;
      for (size_t k = 0; k < count; ++k) sum[k] = frame->cells[reduction.results[k]];
    }
    if (flags != 0) {
      if (Trap trap = DoubtEverything(flags); trap != Trap::kNone) {
        place_ = DescribePlace(*frame);
        return trap_ = trap;
      }
    }
    for (Thread* thread : threads) {
      for (size_t k = 0; k < count; ++k) {
        thread->frame.cells[instr.dst + k] = sum[k];
      }
    }
  }
  return Trap::kNone;
}

// The object of a shared allocation: that of the other threads that make it for the same time.
Trap Vm::SharedObject(uint32_t pc, uint64_t bytes, uint32_t granule, uint32_t* object) {
  const uint32_t ordinal = block_->current->allocations[pc]++;
  std::vector<uint32_t>& objects = block_->shared[pc];
  if (ordinal < objects.size()) {
    *object = objects[ordinal];
    if (memory_.object(*object).bytes.size() == bytes) return Trap::kNone;
    return Explain(Trap::kUnsupported, "a shared buffer with different sizes in two threads");
  }
  if (Trap trap = memory_.Allocate(bytes, granule, object); trap != Trap::kNone) return trap;
  objects.push_back(*object);
  Born(*object);
  return Trap::kNone;
}

Trap Vm::CallKernel(Frame* frame, const Instr& instr) {
  const uint32_t* extents = frame->function->lists.data() + instr.a;
  kernel_extents_.clear();
  for (uint32_t dim = 0; dim < kThreadDims; ++dim) {
    kernel_extents_.push_back(extents[dim] == kNoRegister ? 1 : frame->cells[extents[dim]].i);
  }
  const Trap trap = CallFunction(frame, instr);
  kernel_extents_.clear();
  if (trap == Trap::kNone) SetIntLeaf(I32, 0, 0, &frame->cells[instr.dst]);
  return trap;
}

// name(args, begin, end): TVMFFIAny arguments from `begin` on, those of the kernel and then the
// extents of the launch.
Trap Vm::CallPackedKernel(Frame* frame, const Instr& instr) {
  const uint32_t* parts = frame->function->lists.data() + instr.c;
  const Cell stack = frame->cells[parts[0]];
  const int64_t begin = frame->cells[parts[1]].i;
  const auto read = [&](int64_t ordinal, ScalarType type, Cell* out) {
    const bool is_wide = type == HANDLE || IsFloat(type);
    const ScalarType stored = type == HANDLE ? HANDLE : IsFloat(type) ? F64 : I64;
    Cell value;
    const int64_t offset = stack.i + (begin + ordinal) * kAnySize + kAnyValueOffset;
    const Trap trap = ReadScalar(stack.object, offset, stored, stack.flags, &value);
    if (trap != Trap::kNone) return trap;
    *out = value;
    if (!is_wide) CastInt(I64, type, source_, value, out);
    if (IsFloat(type)) CastFloat(FloatFactsOf(F64), FloatFactsOf(type), value, out);
    return Trap::kNone;
  };
  Frame callee;
  if (Trap trap = Enter(instr.b, frame, &callee); trap != Trap::kNone) return trap;
  const Function& source = *callee.function->source;
  const int64_t params = source.params_size();
  Trap trap = Trap::kNone;
  for (int i = 0; i < params && trap == Trap::kNone; ++i) {
    const Param& param = source.params(i);
    if (param.kind() != PARAM_SCALAR) {
      trap = Explain(Trap::kUnsupported, "a buffer parameter of a kernel with packed arguments");
      break;
    }
    const ScalarType type = source.variables(static_cast<int>(param.id())).type();
    trap = read(i, type, &callee.cells[callee.function->variables[param.id()]]);
  }
  kernel_extents_.assign(kThreadDims, 1);
  for (uint32_t i = 0; i < instr.aux && trap == Trap::kNone; ++i) {
    Cell extent;
    trap = read(params + i, I64, &extent);
    if (parts[3 + i] < kThreadDims) kernel_extents_[parts[3 + i]] = extent.i;
  }
  if (trap == Trap::kNone && (!RunPrologue(&callee) || !RunBody(&callee))) trap = trap_;
  kernel_extents_.clear();
  if (trap == Trap::kNone && instr.type != VOID) {
    SetIntLeaf(I32, 0, 0, &frame->cells[instr.dst]);
  }
  Leave(&callee);
  return trap;
}

}  // namespace irate::interp
