#include "execution/devices/simulated/kernel_ir.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/ReplaceConstant.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Instrumentation/AddressSanitizer.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/EntryExitInstrumenter.h>

#include <mutex>

namespace irate::devices {
namespace {

bool IsKernel(const llvm::Function& function) {
  return !function.isDeclaration() &&
         (function.getCallingConv() == llvm::CallingConv::SPIR_KERNEL ||
          function.getMetadata("kernel_arg_type") != nullptr);
}

// The pass leaves out accesses through a pointer that it has seen in the same block, even wider
// ones and stores behind loads. LLVM's command line is the only way to this switch.
void CheckEveryAccess() {
  static std::once_flag once;
  std::call_once(once, [] {
    auto& options = llvm::cl::getRegisteredOptions();
    for (const char* name : {"asan-opt-same-temp", "asan-opt"}) {
      if (auto option = options.find(name); option != options.end()) {
        option->second->addOccurrence(0, name, "0");
      }
    }
  });
}

}  // namespace

std::string EntryName(const std::string& name) { return "irate_entry_" + name; }

std::vector<CompiledKernel> AddEntries(llvm::Module& module) {
  std::vector<llvm::Function*> kernels;
  for (llvm::Function& function : module) {
    if (IsKernel(function)) kernels.push_back(&function);
  }
  llvm::LLVMContext& context = module.getContext();
  const llvm::DataLayout& layout = module.getDataLayout();
  auto* pointer = llvm::PointerType::get(context, 0);
  std::vector<CompiledKernel> result;
  for (llvm::Function* kernel : kernels) {
    CompiledKernel compiled;
    compiled.name = kernel->getName().str();
    kernel->setCallingConv(llvm::CallingConv::C);
    auto* entry = llvm::Function::Create(
        llvm::FunctionType::get(llvm::Type::getVoidTy(context), {pointer}, false),
        llvm::Function::ExternalLinkage, EntryName(compiled.name), module);
    entry->addFnAttr(llvm::Attribute::DisableSanitizerInstrumentation);
    llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "entry", entry));
    std::vector<llvm::Value*> arguments;
    for (llvm::Argument& parameter : kernel->args()) {
      llvm::Type* type = parameter.getType();
      llvm::Value* slot = builder.CreateConstGEP1_64(pointer, entry->getArg(0), arguments.size());
      arguments.push_back(builder.CreateLoad(type, builder.CreateLoad(pointer, slot)));
      compiled.parameters.push_back(
          {type->isPointerTy(), static_cast<uint32_t>(layout.getTypeStoreSize(type))});
    }
    builder.CreateCall(kernel, arguments);
    builder.CreateRetVoid();
    result.push_back(std::move(compiled));
  }
  for (llvm::Function& function : module) {
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : block) {
        if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
          if (call->getCallingConv() == llvm::CallingConv::SPIR_KERNEL ||
              call->getCallingConv() == llvm::CallingConv::SPIR_FUNC) {
            call->setCallingConv(llvm::CallingConv::C);
          }
        }
      }
    }
    if (function.getCallingConv() == llvm::CallingConv::SPIR_FUNC) {
      function.setCallingConv(llvm::CallingConv::C);
    }
  }
  return result;
}

std::vector<SharedArray> MoveSharedArrays(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  auto* pointer = llvm::PointerType::get(context, 0);
  auto* word = llvm::Type::getInt32Ty(context);
  std::vector<llvm::GlobalVariable*> arrays;
  for (llvm::GlobalVariable& variable : module.globals()) {
    if (!variable.isConstant() && variable.hasLocalLinkage()) arrays.push_back(&variable);
  }
  std::vector<SharedArray> result;
  if (arrays.empty()) return result;
  llvm::FunctionCallee shared = module.getOrInsertFunction("irate_shared", pointer, word);
  for (llvm::GlobalVariable* array : arrays) {
    llvm::convertUsersOfConstantsToInstructions({array});
    // "kernel.name" to "name".
    std::string name = array->getName().str();
    name = name.substr(name.rfind('.') + 1);
    result.push_back({name, static_cast<size_t>(
                                module.getDataLayout().getTypeAllocSize(array->getValueType()))});
    std::vector<llvm::Use*> uses;
    for (llvm::Use& use : array->uses()) uses.push_back(&use);
    std::vector<std::pair<llvm::Function*, llvm::Value*>> bases;
    for (llvm::Use* use : uses) {
      auto* user = llvm::dyn_cast<llvm::Instruction>(use->getUser());
      if (user == nullptr) continue;
      llvm::Function* function = user->getFunction();
      llvm::Value* base = nullptr;
      for (const auto& [owner, value] : bases) {
        if (owner == function) base = value;
      }
      if (base == nullptr) {
        llvm::IRBuilder<> builder(&*function->getEntryBlock().getFirstInsertionPt());
        base = builder.CreateCall(shared,
                                  {builder.getInt32(static_cast<uint32_t>(result.size() - 1))});
        bases.emplace_back(function, base);
      }
      use->set(base);
    }
  }
  return result;
}

void MakeDivisionTotal(llvm::Module& module) {
  std::vector<llvm::BinaryOperator*> divisions;
  for (llvm::Function& function : module) {
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : block) {
        auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
        if (binary == nullptr || !binary->isIntDivRem()) continue;
        if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(binary->getOperand(1));
            constant != nullptr && !constant->isZero() && !constant->isMinusOne()) {
          continue;
        }
        divisions.push_back(binary);
      }
    }
  }
  for (llvm::BinaryOperator* division : divisions) {
    const bool is_signed = division->getOpcode() == llvm::Instruction::SDiv ||
                           division->getOpcode() == llvm::Instruction::SRem;
    const bool is_remainder = division->getOpcode() == llvm::Instruction::SRem ||
                              division->getOpcode() == llvm::Instruction::URem;
    llvm::IRBuilder<> builder(division);
    llvm::Value* dividend = division->getOperand(0);
    llvm::Value* divisor = division->getOperand(1);
    llvm::Type* type = division->getType();
    llvm::Value* zero = llvm::Constant::getNullValue(type);
    llvm::Value* one = llvm::ConstantInt::get(type, 1);
    llvm::Value* by_zero = builder.CreateICmpEQ(divisor, zero);
    llvm::Value* special = by_zero;
    llvm::Value* instead = zero;
    if (is_signed) {
      llvm::Value* by_minus_one =
          builder.CreateICmpEQ(divisor, llvm::Constant::getAllOnesValue(type));
      special = builder.CreateOr(by_zero, by_minus_one);
      if (!is_remainder) {
        instead = builder.CreateSelect(by_zero, zero, builder.CreateSub(zero, dividend));
      }
    }
    llvm::Value* safe = builder.CreateSelect(special, one, divisor);
    llvm::Value* usual = builder.CreateBinOp(division->getOpcode(), dividend, safe);
    division->replaceAllUsesWith(builder.CreateSelect(special, instead, usual));
    division->eraseFromParent();
  }
}

void OptimiseAndInstrument(llvm::Module& module) {
  CheckEveryAccess();
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    if (!function.hasFnAttribute(llvm::Attribute::DisableSanitizerInstrumentation)) {
      function.addFnAttr(llvm::Attribute::SanitizeAddress);
      function.setLinkage(llvm::GlobalValue::InternalLinkage);
    }
    function.setComdat(nullptr);
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
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass());
  passes.addPass(llvm::GlobalDCEPass());
  llvm::FunctionPassManager each;
  each.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(each)));
  llvm::AddressSanitizerOptions address;
  address.Recover = true;
  address.UseAfterReturn = llvm::AsanDetectStackUseAfterReturnMode::Never;
  address.InstrumentationWithCallsThreshold = 0;
  address.InsertVersionCheck = false;
  passes.addPass(llvm::AddressSanitizerPass(address, /*UseGlobalGC=*/false,
                                            /*UseOdrIndicator=*/false));
  passes.run(module, modules);
}

}  // namespace irate::devices
