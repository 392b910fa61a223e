// Runs a Program: one switch over instructions on cells.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "ir/interpreter.h"
#include "ir/interpreter/memory.h"
#include "ir/interpreter/program.h"
#include "ir/interpreter/race.h"
#include "ir/interpreter/trap.h"

namespace irate {
struct ExternalFunction;
}

namespace irate::interp {

using Extents = absl::InlinedVector<int64_t, 6>;

// A buffer while it exists: where its elements are.
struct View {
  uint32_t object = 0;
  int64_t base = 0;         // byte offset of the data pointer in the object
  int64_t elem_offset = 0;  // in elements
  Extents shape;
  Extents strides;
  ScalarType type = VOID;
  uint32_t lanes = 1;
  uint8_t flags = 0;  // doubts about the pointer
  bool exists = false;
  bool is_owner = false;  // made by an allocation here
};

struct Frame {
  const CompiledFunction* function = nullptr;
  Frame* caller = nullptr;
  std::vector<Cell> cells;
  std::vector<View> views;
  std::vector<uint32_t> stack;  // objects that end with the frame
  uint32_t pc = 0;
  bool returned = false;
  bool has_result = false;
  Cell result;
};

struct BlockRun;
struct Thread;

class Vm {
 public:
  Vm(const Program& program, const InterpretOptions& options);

  Memory& memory() { return memory_; }

  // Makes a frame with its constants. The caller fills the cells of scalar parameters, runs the
  // prologue, binds buffer parameters and runs the body.
  Trap Enter(uint32_t function, Frame* caller, Frame* frame);
  bool RunPrologue(Frame* frame);
  bool RunBody(Frame* frame);
  // Binds buffer parameter `buffer`, whose layout is the `ordinal`-th of the prologue.
  Trap BindParameter(Frame* frame, uint32_t buffer, uint32_t ordinal, uint32_t object,
                     int64_t offset, uint8_t flags);
  void Leave(Frame* frame);

  // What stopped the run where that was no instruction.
  void SetTrap(Trap trap, std::string detail, std::string place) {
    trap_ = trap;
    detail_ = std::move(detail);
    place_ = std::move(place);
  }
  // After a failed run.
  Trap trap() const { return trap_; }
  const std::string& detail() const { return detail_; }
  const std::string& place() const { return place_; }
  uint64_t steps() const { return steps_; }
  // Doubts about everything: a loop or a way out of a branch depended on a doubtful condition.
  uint8_t global_flags() const { return global_flags_; }

 private:
  // --- vm.cc ---
  // Runs [begin, end) until it ends or the function returns. False: trap_ is set.
  bool Run(Frame* frame, uint32_t begin, uint32_t end);
  Trap Step(Frame* frame, const Instr& instr);
  Trap FloatStep(Frame* frame, const Instr& instr);
  Trap PointerStep(Frame* frame, const Instr& instr);
  void Record(Frame* frame, Trap trap);

  // --- vm_lanes.cc: one instruction over all lanes ---
  Trap DivideLanes(Frame* frame, const Instr& instr);
  Trap ShiftLanes(Frame* frame, const Instr& instr);
  Trap CastLanes(Frame* frame, const Instr& instr);
  Trap ReinterpretLanes(Frame* frame, const Instr& instr);
  Trap BitCountLanes(Frame* frame, const Instr& instr);
  Trap MultiplyShiftLanes(Frame* frame, const Instr& instr);
  Trap RampLanes(Frame* frame, const Instr& instr);
  void SelectLanes(Frame* frame, const Instr& instr);
  void MathLanes(Frame* frame, const Instr& instr);

  // --- vm_control.cc ---
  // Each sets *pc to where to go on.
  Trap EnterLoop(Frame* frame, const Loop& loop, uint32_t* pc);
  Trap NextTrip(Frame* frame, const Loop& loop, uint32_t* pc);
  Trap TakeBranch(Frame* frame, const Instr& instr, uint32_t* pc);
  Trap TakeDoubtfulBranch(Frame* frame, const Branch& branch, const Cell& condition, uint32_t* pc);
  Trap CheckWhile(Frame* frame, const Instr& instr, uint32_t* pc);
  Trap CheckAssert(Frame* frame, const Instr& instr);
  Trap CheckAssume(Frame* frame, const Instr& instr);
  Trap CheckDomain(Frame* frame, const Instr& instr);
  // What a doubtful condition of a loop or an assertion means for the rest of the run.
  Trap DoubtEverything(uint8_t flags);
  Trap CallFunction(Frame* frame, const Instr& instr);
  Trap CallPacked(Frame* frame, const Instr& instr);

  // --- vm_device.cc ---
  Trap RunLaunch(Frame* frame, const Instr& instr, uint32_t* pc);
  Trap LaunchExtents(Frame* frame, const Launch& launch, BlockRun* run);
  Trap RunBlock(const Frame& frame, uint32_t begin, uint32_t end, int64_t block, BlockRun* run);
  Trap RunThread(uint32_t end, Thread* thread, BlockRun* run);
  Trap Meet(BlockRun* run, bool* running);
  bool InSameIterations(const BlockRun& run) const;
  Trap Diverged(const BlockRun& run, const Thread& waiting);
  Trap WaitFor(Frame* frame, const Instr& instr);
  Trap SetThreadIndex(Frame* frame, const Instr& instr);
  Trap Reduce(BlockRun* run);
  bool IsThreadRunning() const;
  Trap SharedObject(uint32_t pc, uint64_t bytes, uint32_t granule, uint32_t* object);
  Trap CallKernel(Frame* frame, const Instr& instr);
  Trap CallPackedKernel(Frame* frame, const Instr& instr);

  // --- vm_buffer.cc ---
  Trap Allocate(Frame* frame, const Instr& instr);
  Trap MakeView(Frame* frame, const Instr& instr);
  Trap MatchView(Frame* frame, const Instr& instr);
  // `is_view`: of memory that exists already.
  Trap Layout(const Frame& frame, const BufferInfo& info, bool is_view, View* view,
              uint64_t* elements);
  Trap LoadLanes(Frame* frame, const Instr& instr);
  Trap StoreLanes(Frame* frame, const Instr& instr);
  Trap AddressOf(Frame* frame, const Instr& instr);
  Trap ElementOffset(const Frame& frame, const Instr& instr, const View& view, uint32_t lane,
                     int64_t* offset, uint8_t* flags);
  Trap ExplainAccess(Trap trap, const Frame& frame, const Instr& instr, uint32_t lane);
  // Doubts about an address: a trap, or what they mean for the value.
  Trap CheckAddress(uint8_t flags) const;
  // `conflicts`: the access is checked against others that may happen at the same time.
  Trap ReadScalar(uint32_t object, int64_t offset, ScalarType type, uint8_t address_flags,
                  Cell* out, bool conflicts = true);
  Trap WriteScalar(uint32_t object, int64_t offset, ScalarType type, const Cell& value,
                   uint8_t address_flags, bool conflicts = true);
  // kNone, or the kind of conflict.
  Trap CheckRace(Object* object, int64_t offset, uint32_t size, bool is_write);

  // --- vm_struct.cc ---
  Trap StackAlloca(Frame* frame, const Instr& instr);
  Trap Workspace(Frame* frame, const Instr& instr);
  Trap FreeWorkspace(Frame* frame, const Instr& instr);
  Trap MakeShape(Frame* frame, const Instr& instr);
  Trap MakeArray(Frame* frame, const Instr& instr);
  Trap StructGet(Frame* frame, const Instr& instr);
  Trap StructSet(Frame* frame, const Instr& instr);

  // --- vm_external.cc: external functions ---
  struct ExternalTensor {
    Cell data;  // of the first element
    ScalarType type = VOID;
    int64_t elements = 0;
  };
  Trap CallExternal(Frame* frame, const Instr& instr);
  Trap RunExternal(const ExternalFunction& function, const std::vector<Cell>& handles);
  Trap ReadTensorArguments(const Cell& stack, int64_t count, const ExternalFunction& function,
                           std::vector<Cell>* tensors);
  Trap ReadTensor(const Cell& handle, ExternalTensor* tensor);
  Trap ReadField(uint32_t object, int64_t offset, int64_t kind, Cell* out);

  // Notes where an object comes into being.
  void Born(uint32_t object) {
    memory_.object(object).doubt_level = doubt_level_;
    memory_.object(object).shadow_level = shadow_level_;
  }
  Trap NewStackObject(Frame* frame, uint64_t size, uint32_t granule, uint32_t* object);

  Trap Explain(Trap trap, std::string detail) {
    detail_ = std::move(detail);
    return trap;
  }

  const Program& program_;
  const InterpretOptions& options_;
  const bool source_;
  const bool implicit_barriers_;
  Memory memory_;
  RaceDetector race_;
  RaceDetector shared_race_;  // of accesses to memory of a block or a thread; see vm_device.cc
  BlockRun* block_ = nullptr;
  std::vector<int64_t> kernel_extents_;  // what the launch that comes next was called with
  uint64_t steps_ = 0;
  uint8_t control_flags_ = 0;  // doubts about whether this code runs at all
  uint8_t global_flags_ = 0;
  uint32_t doubt_level_ = 0;   // inside of how many doubtful branches
  uint32_t shadow_level_ = 0;  // of them, in how many arms that the machine does not take
  int depth_ = 0;
  Trap trap_ = Trap::kNone;
  std::string detail_;
  std::string place_;
};

// The value of a choice between two evaluated values on a condition with the flags `doubt`, not 0.
void JoinArms(ScalarType type, uint8_t doubt, const Cell& chosen, const Cell& other, Cell* out);

// "for i = 3, for j = 0: store C[3, 0]": where `frame` and its callers are.
std::string DescribePlace(const Frame& frame);

}  // namespace irate::interp
