#include "execution/sanitized/code_places.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <bit>

#include "execution/sanitized/prepare.h"
#include "execution/sanitized/runtime_call.h"

namespace irate::sanitized {
namespace {

// Bytes from the first to the last element.
uint64_t Span(const contract::TensorArgument& tensor) {
  uint64_t elements = 1;
  uint64_t last = 0;
  for (size_t d = 0; d < tensor.shape.size(); ++d) {
    if (tensor.shape[d] <= 0) return 0;
    elements *= static_cast<uint64_t>(tensor.shape[d]);
    if (!tensor.strides.empty()) {
      last += static_cast<uint64_t>((tensor.shape[d] - 1) * tensor.strides[d]);
    }
  }
  return (tensor.strides.empty() ? elements : last + 1) * contract::ElementBytes(tensor.type);
}

// The packed entry's call of a function of the module that takes tensors' data.
llvm::CallInst* BodyCall(llvm::Function& entry) {
  for (llvm::BasicBlock& block : entry) {
    for (llvm::Instruction& instruction : block) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      if (call == nullptr || call->getCalledFunction() == nullptr) continue;
      llvm::Function& callee = *call->getCalledFunction();
      if (!callee.isDeclaration() && !IsSupportFunction(callee) && !IsPackedEntry(callee)) {
        return call;
      }
    }
  }
  return nullptr;
}

}  // namespace

std::optional<CodePlaces> CodePlaces::Find(llvm::Module& module,
                                           std::span<const contract::Argument> arguments) {
  CodePlaces places;
  places.module_ = &module;
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !IsPackedEntry(function) || IsSupportFunction(function)) {
      continue;
    }
    places.body_call_ = BodyCall(function);
    if (places.body_call_ != nullptr) break;
  }
  if (places.body_call_ == nullptr) return std::nullopt;
  places.body_ = places.body_call_->getCalledFunction();
  for (llvm::Argument& parameter : places.body_->args()) {
    if (!parameter.getType()->isPointerTy()) continue;
    for (const contract::Argument& argument : arguments) {
      if (!argument.tensor || argument.tensor->byte_offset != 0) continue;
      if (llvm::StringRef(argument.tensor->name) != parameter.getName()) continue;
      const uint64_t bytes = Span(*argument.tensor);
      if (bytes == 0) continue;
      places.tensors_.push_back({&parameter, bytes, contract::ElementBytes(argument.tensor->type),
                                 parameter.hasNoAliasAttr()});
    }
  }
  return places;
}

const TensorPlace* CodePlaces::FirstTensor(uint64_t bytes) const {
  for (const TensorPlace& tensor : tensors_) {
    if (tensor.bytes >= bytes && std::has_single_bit(tensor.element) && tensor.element <= 8) {
      return &tensor;
    }
  }
  return nullptr;
}

bool CodePlaces::IsWritten(const TensorPlace& tensor) const {
  for (const llvm::BasicBlock& block : *body_) {
    for (const llvm::Instruction& instruction : block) {
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction);
      if (store != nullptr &&
          llvm::getUnderlyingObject(store->getPointerOperand()) == tensor.pointer) {
        return true;
      }
    }
  }
  return false;
}

llvm::AllocaInst* CodePlaces::FirstStackArray() const {
  constexpr uint64_t kArrayBytes = 8;
  for (llvm::Instruction& instruction : body_->getEntryBlock()) {
    auto* array = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (array == nullptr || !array->hasName()) continue;
    const auto size = array->getAllocationSize(layout());
    if (size && size->getFixedValue() >= kArrayBytes) return array;
  }
  return nullptr;
}

llvm::Instruction* CodePlaces::body_start() const { return body_->getEntryBlock().getTerminator(); }

std::vector<llvm::ReturnInst*> CodePlaces::BodyReturns() const {
  std::vector<llvm::ReturnInst*> returns;
  for (llvm::BasicBlock& block : *body_) {
    if (auto* end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) returns.push_back(end);
  }
  return returns;
}

void CodePlaces::ReplaceBodyCall(const std::vector<llvm::Value*>& arguments) const {
  std::vector<llvm::Type*> types;
  types.reserve(arguments.size());
  for (const llvm::Value* argument : arguments) types.push_back(argument->getType());
  auto* type = llvm::FunctionType::get(body_call_->getType(), types, false);
  llvm::CallInst* call =
      llvm::CallInst::Create(type, body_, arguments, "", body_call_->getIterator());
  call->setDebugLoc(body_call_->getDebugLoc());
  body_call_->replaceAllUsesWith(call);
  body_call_->eraseFromParent();
}

std::vector<llvm::CallInst*> CodePlaces::RuntimeCalls(std::string_view name) const {
  std::vector<llvm::CallInst*> calls;
  for (llvm::Function& function : *module_) {
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : block) {
        auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
        if (call != nullptr && RuntimeName(*call) == name) calls.push_back(call);
      }
    }
  }
  return calls;
}

const llvm::DataLayout& CodePlaces::layout() const { return module_->getDataLayout(); }

}  // namespace irate::sanitized
