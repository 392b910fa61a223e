#include "execution/sanitized/failure_reporter.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "execution/sanitized/prepare.h"

namespace irate::sanitized {
namespace {

bool IsSigned(ArithmeticCheck check) {
  return check != ArithmeticCheck::kUnsignedAdd && check != ArithmeticCheck::kUnsignedSubtract &&
         check != ArithmeticCheck::kUnsignedMultiply &&
         check != ArithmeticCheck::kUnsignedShiftLeft &&
         check != ArithmeticCheck::kUnsignedTruncation &&
         check != ArithmeticCheck::kUnsignedDivideByZero;
}

}  // namespace

llvm::Value* FailureReporter::Mark(llvm::Value* value) {
  if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(value)) MarkAsCheck(instruction);
  return value;
}

// An operand of the failing lane as a 64-bit integer.
llvm::Value* FailureReporter::AsWord(llvm::IRBuilder<>& builder, llvm::Value* value,
                                     llvm::Value* lane, bool is_signed) {
  if (value == nullptr) return builder.getInt64(0);
  if (value->getType()->isVectorTy()) value = Mark(builder.CreateExtractElement(value, lane));
  if (value->getType()->isDoubleTy()) {
    return Mark(builder.CreateBitCast(value, builder.getInt64Ty()));
  }
  if (value->getType() == builder.getInt64Ty()) return value;
  if (value->getType()->getScalarSizeInBits() > 64) {
    return Mark(builder.CreateTrunc(value, builder.getInt64Ty()));
  }
  return Mark(is_signed ? builder.CreateSExt(value, builder.getInt64Ty())
                        : builder.CreateZExt(value, builder.getInt64Ty()));
}

llvm::Value* FailureReporter::Any(llvm::IRBuilder<>& builder, llvm::Value* condition) {
  if (!condition->getType()->isVectorTy()) return condition;
  return Mark(builder.CreateOrReduce(condition));
}

// The first lane of the vector that fails.
llvm::Value* FailureReporter::FirstLane(llvm::IRBuilder<>& builder, llvm::Value* condition) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(condition->getType());
  if (vector == nullptr) return nullptr;
  llvm::Type* mask = builder.getIntNTy(vector->getNumElements());
  llvm::Value* bits = Mark(builder.CreateBitCast(condition, mask));
  llvm::Value* lane =
      Mark(builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits, builder.getTrue()));
  return Mark(builder.CreateZExtOrTrunc(lane, builder.getInt64Ty()));
}

llvm::CallInst* FailureReporter::CallReport(llvm::IRBuilder<>& builder, ArithmeticCheck check,
                                            unsigned bits, llvm::Value* left, llvm::Value* right) {
  llvm::Type* word = builder.getInt64Ty();
  llvm::FunctionCallee report = module_.getOrInsertFunction(
      "__irate_undefined", builder.getVoidTy(), builder.getInt32Ty(), word, word);
  llvm::CallInst* call =
      builder.CreateCall(report, {builder.getInt32(EncodeArithmetic(check, bits)), left, right});
  MarkAsCheck(call);
  return call;
}

llvm::Instruction* FailureReporter::ColdPath(llvm::Value* condition, llvm::Instruction* before) {
  llvm::MDNode* unlikely = llvm::MDBuilder(module_.getContext()).createUnlikelyBranchWeights();
  llvm::Instruction* end =
      llvm::SplitBlockAndInsertIfThen(condition, before, /*Unreachable=*/false, unlikely);
  MarkAsCheck(end->getParent()->getSinglePredecessor()->getTerminator());
  return end;
}

// Reports in front of `at` where the condition holds: undefined behaviour, whoever uses it.
void FailureReporter::Report(const Failure& failure, llvm::Instruction* at) {
  llvm::IRBuilder<> builder(at);
  builder.SetCurrentDebugLocation(at->getDebugLoc());
  llvm::Instruction* end = ColdPath(Any(builder, failure.condition), at);
  llvm::IRBuilder<> cold(end);
  cold.SetCurrentDebugLocation(at->getDebugLoc());
  llvm::Value* lane = FirstLane(cold, failure.condition);
  const bool is_signed = IsSigned(failure.check);
  CallReport(cold, failure.check, failure.left->getType()->getScalarSizeInBits(),
             AsWord(cold, failure.left, lane, is_signed),
             AsWord(cold, failure.right, lane, is_signed));
}

// What `result` is from here on: poison where the condition holds. Returns that value; the
// builder goes on behind it.
llvm::Instruction* FailureReporter::Poison(llvm::Instruction* result, const Failure& failure,
                                           llvm::IRBuilder<>& builder) {
  llvm::Instruction* next = &*builder.GetInsertPoint();
  const llvm::DebugLoc location = builder.getCurrentDebugLocation();
  llvm::Value* any = Any(builder, failure.condition);
  llvm::BasicBlock* head = next->getParent();
  llvm::Instruction* end = ColdPath(any, next);
  llvm::IRBuilder<> cold(end);
  cold.SetCurrentDebugLocation(location);
  llvm::Value* lane = FirstLane(cold, failure.condition);
  const bool is_signed = IsSigned(failure.check);
  const bool conversion = failure.check == ArithmeticCheck::kFloatToSigned ||
                          failure.check == ArithmeticCheck::kFloatToUnsigned ||
                          failure.check == ArithmeticCheck::kSignedTruncation ||
                          failure.check == ArithmeticCheck::kUnsignedTruncation;
  const unsigned bits =
      (conversion ? result->getType() : failure.left->getType())->getScalarSizeInBits();
  llvm::Value* left = AsWord(cold, failure.left, lane, is_signed);
  llvm::Value* right = AsWord(cold, failure.right, lane, is_signed);
  if (mode_ == PoisonMode::kImmediate) {
    CallReport(cold, failure.check, bits, left, right);
    builder.SetInsertPoint(next);
    return result;
  }
  llvm::Type* word = cold.getInt64Ty();
  llvm::FunctionCallee make_poison =
      module_.getOrInsertFunction("__irate_poison", word, cold.getInt32Ty(), word, word);
  // Zero, but tracked as poison; the other lanes of a vector keep theirs.
  llvm::Value* poison = cold.CreateCall(
      make_poison, {cold.getInt32(EncodeArithmetic(failure.check, bits)), left, right});
  llvm::Type* type = result->getType();
  poison = cold.CreateZExtOrTrunc(poison, type->getScalarType());
  if (auto* vector = llvm::dyn_cast<llvm::VectorType>(type)) {
    poison = cold.CreateSelect(failure.condition,
                               cold.CreateVectorSplat(vector->getElementCount(), poison),
                               llvm::Constant::getNullValue(type));
  }
  llvm::Value* poisoned = cold.CreateXor(result, poison);
  auto* merged = llvm::PHINode::Create(type, 2, "", next->getParent()->getFirstNonPHIIt());
  merged->setDebugLoc(location);
  result->replaceUsesWithIf(merged, [&](llvm::Use& use) {
    auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    return user != poisoned && !IsCheck(*user);
  });
  merged->addIncoming(result, head);
  merged->addIncoming(poisoned, end->getParent());
  if (result->hasName()) merged->takeName(result);
  builder.SetInsertPoint(next);
  return merged;
}

}  // namespace irate::sanitized
