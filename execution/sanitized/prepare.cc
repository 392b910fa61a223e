#include "execution/sanitized/prepare.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include <utility>

#include "execution/contract/runtime.h"

namespace irate::sanitized {
namespace {

std::string TypeText(const llvm::Type& type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  type.print(stream);
  return text;
}

bool IsPackedType(const llvm::FunctionType& type) {
  return type.getReturnType()->isIntegerTy(32) && type.getNumParams() == 4 &&
         type.getParamType(0)->isPointerTy() && type.getParamType(1)->isPointerTy() &&
         type.getParamType(2)->isIntegerTy(32) && type.getParamType(3)->isPointerTy();
}

// The line is the number; a line table is all that the compiled object carries.
int NumberInstructions(llvm::Module& module) {
  llvm::StripDebugInfo(module);
  if (module.getModuleFlag("Debug Info Version") == nullptr) {
    module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  }
  llvm::DIBuilder builder(module);
  llvm::DIFile* file = builder.createFile("module.ll", ".");
  builder.createCompileUnit(llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_C), file, "irate",
                            /*isOptimized=*/false, "", 0, "", llvm::DICompileUnit::LineTablesOnly);
  llvm::DISubroutineType* type =
      builder.createSubroutineType(builder.getOrCreateTypeArray(llvm::ArrayRef<llvm::Metadata*>()));
  unsigned number = 0;
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    llvm::DISubprogram* subprogram =
        builder.createFunction(file, function.getName(), function.getName(), file, 1, type, 1,
                               llvm::DINode::FlagZero, llvm::DISubprogram::SPFlagDefinition);
    function.setSubprogram(subprogram);
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : block) {
        instruction.setDebugLoc(
            llvm::DILocation::get(module.getContext(), ++number, 0, subprogram));
      }
    }
  }
  builder.finalize();
  return static_cast<int>(number);
}

// A slot that is stored to and never read holds a parameter for the debugger.
void DropDebugSlots(llvm::Function& function) {
  std::vector<llvm::AllocaInst*> slots;
  for (llvm::Instruction& instruction : function.getEntryBlock()) {
    auto* slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
    if (slot == nullptr) continue;
    bool only_stored = true;
    for (const llvm::User* user : slot->users()) {
      const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
      only_stored &= store != nullptr && store->getPointerOperand() == slot &&
                     llvm::isa<llvm::Argument>(store->getValueOperand());
    }
    if (only_stored) slots.push_back(slot);
  }
  for (llvm::AllocaInst* slot : slots) {
    while (!slot->use_empty()) llvm::cast<llvm::Instruction>(slot->user_back())->eraseFromParent();
    slot->eraseFromParent();
  }
}

void BindRuntimeVariables(llvm::Module& module) {
  auto* pointer = llvm::PointerType::get(module.getContext(), 0);
  auto* word = llvm::Type::getInt64Ty(module.getContext());
  for (const contract::RuntimeSymbol& symbol : contract::RuntimeSymbols()) {
    llvm::GlobalVariable* variable = module.getNamedGlobal("__" + std::string(symbol.name));
    if (variable == nullptr || variable->getValueType() != pointer) continue;
    variable->setInitializer(llvm::ConstantExpr::getIntToPtr(
        llvm::ConstantInt::get(word, reinterpret_cast<uint64_t>(symbol.address)), pointer));
    variable->setLinkage(llvm::GlobalValue::InternalLinkage);
    variable->setDLLStorageClass(llvm::GlobalValue::DefaultStorageClass);
  }
}

bool UsesBarrier(const llvm::Module& module) {
  const llvm::GlobalVariable* variable = module.getNamedGlobal("__TVMBackendParallelBarrier");
  const llvm::Function* function = module.getFunction("TVMBackendParallelBarrier");
  return (variable != nullptr && !variable->use_empty()) ||
         (function != nullptr && !function->use_empty());
}

bool UsesHalf(const llvm::Module& module) {
  for (const llvm::Function& function : module) {
    if (IsSupportFunction(function)) continue;
    for (const llvm::BasicBlock& block : function) {
      for (const llvm::Instruction& instruction : block) {
        if (instruction.getType()->getScalarType()->is16bitFPTy()) return true;
        for (const llvm::Use& operand : instruction.operands()) {
          if (operand->getType()->getScalarType()->is16bitFPTy()) return true;
        }
      }
    }
  }
  return false;
}

// TVM emits the conversions of half into each module; most never call them.
void DropUnusedConversions(llvm::Module& module) {
  if (UsesHalf(module)) return;
  for (llvm::Function& function : llvm::make_early_inc_range(module)) {
    if (function.hasWeakLinkage() && function.use_empty() && IsSupportFunction(function)) {
      function.eraseFromParent();
    }
  }
}

}  // namespace

std::vector<std::string> TakeFunctionList(llvm::Module& module, std::string_view list_name) {
  std::vector<std::string> names;
  llvm::GlobalVariable* list = module.getNamedGlobal(list_name);
  if (list == nullptr) return names;
  if (const auto* entries = llvm::dyn_cast<llvm::ConstantArray>(list->getInitializer())) {
    for (const llvm::Use& entry : entries->operands()) {
      const auto* fields = llvm::dyn_cast<llvm::ConstantStruct>(entry);
      if (fields == nullptr) continue;
      auto* function = llvm::dyn_cast<llvm::Function>(fields->getOperand(1));
      if (function == nullptr) continue;
      function->setLinkage(llvm::GlobalValue::ExternalLinkage);
      function->setComdat(nullptr);
      names.push_back(function->getName().str());
    }
  }
  list->eraseFromParent();
  return names;
}

bool IsSupportFunction(const llvm::Function& function) {
  return function.getName().starts_with("__tvm_set_raised_") ||
         function.getName() == "__tvm_module_startup" ||
         function.getSection() == ".text.tvm.fp16.conv";
}

bool IsPackedEntry(const llvm::Function& function) {
  return !function.isDeclaration() && IsPackedType(*function.getFunctionType()) &&
         function.getName().starts_with("__tvm_ffi_");
}

bool IsWrapper(const llvm::Function& function) {
  if (!IsPackedEntry(function)) return false;
  for (const llvm::BasicBlock& block : function) {
    for (const llvm::Instruction& instruction : block) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
      // TVM's name for the body that it moved out of the entry.
      if (callee != nullptr && callee->getName().contains("_compute_")) return true;
    }
  }
  return false;
}

void MarkAsCheck(llvm::Instruction* instruction) {
  instruction->setMetadata(llvm::LLVMContext::MD_nosanitize,
                           llvm::MDNode::get(instruction->getContext(), {}));
}

bool IsCheck(const llvm::Instruction& instruction) {
  return instruction.hasMetadata(llvm::LLVMContext::MD_nosanitize);
}

PreparedModule Prepare(llvm::Module& module) {
  PreparedModule prepared;
  prepared.instructions = NumberInstructions(module);
  prepared.has_barrier = UsesBarrier(module);
  DropUnusedConversions(module);
  BindRuntimeVariables(module);
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    if (!IsSupportFunction(function)) {
      if (IsPackedType(*function.getFunctionType())) {
        prepared.packed_functions.push_back(function.getName().str());
      } else {
        prepared.other_functions.emplace_back(function.getName().str(),
                                              TypeText(*function.getFunctionType()));
      }
    }
    DropDebugSlots(function);
    function.setLinkage(llvm::GlobalValue::ExternalLinkage);
    function.setVisibility(llvm::GlobalValue::DefaultVisibility);
    function.setDLLStorageClass(llvm::GlobalValue::DefaultStorageClass);
    function.setDSOLocal(true);
  }
  return prepared;
}

}  // namespace irate::sanitized
