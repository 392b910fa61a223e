#include "execution/sanitized/abi_check.h"

#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include <optional>
#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "execution/sanitized/ir_text.h"
#include "execution/sanitized/packed_stack.h"
#include "execution/sanitized/runtime_call.h"
#include "execution/sanitized/sites.h"
#include "fmt/format.h"

namespace irate::sanitized {
namespace {

std::string TypeText(const llvm::Type& type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  type.print(stream);
  return text;
}

// Types of the runtime's functions as LLVM prints them.
constexpr std::pair<std::string_view, std::string_view> kRuntimeTypes[] = {
    {"TVMBackendAllocWorkspace", "ptr (i32, i32, i64, i32, i32)"},
    {"TVMBackendFreeWorkspace", "i32 (i32, i32, ptr)"},
    {"TVMBackendParallelLaunch", "i32 (ptr, ptr, i32)"},
    {"TVMBackendParallelBarrier", "i32 (i32, ptr)"},
    {"TVMFFIErrorSetRaisedFromCStr", "void (ptr, ptr)"},
    {"TVMFFIErrorSetRaisedFromCStrParts", "void (ptr, ptr, i32)"},
    {"TVMFFIEnvModLookupFromImports", "i32 (ptr, ptr, ptr)"},
    {"TVMFFIHandleInitOnce", "i32 (ptr, ptr)"},
    {"TVMFFIFunctionCall", "i32 (ptr, ptr, i32, ptr)"},
};
constexpr char kTaskType[] = "i32 (i32, ptr, ptr)";
constexpr char kPackedType[] = "i32 (ptr, ptr, i32, ptr)";

// The number of arguments that a packed function demands, or one more than the last that it reads.
std::optional<uint64_t> Arity(const llvm::Function& callee) {
  const llvm::Argument* num_args = callee.getArg(2);
  for (const llvm::User* user : num_args->users()) {
    const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(user);
    if (compare == nullptr || compare->getPredicate() != llvm::ICmpInst::ICMP_EQ) continue;
    for (const llvm::Use& operand : compare->operands()) {
      if (const auto* count = llvm::dyn_cast<llvm::ConstantInt>(operand)) {
        return count->getZExtValue();
      }
    }
  }
  uint64_t read = 0;
  for (const llvm::BasicBlock& block : callee) {
    for (const llvm::Instruction& instruction : block) {
      const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (load == nullptr) continue;
      const std::optional<StackPlace> place = FindPlace(load->getPointerOperand());
      if (place && place->base == callee.getArg(1) && place->offset >= 0) {
        read = std::max(read, static_cast<uint64_t>(place->offset) / kSlotBytes + 1);
      }
    }
  }
  if (read == 0) return std::nullopt;
  return read;
}

bool IsDeviceConvention(llvm::CallingConv::ID convention) {
  return convention == llvm::CallingConv::PTX_Kernel ||
         convention == llvm::CallingConv::PTX_Device ||
         convention == llvm::CallingConv::SPIR_KERNEL ||
         convention == llvm::CallingConv::SPIR_FUNC ||
         convention == llvm::CallingConv::AMDGPU_KERNEL;
}

class Checker {
 public:
  explicit Checker(const llvm::Module& module) : module_(module) {}

  std::vector<AbiViolation> Run() {
    for (const llvm::Function& function : module_) {
      if (function.isDeclaration()) continue;
      if (IsDeviceConvention(function.getCallingConv())) {
        violations_.push_back(
            {"calling-convention", function.getName().str(), "",
             fmt::format("{} is code of the host but has the device convention {}",
                         function.getName().str(), function.getCallingConv())});
      }
      for (const llvm::BasicBlock& block : function) {
        for (const llvm::Instruction& instruction : block) {
          const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
          if (call != nullptr && !llvm::isa<llvm::IntrinsicInst>(call)) Visit(*call);
        }
      }
    }
    return std::move(violations_);
  }

 private:
  void Add(const llvm::CallBase& call, std::string clause, std::string text) {
    violations_.push_back({std::move(clause), call.getFunction()->getName().str(),
                           DescribeInstruction(call), std::move(text)});
  }

  void Visit(const llvm::CallBase& call) {
    const auto* callee = llvm::dyn_cast<llvm::Function>(call.getCalledOperand());
    if (callee != nullptr && callee->getFunctionType() != call.getFunctionType()) {
      if (TypeText(*call.getFunctionType()) == kPackedType) {
        Add(call, "calling-convention",
            fmt::format("{} is called as a packed function but is {}", callee->getName().str(),
                        TypeText(*callee->getFunctionType())));
        return;
      }
      Add(call, "call-signature",
          fmt::format("{} has type {} and is called as {}", callee->getName().str(),
                      TypeText(*callee->getFunctionType()), TypeText(*call.getFunctionType())));
      return;
    }
    const std::string runtime = RuntimeName(call);
    for (const auto& [name, type] : kRuntimeTypes) {
      if (name != runtime || TypeText(*call.getFunctionType()) == type) continue;
      Add(call, "runtime-signature",
          fmt::format("{} has type {} and is called as {}", name, type,
                      TypeText(*call.getFunctionType())));
      return;
    }
    if (runtime == "TVMBackendParallelLaunch") VisitLaunch(call);
    if (runtime == "TVMFFIFunctionCall") {
      VisitPacked(call, CalleeByHandle(call));
    } else if (callee != nullptr && !callee->isDeclaration() && AsPackedCall(call) &&
               llvm::isa<llvm::ConstantInt>(call.getArgOperand(2))) {
      VisitPacked(call, callee);
    }
  }

  // The handle is loaded from the variable ".tvm_func.NAME".
  const llvm::Function* CalleeByHandle(const llvm::CallBase& call) {
    const auto* load = llvm::dyn_cast<llvm::LoadInst>(call.getArgOperand(0));
    if (load == nullptr) return nullptr;
    llvm::StringRef name = load->getPointerOperand()->getName();
    if (!name.consume_front(".tvm_func.")) return nullptr;
    const llvm::Function* callee = module_.getFunction(("__tvm_ffi_" + name).str());
    if (callee == nullptr) callee = module_.getFunction(name);
    if (callee == nullptr || callee->isDeclaration()) return nullptr;
    if (TypeText(*callee->getFunctionType()) != kPackedType) {
      Add(call, "calling-convention",
          fmt::format("'{}' is called as a packed function but is {} in this module", name.str(),
                      TypeText(*callee->getFunctionType())));
      return nullptr;
    }
    return callee;
  }

  void VisitPacked(const llvm::CallBase& call, const llvm::Function* callee) {
    const PackedOperands operands = *AsPackedCall(call);
    const auto* count = llvm::dyn_cast<llvm::ConstantInt>(operands.num_args);
    if (count == nullptr) return;
    const uint64_t passed = count->getZExtValue();
    if (callee != nullptr) {
      const std::optional<uint64_t> arity = Arity(*callee);
      if (arity && *arity != passed) {
        Add(call, "packed-argument-count",
            fmt::format("{} arguments are passed to {}, which reads {}", passed,
                        callee->getName().str(), *arity));
      }
    }
    const std::optional<StackPlace> place = FindPlace(operands.args);
    if (!place) return;
    const std::optional<uint64_t> bytes = ArrayBytes(place->base);
    const std::optional<StackPlace> result = FindPlace(operands.result);
    const int64_t end = place->offset + static_cast<int64_t>(passed * kSlotBytes);
    if (bytes && (place->offset < 0 || end > static_cast<int64_t>(*bytes))) {
      Add(call, "packed-array-size",
          fmt::format("{} arguments from offset {} do not fit into the array of {} bytes", passed,
                      place->offset, *bytes));
      return;
    }
    if (bytes && result && result->base == place->base &&
        (result->offset < 0 ||
         result->offset + static_cast<int64_t>(kSlotBytes) > static_cast<int64_t>(*bytes))) {
      Add(call, "packed-array-size",
          fmt::format("the result at offset {} lies outside of the array of {} bytes",
                      result->offset, *bytes));
    }
    if (const std::optional<uint64_t> slot = FirstUnsetSlot(call, *place, passed)) {
      Add(call, "packed-argument-unset",
          fmt::format("argument {} of {} is not written on every path to the call", *slot, passed));
    }
  }

  void VisitLaunch(const llvm::CallBase& call) {
    const auto* task = llvm::dyn_cast<llvm::Function>(call.getArgOperand(0));
    if (task == nullptr || task->isDeclaration()) return;
    if (TypeText(*task->getFunctionType()) != kTaskType) {
      Add(call, "launch-closure",
          fmt::format("the task {} has type {} instead of {}", task->getName().str(),
                      TypeText(*task->getFunctionType()), kTaskType));
      return;
    }
    const std::optional<StackPlace> closure = FindPlace(call.getArgOperand(1));
    if (!closure) return;
    const std::optional<uint64_t> bytes = ArrayBytes(closure->base);
    const llvm::DataLayout& layout = module_.getDataLayout();
    for (const llvm::BasicBlock& block : *task) {
      for (const llvm::Instruction& instruction : block) {
        const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        if (load == nullptr) continue;
        const std::optional<StackPlace> place = FindPlace(load->getPointerOperand());
        if (!place || place->base != task->getArg(2)) continue;
        const auto size = static_cast<int64_t>(layout.getTypeStoreSize(load->getType()));
        if (bytes && (place->offset < 0 || place->offset + size > static_cast<int64_t>(*bytes))) {
          Add(call, "launch-closure",
              fmt::format("the task {} reads {} bytes at offset {} of a closure of {} bytes",
                          task->getName().str(), size, place->offset, *bytes));
          return;
        }
      }
    }
  }

  const llvm::Module& module_;
  std::vector<AbiViolation> violations_;
};

}  // namespace

absl::StatusOr<std::vector<AbiViolation>> CheckAbi(const std::string& ir_text) {
  llvm::LLVMContext context;
  absl::StatusOr<std::unique_ptr<llvm::Module>> module = ParseModule(ir_text, context);
  if (!module.ok()) return module.status();
  return Checker(**module).Run();
}

}  // namespace irate::sanitized
