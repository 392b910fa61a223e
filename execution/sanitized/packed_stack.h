// Which bytes of a packed call's argument array are written when control reaches the call.
// Internal.
#pragma once

#include <cstdint>
#include <optional>

namespace llvm {
class AllocaInst;
class CallBase;
class Value;
}  // namespace llvm

namespace irate::sanitized {

inline constexpr uint64_t kSlotBytes = 16;

// A pointer as an offset from a stack array or a parameter.
struct StackPlace {
  const llvm::Value* base = nullptr;
  int64_t offset = 0;
};
std::optional<StackPlace> FindPlace(const llvm::Value* pointer);

// The size of the array behind `base`: of the alloca itself, or of the one that every caller of the
// function passes. Nothing if it is not known.
std::optional<uint64_t> ArrayBytes(const llvm::Value* base);

// The number of the first slot of `count` at `place` of which the type index or the value is not
// written on every path to `call`; nothing if all are. Each packed call consumes what was written
// for it.
std::optional<uint64_t> FirstUnsetSlot(const llvm::CallBase& call, const StackPlace& place,
                                       uint64_t count);

// A call in the packed convention, by its operands.
struct PackedOperands {
  const llvm::Value* args = nullptr;
  const llvm::Value* num_args = nullptr;
  const llvm::Value* result = nullptr;
};
std::optional<PackedOperands> AsPackedCall(const llvm::CallBase& call);

}  // namespace irate::sanitized
