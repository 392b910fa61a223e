#include "execution/sanitized/instrument.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/Instrumentation/AddressSanitizer.h>
#include <llvm/Transforms/Instrumentation/MemorySanitizer.h>

#include <mutex>
#include <string>
#include <vector>

#include "execution/sanitized/prepare.h"

namespace irate::sanitized {
namespace {

// AddressSanitizer skips a second access through the same pointer in a block even if it is wider
// than the first. There is no other way to reach this switch than LLVM's command line.
void CheckEveryAccess() {
  static std::once_flag once;
  std::call_once(once, [] {
    auto& options = llvm::cl::getRegisteredOptions();
    if (auto option = options.find("asan-opt-same-temp"); option != options.end()) {
      option->second->addOccurrence(0, "asan-opt-same-temp", "0");
    }
  });
}

// Constant text for error messages: thousands of bytes of red zones that nothing can overrun.
void ExcludeStrings(llvm::Module& module) {
  for (llvm::GlobalVariable& variable : module.globals()) {
    const auto* array = llvm::dyn_cast<llvm::ArrayType>(variable.getValueType());
    const bool text = variable.isConstant() && variable.hasPrivateLinkage() && array != nullptr &&
                      array->getElementType()->isIntegerTy(8);
    const bool pointer = variable.getValueType()->isPointerTy();
    if (!text && !pointer) continue;
    llvm::GlobalValue::SanitizerMetadata metadata;
    metadata.NoAddress = true;
    variable.setSanitizerMetadata(metadata);
  }
}

// In place of tracking values through a wrapper: its stack memory starts uninitialised, and what it
// passes on is initialised.
void InstrumentWrapper(llvm::Function& function) {
  llvm::Module& module = *function.getParent();
  llvm::LLVMContext& context = module.getContext();
  auto* nothing = llvm::Type::getVoidTy(context);
  auto* pointer = llvm::PointerType::get(context, 0);
  auto* word = llvm::Type::getInt64Ty(context);
  llvm::FunctionCallee poison =
      module.getOrInsertFunction("__msan_poison_alloca", nothing, pointer, word, pointer);
  llvm::FunctionCallee boundary = module.getOrInsertFunction("__irate_boundary", nothing);
  std::vector<llvm::Instruction*> originals;
  for (llvm::BasicBlock& block : function) {
    for (llvm::Instruction& instruction : block) {
      if (!IsCheck(instruction)) originals.push_back(&instruction);
    }
  }
  for (llvm::Instruction* instruction : originals) {
    if (auto* slot = llvm::dyn_cast<llvm::AllocaInst>(instruction)) {
      const std::optional<llvm::TypeSize> size = slot->getAllocationSize(module.getDataLayout());
      if (!size || size->isScalable()) continue;
      llvm::IRBuilder<> builder(slot->getNextNode());
      builder.SetCurrentDebugLocation(slot->getDebugLoc());
      MarkAsCheck(builder.CreateCall(
          poison, {slot, builder.getInt64(size->getFixedValue()),
                   builder.CreateGlobalString(slot->getName(), "", 0, &module)}));
    } else if (auto* call = llvm::dyn_cast<llvm::CallInst>(instruction);
               call != nullptr && !llvm::isa<llvm::IntrinsicInst>(call)) {
      llvm::IRBuilder<> builder(call);
      MarkAsCheck(builder.CreateCall(boundary));
    }
  }
}

// What the pass inserted must not be instrumented by the next one.
class InsertedInstructions {
 public:
  explicit InsertedInstructions(llvm::Module& module) : module_(module) {
    for (llvm::Function& function : module) {
      for (llvm::BasicBlock& block : function) {
        for (llvm::Instruction& instruction : block) before_.insert(&instruction);
      }
    }
  }
  void Mark() {
    for (llvm::Function& function : module_) {
      for (llvm::BasicBlock& block : function) {
        for (llvm::Instruction& instruction : block) {
          if (!before_.contains(&instruction)) MarkAsCheck(&instruction);
        }
      }
    }
  }

 private:
  llvm::Module& module_;
  llvm::DenseSet<const llvm::Instruction*> before_;
};

}  // namespace

void RunSanitizerPasses(llvm::Module& module, const CompileOptions& options) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    if (IsSupportFunction(function)) {
      function.addFnAttr(llvm::Attribute::DisableSanitizerInstrumentation);
      continue;
    }
    if (options.address) function.addFnAttr(llvm::Attribute::SanitizeAddress);
    if (options.initialisation) function.addFnAttr(llvm::Attribute::SanitizeMemory);
  }
  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  if (options.initialisation) {
    std::vector<llvm::Function*> wrappers;
    for (llvm::Function& function : module) {
      if (!IsWrapper(function)) continue;
      InstrumentWrapper(function);
      function.addFnAttr(llvm::Attribute::DisableSanitizerInstrumentation);
      wrappers.push_back(&function);
    }
    InsertedInstructions inserted(module);
    llvm::MemorySanitizerOptions memory(/*TrackOrigins=*/1, /*Recover=*/true, /*Kernel=*/true);
    memory.TrackOrigins = 1;
    llvm::MemorySanitizerPass(memory).run(module, modules);
    inserted.Mark();
    for (llvm::Function* wrapper : wrappers) {
      wrapper->removeFnAttr(llvm::Attribute::DisableSanitizerInstrumentation);
    }
    modules.clear();
    functions.clear();
  }
  if (options.address) {
    CheckEveryAccess();
    ExcludeStrings(module);
    llvm::AddressSanitizerOptions address;
    address.Recover = true;
    address.UseAfterReturn = llvm::AsanDetectStackUseAfterReturnMode::Never;
    address.InstrumentationWithCallsThreshold = 0;
    address.InsertVersionCheck = false;
    llvm::AddressSanitizerPass(address, /*UseGlobalGC=*/false, /*UseOdrIndicator=*/false)
        .run(module, modules);
  }
}

void Instrument(llvm::Module& module, const CompileOptions& options) {
  std::vector<llvm::Function*> program;
  for (llvm::Function& function : module) {
    if (!function.isDeclaration() && !IsSupportFunction(function)) program.push_back(&function);
  }
  for (llvm::Function* function : program) {
    if (options.noalias) AddNoaliasChecks(*function);
    if (options.alignment) AddAlignmentChecks(*function);
    if (options.arithmetic) {
      const bool tracked = options.initialisation && !IsWrapper(*function);
      AddArithmeticChecks(*function, tracked ? PoisonMode::kTracked : PoisonMode::kImmediate);
    }
  }
  RunSanitizerPasses(module, options);
}

}  // namespace irate::sanitized
