#include "execution/sanitized/packed_stack.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace irate::sanitized {
namespace {

// Larger arrays are followed up to here.
constexpr int64_t kTrackedBytes = 4096;

bool IsPacked(const llvm::FunctionType& type) {
  return type.getReturnType()->isIntegerTy(32) && type.getNumParams() == 4 &&
         type.getParamType(0)->isPointerTy() && type.getParamType(1)->isPointerTy() &&
         type.getParamType(2)->isIntegerTy(32) && type.getParamType(3)->isPointerTy();
}

// What one instruction does to the written bytes of the array at `base`.
class Transfer {
 public:
  Transfer(const llvm::Value* base, const llvm::DataLayout& layout)
      : base_(base), layout_(layout) {}

  void Apply(const llvm::Instruction& instruction, llvm::BitVector& written) const {
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      const uint64_t size = layout_.getTypeStoreSize(store->getValueOperand()->getType());
      Set(written, store->getPointerOperand(), static_cast<int64_t>(size));
      return;
    }
    if (const auto* transfer = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
      const auto* length = llvm::dyn_cast<llvm::ConstantInt>(transfer->getLength());
      if (length != nullptr) Set(written, transfer->getDest(), length->getSExtValue());
      return;
    }
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr || llvm::isa<llvm::IntrinsicInst>(call)) return;
    if (const std::optional<PackedOperands> packed = AsPackedCall(*call)) {
      const auto* count = llvm::dyn_cast<llvm::ConstantInt>(packed->num_args);
      const std::optional<StackPlace> place = FindPlace(packed->args);
      if (place && place->base == base_ && count != nullptr) {
        Reset(written, place->offset, count->getSExtValue() * static_cast<int64_t>(kSlotBytes));
      }
      Set(written, packed->result, static_cast<int64_t>(kSlotBytes));
      return;
    }
    // Another function that sees the array may write all of it.
    for (const llvm::Use& operand : call->args()) {
      if (const std::optional<StackPlace> place = FindPlace(operand);
          place && place->base == base_) {
        written.set();
      }
    }
  }

 private:
  void Set(llvm::BitVector& written, const llvm::Value* pointer, int64_t size) const {
    const std::optional<StackPlace> place = FindPlace(pointer);
    if (!place || place->base != base_ || place->offset < 0) return;
    const int64_t end = std::min<int64_t>(place->offset + size, kTrackedBytes);
    if (place->offset < end) {
      written.set(static_cast<unsigned>(place->offset), static_cast<unsigned>(end));
    }
  }
  static void Reset(llvm::BitVector& written, int64_t offset, int64_t size) {
    const int64_t end = std::min(offset + size, kTrackedBytes);
    if (offset >= 0 && offset < end) {
      written.reset(static_cast<unsigned>(offset), static_cast<unsigned>(end));
    }
  }

  const llvm::Value* base_;
  const llvm::DataLayout& layout_;
};

}  // namespace

std::optional<PackedOperands> AsPackedCall(const llvm::CallBase& call) {
  if (!IsPacked(*call.getFunctionType())) return std::nullopt;
  return PackedOperands{call.getArgOperand(1), call.getArgOperand(2), call.getArgOperand(3)};
}

std::optional<StackPlace> FindPlace(const llvm::Value* pointer) {
  if (!pointer->getType()->isPointerTy()) return std::nullopt;
  const llvm::DataLayout* layout = nullptr;
  if (const auto* instruction = llvm::dyn_cast<llvm::Instruction>(pointer)) {
    layout = &instruction->getModule()->getDataLayout();
  } else if (const auto* argument = llvm::dyn_cast<llvm::Argument>(pointer)) {
    layout = &argument->getParent()->getParent()->getDataLayout();
  } else {
    return std::nullopt;
  }
  llvm::APInt offset(layout->getIndexTypeSizeInBits(pointer->getType()), 0);
  const llvm::Value* base =
      pointer->stripAndAccumulateConstantOffsets(*layout, offset, /*AllowNonInbounds=*/true);
  if (!llvm::isa<llvm::AllocaInst>(base) && !llvm::isa<llvm::Argument>(base)) return std::nullopt;
  return StackPlace{base, offset.getSExtValue()};
}

std::optional<uint64_t> ArrayBytes(const llvm::Value* base) {
  if (const auto* array = llvm::dyn_cast<llvm::AllocaInst>(base)) {
    const std::optional<llvm::TypeSize> size =
        array->getAllocationSize(array->getModule()->getDataLayout());
    if (!size || size->isScalable()) return std::nullopt;
    return size->getFixedValue();
  }
  const auto* argument = llvm::dyn_cast<llvm::Argument>(base);
  if (argument == nullptr) return std::nullopt;
  std::optional<uint64_t> least;
  for (const llvm::User* user : argument->getParent()->users()) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    if (call == nullptr || call->getCalledFunction() != argument->getParent()) return std::nullopt;
    const std::optional<StackPlace> passed = FindPlace(call->getArgOperand(argument->getArgNo()));
    if (!passed || passed->offset != 0 || !llvm::isa<llvm::AllocaInst>(passed->base)) {
      return std::nullopt;
    }
    const std::optional<uint64_t> bytes = ArrayBytes(passed->base);
    if (!bytes) return std::nullopt;
    least = least ? std::min(*least, *bytes) : *bytes;
  }
  return least;
}

std::optional<uint64_t> FirstUnsetSlot(const llvm::CallBase& call, const StackPlace& place,
                                       uint64_t count) {
  if (count == 0 || place.offset < 0) return std::nullopt;
  const llvm::Function& function = *call.getFunction();
  const Transfer transfer(place.base, function.getParent()->getDataLayout());
  llvm::DenseMap<const llvm::BasicBlock*, llvm::BitVector> at_end;
  llvm::BitVector at_call;
  // Forward, to a fixed point; what is written on every path is written.
  const llvm::ReversePostOrderTraversal<const llvm::Function*> order(&function);
  for (bool changed = true; changed;) {
    changed = false;
    for (const llvm::BasicBlock* block : order) {
      llvm::BitVector written(kTrackedBytes, block != &function.getEntryBlock());
      for (const llvm::BasicBlock* before : llvm::predecessors(block)) {
        if (auto known = at_end.find(before); known != at_end.end()) written &= known->second;
      }
      for (const llvm::Instruction& instruction : *block) {
        if (&instruction == &call) at_call = written;
        transfer.Apply(instruction, written);
      }
      llvm::BitVector& end = at_end[block];
      if (end != written) {
        end = written;
        changed = true;
      }
    }
  }
  if (at_call.empty()) return std::nullopt;  // not reachable
  for (uint64_t slot = 0; slot < count; ++slot) {
    const uint64_t begin = static_cast<uint64_t>(place.offset) + slot * kSlotBytes;
    if (begin + kSlotBytes > kTrackedBytes) break;
    for (uint64_t byte : {0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 15}) {
      if (!at_call.test(static_cast<unsigned>(begin + byte))) return slot;
    }
  }
  return std::nullopt;
}

}  // namespace irate::sanitized
