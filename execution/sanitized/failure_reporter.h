// Code that tells the check runtime about a failed check: at once, or as poison that is followed
// until it matters. Internal; needs LLVM's headers.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "execution/sanitized/arithmetic.h"
#include "execution/sanitized/instrument.h"

namespace irate::sanitized {

class FailureReporter {
 public:
  FailureReporter(llvm::Module& module, PoisonMode mode) : module_(module), mode_(mode) {}

  // Condition of the failure, an i1 or a vector of them; and the operands to report.
  struct Failure {
    llvm::Value* condition;
    ArithmeticCheck check;
    llvm::Value* left;
    llvm::Value* right;
  };

  // Reports in front of `at` where the condition holds: undefined behaviour, whoever uses it.
  void Report(const Failure& failure, llvm::Instruction* at);
  // What `result` is from here on: poison where the condition holds. Returns that value; the
  // builder goes on behind it.
  llvm::Instruction* Poison(llvm::Instruction* result, const Failure& failure,
                            llvm::IRBuilder<>& builder);
  llvm::CallInst* CallReport(llvm::IRBuilder<>& builder, ArithmeticCheck check, unsigned bits,
                             llvm::Value* left, llvm::Value* right);
  // `value`, as an instruction of ours where it is one.
  llvm::Value* Mark(llvm::Value* value);

 private:
  llvm::Value* AsWord(llvm::IRBuilder<>& builder, llvm::Value* value, llvm::Value* lane,
                      bool is_signed);
  llvm::Value* Any(llvm::IRBuilder<>& builder, llvm::Value* condition);
  llvm::Value* FirstLane(llvm::IRBuilder<>& builder, llvm::Value* condition);
  llvm::Instruction* ColdPath(llvm::Value* condition, llvm::Instruction* before);

  llvm::Module& module_;
  PoisonMode mode_;
};

}  // namespace irate::sanitized
