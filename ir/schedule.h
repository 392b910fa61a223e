// The vocabulary of schedules: what primitives there are and what arguments a ScheduleStep gives
// them. One table serves the target that applies steps, the generator that makes them and the
// reproducer that prints them.
//
// The primitives and the order of their arguments are those of TVM's Schedule (tvm.s_tir.Schedule).
// A step names blocks by their names and loops by a block's name and a number, counted from the
// outermost loop around the block, or from the innermost if negative (Python's list index). So a
// step means the same thing whichever other steps are there, as long as its block is.
//
// The argument list is flat; every parameter takes as many of the constants as its kind says:
//
//   split("b1", 0, 0, 4, true, false)   a loop ("b1", 0); factors 0 (to be inferred) and 4; two
//                                       booleans
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"

namespace irate {

enum class StepParam : uint8_t {
  kNone,
  kBlock,    // a string
  kBlocks,   // strings
  kLoop,     // a string and an int
  kLoops,    // strings and ints in turn
  kTarget,   // a loop or a block
  kTargets,  // a loop, or blocks
  kInt,      // an int (i32)
  kInts,     // ints
  kFactors,  // ints; 0: what is left, at most once
  kBool,
  kScope,     // a storage scope
  kText,      // a string: a thread axis, an intrinsic, a type, a key
  kValue,     // an int or a string; two or more: a list
  kIndexMap,  // a string, as ir/index_map.h has it
  kRegions,   // an index map with two outputs, begin and end, for every dimension of a buffer
  kBuffer,    // "read" or "write", and an int: which of the block's regions
  kPadValue,  // a number of the buffer's type, or nothing
};

inline constexpr size_t kMaxStepParams = 6;

struct PrimitiveInfo {
  std::string_view name;     // of Python's method and of ScheduleStep.primitive
  std::string_view command;  // after "s_tir.schedule.Schedule" in the registered function's name
  StepParam params[kMaxStepParams];
};

// In the order of Python's documentation.
std::span<const PrimitiveInfo> Primitives();
// nullptr: there is none of this name.
const PrimitiveInfo* FindPrimitive(std::string_view name);

// One parameter's arguments.
struct StepArgument {
  StepParam kind = StepParam::kNone;
  // Blocks and texts; the blocks of loops.
  std::vector<std::string> texts;
  // Loops' numbers, ints, factors, a boolean.
  std::vector<int64_t> ints;
  // Of kTarget and kTargets: a loop was given.
  bool is_loop = false;
  // Of kValue and kPadValue, as given.
  std::vector<Expr> values;
};

// InvalidArgument if there is no such primitive or the arguments are not what it takes.
absl::StatusOr<std::vector<StepArgument>> ParseStep(const ScheduleStep& step);

// ---- Arguments of steps.
Expr StepInt(int64_t value);
Expr StepBool(bool value);
Expr StepText(std::string_view text);

}  // namespace irate
