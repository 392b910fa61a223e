// Where a mistake can be made in the code of a TVM module. Internal.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "execution/contract/host_buffers.h"

namespace llvm {
class AllocaInst;
class Argument;
class CallInst;
class DataLayout;
class Function;
class Instruction;
class Module;
class ReturnInst;
class Value;
}  // namespace llvm

namespace irate::sanitized {

// A tensor argument as a parameter of the function that holds the program.
struct TensorPlace {
  llvm::Argument* pointer = nullptr;
  uint64_t bytes = 0;    // from its first to its last element
  uint64_t element = 0;  // bytes
  bool is_noalias = false;
};

class CodePlaces {
 public:
  // Nothing if the packed entry has no body that it calls with the tensors' data.
  static std::optional<CodePlaces> Find(llvm::Module& module,
                                        std::span<const contract::Argument> arguments);

  // The tensors that have elements and begin at their data pointer.
  const std::vector<TensorPlace>& tensors() const { return tensors_; }
  // The first of at least `bytes`, with elements of a size that an integer has; or null.
  const TensorPlace* FirstTensor(uint64_t bytes) const;
  // A store in the body itself goes to it.
  bool IsWritten(const TensorPlace& tensor) const;
  // A named array on the body's stack, or null.
  llvm::AllocaInst* FirstStackArray() const;
  // The end of the body's first block, which every run comes to.
  llvm::Instruction* body_start() const;
  std::vector<llvm::ReturnInst*> BodyReturns() const;
  // The entry's call of the body.
  llvm::CallInst* body_call() const { return body_call_; }
  // Calls the body with other arguments, of another number or type perhaps.
  void ReplaceBodyCall(const std::vector<llvm::Value*>& arguments) const;
  // Calls of a function of the runtime, in the whole module.
  std::vector<llvm::CallInst*> RuntimeCalls(std::string_view name) const;
  const llvm::DataLayout& layout() const;

 private:
  llvm::Module* module_ = nullptr;
  llvm::Function* body_ = nullptr;
  llvm::CallInst* body_call_ = nullptr;
  std::vector<TensorPlace> tensors_;
};

}  // namespace irate::sanitized
