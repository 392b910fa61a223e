#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <vector>

#include "execution/sanitized/event.h"
#include "execution/sanitized/instrument.h"
#include "execution/sanitized/prepare.h"

namespace irate::sanitized {
namespace {

// Ours or constant: the compiler of this process aligns it.
bool IsOwnObject(const llvm::Value* pointer) {
  if (const auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
    return step->hasAllConstantIndices() && IsOwnObject(step->getPointerOperand());
  }
  return llvm::isa<llvm::AllocaInst>(pointer) || llvm::isa<llvm::GlobalVariable>(pointer);
}

class AlignmentChecks {
 public:
  explicit AlignmentChecks(llvm::Function& function)
      : function_(function), module_(*function.getParent()) {
    llvm::LLVMContext& context = module_.getContext();
    auto* word = llvm::Type::getInt64Ty(context);
    check_ = module_.getOrInsertFunction("__irate_check_alignment", llvm::Type::getVoidTy(context),
                                         llvm::PointerType::get(context, 0), word, word,
                                         llvm::Type::getInt32Ty(context));
  }

  void Run() {
    std::vector<llvm::Instruction*> originals;
    for (llvm::BasicBlock& block : function_) {
      for (llvm::Instruction& instruction : block) {
        if (!IsCheck(instruction)) originals.push_back(&instruction);
      }
    }
    VisitParameters();
    for (llvm::Instruction* instruction : originals) Visit(*instruction);
  }

 private:
  void Visit(llvm::Instruction& instruction) {
    const llvm::DataLayout& layout = module_.getDataLayout();
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
      Check(load, load->getPointerOperand(), load->getAlign(),
            layout.getTypeStoreSize(load->getType()), AccessKind::kLoad);
      if (!load->isAtomic() && !IsOwnObject(load->getPointerOperand())) {
        load->setAlignment(llvm::Align(1));
      }
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      Check(store, store->getPointerOperand(), store->getAlign(),
            layout.getTypeStoreSize(store->getValueOperand()->getType()), AccessKind::kStore);
      if (!store->isAtomic() && !IsOwnObject(store->getPointerOperand())) {
        store->setAlignment(llvm::Align(1));
      }
    } else if (auto* transfer = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
      VisitMemIntrinsic(*transfer);
    } else if (auto* assume = llvm::dyn_cast<llvm::AssumeInst>(&instruction)) {
      VisitAssume(*assume);
    }
  }

  void VisitMemIntrinsic(llvm::MemIntrinsic& transfer) {
    const auto* length = llvm::dyn_cast<llvm::ConstantInt>(transfer.getLength());
    const uint64_t size = length == nullptr ? 0 : length->getZExtValue();
    Check(&transfer, transfer.getDest(), transfer.getDestAlign().valueOrOne(), size,
          AccessKind::kStore);
    transfer.setDestAlignment(llvm::Align(1));
    if (auto* copy = llvm::dyn_cast<llvm::MemTransferInst>(&transfer)) {
      Check(copy, copy->getSource(), copy->getSourceAlign().valueOrOne(), size, AccessKind::kLoad);
      copy->setSourceAlignment(llvm::Align(1));
    }
  }

  void VisitAssume(llvm::AssumeInst& assume) {
    for (unsigned i = 0; i < assume.getNumOperandBundles(); ++i) {
      const llvm::OperandBundleUse bundle = assume.getOperandBundleAt(i);
      if (bundle.getTagName() != "align" || bundle.Inputs.size() < 2) continue;
      const auto* alignment = llvm::dyn_cast<llvm::ConstantInt>(bundle.Inputs[1]);
      if (alignment == nullptr || alignment->getZExtValue() < 2) continue;
      llvm::IRBuilder<> builder(&assume);
      llvm::Value* pointer = bundle.Inputs[0];
      if (bundle.Inputs.size() > 2) {
        llvm::Value* back = builder.CreateNeg(bundle.Inputs[2]);
        MarkIfNew(back);
        pointer = builder.CreatePtrAdd(pointer, back);
        MarkIfNew(pointer);
      }
      Emit(builder, pointer, alignment->getZExtValue(), 0, AccessKind::kAssume);
    }
  }

  static void MarkIfNew(llvm::Value* value) {
    if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(value)) MarkAsCheck(instruction);
  }

  // The promise is checked once, at entry, and then no longer relied on.
  void VisitParameters() {
    llvm::BasicBlock& entry = function_.getEntryBlock();
    llvm::Instruction* first = &*entry.getFirstNonPHIOrDbgOrAlloca();
    for (llvm::Argument& argument : function_.args()) {
      const llvm::MaybeAlign alignment = argument.getParamAlign();
      if (!argument.getType()->isPointerTy() || alignment.valueOrOne() == 1) continue;
      llvm::IRBuilder<> builder(first);
      builder.SetCurrentDebugLocation(first->getDebugLoc());
      Emit(builder, &argument, alignment->value(), argument.getArgNo(), AccessKind::kParameter);
      argument.removeAttr(llvm::Attribute::Alignment);
    }
  }

  void Check(llvm::Instruction* at, llvm::Value* pointer, llvm::Align alignment, uint64_t size,
             AccessKind kind) {
    if (alignment == 1 || IsOwnObject(pointer)) return;
    llvm::IRBuilder<> builder(at);
    Emit(builder, pointer, alignment.value(), size, kind);
  }

  void Emit(llvm::IRBuilder<>& builder, llvm::Value* pointer, uint64_t alignment, uint64_t size,
            AccessKind kind) {
    MarkAsCheck(
        builder.CreateCall(check_, {pointer, builder.getInt64(alignment), builder.getInt64(size),
                                    builder.getInt32(static_cast<uint32_t>(kind))}));
  }

  llvm::Function& function_;
  llvm::Module& module_;
  llvm::FunctionCallee check_;
};

// Whether memory may be written through a pointer parameter: unknown uses count as writes.
bool MayBeWritten(const llvm::Value* pointer, int depth = 0) {
  if (depth > 8) return true;
  for (const llvm::User* user : pointer->users()) {
    if (llvm::isa<llvm::LoadInst>(user) || llvm::isa<llvm::ICmpInst>(user)) continue;
    if (llvm::isa<llvm::AssumeInst>(user)) continue;
    if (const auto* call = llvm::dyn_cast<llvm::CallInst>(user); call && IsCheck(*call)) continue;
    if (llvm::isa<llvm::GetElementPtrInst>(user) && !MayBeWritten(user, depth + 1)) continue;
    return true;
  }
  return false;
}

}  // namespace

void AddAlignmentChecks(llvm::Function& function) { AlignmentChecks(function).Run(); }

void AddNoaliasChecks(llvm::Function& function) {
  // The entry point's own arguments: the caller's array and result.
  if (IsPackedEntry(function)) return;
  std::vector<llvm::Argument*> restricted;
  for (llvm::Argument& argument : function.args()) {
    if (argument.getType()->isPointerTy() && argument.hasNoAliasAttr()) {
      restricted.push_back(&argument);
    }
  }
  llvm::Module& module = *function.getParent();
  llvm::LLVMContext& context = module.getContext();
  auto* pointer = llvm::PointerType::get(context, 0);
  auto* index = llvm::Type::getInt32Ty(context);
  llvm::FunctionCallee check = module.getOrInsertFunction(
      "__irate_check_noalias", llvm::Type::getVoidTy(context), pointer, pointer, index, index);
  llvm::Instruction* first = &*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  llvm::IRBuilder<> builder(first);
  builder.SetCurrentDebugLocation(first->getDebugLoc());
  for (size_t i = 0; i < restricted.size(); ++i) {
    for (size_t j = i + 1; j < restricted.size(); ++j) {
      if (!MayBeWritten(restricted[i]) && !MayBeWritten(restricted[j])) continue;
      MarkAsCheck(builder.CreateCall(
          check, {restricted[i], restricted[j], builder.getInt32(restricted[i]->getArgNo()),
                  builder.getInt32(restricted[j]->getArgNo())}));
    }
  }
}

}  // namespace irate::sanitized
