// The compiled form of a module: instructions over registers, made once and run once or many times.
//
// A register is a range of cells of the frame, one cell per lane. Every expression has its own
// range; variables are ranges that their definition fills. Constants are ranges that are filled
// when a frame is made.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/interpreter/math_ops.h"
#include "ir/interpreter/value.h"

namespace irate::interp {

enum class Code : uint8_t {
  // Integers. type; dst, a, b.
  kAddInt,
  kSubInt,
  kMulInt,
  kDivideInt,   // aux: Op
  kMinMaxInt,   // aux: Op
  kBitwiseInt,  // aux: Op
  kShiftInt,    // aux: Op
  kNotInt,      // dst, a
  kCompareInt,  // aux: Op; type of the operands
  kAnd,
  kOr,
  kPopcount,
  kClz,
  kQMultiplyShift,  // c: first of four operand registers in `lists`
  // Floats.
  kAddFloat,
  kSubFloat,
  kMulFloat,
  kDivFloat,
  kMinMaxFloat,   // aux: Op
  kCompareFloat,  // aux: Op
  kFma,           // dst, a, b, c
  kMath,          // dst, a, b; c: index into math_functions
  kLdexp,
  // Both and neither.
  kCompareHandle,  // aux: Op
  kSelect,         // dst; a: condition, b, c; aux: lanes of the condition (0: scalar)
  kCast,           // type: target; aux: source
  kReinterpret,    // type: target; aux: source; a of `c` lanes
  kRamp,           // dst; a: base, b: stride
  kBroadcast,      // dst; a: a scalar
  kShuffle,        // dst; c: list of `lanes` registers
  kMove,           // dst, a
  // Control. Targets are instruction indices.
  kJump,         // a: target
  kBranch,       // a: condition; c: index into branches
  kLoopEnter,    // c: index into loops
  kLoopNext,     // c: index into loops
  kWhile,        // a: condition; c: index into whiles
  kReturn,       // a: value, or kNoRegister
  kTrap,         // c: index into texts; aux: Trap
  kAssert,       // a: condition; c: index into texts
  kAssume,       // a: condition
  kCheckDomain,  // type; a: iterator, b: minimum, c: extent; aux: index of the iterator
  // Memory. b: buffer slot; c: first index register in `lists`, `aux` of them.
  kLoad,        // dst
  kStore,       // a: value
  kAddressOf,   // dst
  kAlloc,       // b: buffer slot; c: index into buffers
  kView,        // a: data pointer; b: buffer slot; c: index into buffers
  kMatch,       // b: buffer slot; a: source slot; c: index into matches
  kBufferData,  // dst; b
  // Pointers.
  kAddByteOffset,  // dst; a: handle, b: bytes
  kAccessPointer,  // dst; a: handle, b: element offset; c: bytes of an element
  kIsNull,         // dst, a
  kStackAlloca,    // dst; a: count; c: kind (StackKind)
  kWorkspace,      // dst; a: bytes
  kFreeWorkspace,  // dst; a: handle
  kMakeShape,      // dst; c: list, b: how many
  kMakeArray,      // dst; c: list of 6; type and b: element type and lanes
  kStructGet,      // dst; a: handle, b: index, c: field; type
  kStructSet,      // a: handle, b: index; c: list of one: the value; aux: field; type of the value
  // Calls.
  kCall,        // dst; b: function; c: list of argument registers
  kCallPacked,  // dst; b: function; c: list: stack, begin, end
  // dst; type; b: number of the external function; c: list: stack, begin, end (aux: 1), or `a`
  // handles of tensors (aux: 0)
  kCallExternal,
  // Like kCallPacked of a kernel: `aux` thread dimensions follow in the list.
  kCallPackedKernel,
  kCallKernel,  // like kCall; a: first of six extents in `lists`, kNoRegister where not launched
  // Devices.
  kLaunch,     // c: index into launches
  kThread,     // type; a: minimum or kNoRegister, b: extent; dst: variable; aux: dimension
  kConverge,   // where a compiler may put a barrier
  kBarrier,    // c: list of `aux` enclosing loop variables
  kAllReduce,  // c: index into reductions; dst: results
};

inline constexpr uint32_t kNoRegister = UINT32_MAX;
// Instr::a of a kLoad in an arm of a SELECT; see Vm::LoadLanes.
inline constexpr uint32_t kSpeculativeLoad = 1;
// A bit of Instr::a of a kLoad, and of Instr::dst of a kStore: an access of a reduction whose
// iterations are spread over threads, so that they do not conflict.
inline constexpr uint32_t kReductionAccess = 2;

struct Instr {
  Code code;
  ScalarType type = VOID;
  uint16_t aux = 0;
  uint32_t lanes = 1;
  uint32_t dst = 0;
  uint32_t a = 0;
  uint32_t b = 0;
  uint32_t c = 0;
};

// IF and IF_THEN_ELSE. Both arms are ranges of instructions; the then-arm follows the branch, and
// its last instruction jumps to `end`.
struct Branch {
  uint32_t then_end = 0;  // the jump to `end`
  uint32_t else_begin = 0;
  uint32_t end = 0;
  // An arm leaves by break, continue or return, so that a doubtful condition reaches further.
  bool escapes = false;
  // IF_THEN_ELSE: where both arms put their value.
  uint32_t result = kNoRegister;
  uint32_t lanes = 0;
  ScalarType type = VOID;
};

struct Loop {
  LoopKind kind = SERIAL;
  ScalarType type = I32;
  uint32_t variable = 0;
  uint32_t min = 0;
  uint32_t extent = 0;
  uint32_t step = kNoRegister;
  uint32_t state = 0;  // two cells: trips left, steps of the variable
  uint32_t begin = 0;
  uint32_t end = 0;
};

struct While {
  uint32_t end = 0;
};

// Hardware threads: blockIdx.x, .y, .z, threadIdx.x, .y, .z.
inline constexpr uint32_t kThreadDims = 6;
inline constexpr uint32_t kBlockDims = 3;

// A piece of code that many threads run.
struct Launch {
  uint32_t extents[kThreadDims];  // registers; kNoRegister: not launched
  uint32_t end = 0;
};

// A reduction over threads: tvm_thread_allreduce.
struct Reduction {
  std::vector<uint32_t> values;  // registers, one for each of the reducer's components
  std::vector<uint32_t> lhs;
  std::vector<uint32_t> rhs;
  std::vector<uint32_t> results;   // of the combiner
  std::vector<uint32_t> identity;  // registers
  uint32_t condition = 0;
  uint32_t begin = 0;  // the combiner's code
  uint32_t end = 0;
  uint32_t dims = 0;  // bit i: the reduction goes over dimension i
};

// A region of another buffer, seen as a buffer (match_buffer).
struct Match {
  std::vector<uint32_t> mins;  // registers of the region's lower corner
  std::vector<uint32_t> extents;
  // Registers of the variables that the match defines: kNoRegister where the buffer has none.
  std::vector<uint32_t> shape;
  std::vector<uint32_t> strides;
  uint32_t elem_offset = kNoRegister;
};

// How a buffer is declared: the registers of its extents, strides and offset are evaluated where it
// comes into being.
struct BufferInfo {
  std::string_view name;
  ScalarType type = VOID;
  uint32_t lanes = 1;
  std::vector<uint32_t> shape;
  std::vector<uint32_t> strides;  // empty: row-major
  uint32_t elem_offset = kNoRegister;
  std::string_view scope;  // "": global memory
};

// What a person is told about the place of an instruction.
struct PlaceNode {
  uint32_t parent = 0;  // index; 0 is the function's body
  const Stmt* stmt = nullptr;
  uint32_t variable = kNoRegister;  // of a loop: its register
  std::vector<uint32_t>
      registers;  // of a store: those of the indices; of a block: of the iterators
  uint32_t known_from = UINT32_MAX;  // the instruction from which on the registers hold values
};

enum class StackKind : uint8_t { kShape, kAny, kArray };

struct ConstantCell {
  uint32_t index = 0;
  Cell cell;
};

struct CompiledFunction {
  const Function* source = nullptr;
  std::vector<Instr> code;
  std::vector<uint32_t> place;  // per instruction, index into places
  std::vector<PlaceNode> places;
  std::vector<uint32_t> lists;
  std::vector<Branch> branches;
  std::vector<Loop> loops;
  std::vector<While> whiles;
  std::vector<Match> matches;
  std::vector<Launch> launches;
  std::vector<Reduction> reductions;
  std::vector<BufferInfo> buffers;
  std::vector<std::string> texts;
  std::vector<const MathFunction*> math_functions;
  std::vector<ConstantCell> constants;
  std::vector<uint32_t> variables;  // first cell of each variable
  uint32_t variable_cells = 0;      // the cells before this one belong to variables
  uint32_t cells = 0;
  // Where the layouts of parameter buffers are evaluated, once the scalars are known.
  uint32_t body = 0;
};

struct Program {
  std::vector<CompiledFunction> functions;
};

}  // namespace irate::interp
