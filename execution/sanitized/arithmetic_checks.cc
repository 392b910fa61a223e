#include <llvm/ADT/APFloat.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <vector>

#include "execution/sanitized/arithmetic.h"
#include "execution/sanitized/failure_reporter.h"
#include "execution/sanitized/instrument.h"
#include "execution/sanitized/prepare.h"

namespace irate::sanitized {
namespace {

class ArithmeticChecks : private FailureReporter {
 public:
  ArithmeticChecks(llvm::Function& function, PoisonMode mode)
      : FailureReporter(*function.getParent(), mode), function_(function) {}

  void Run() {
    std::vector<llvm::Instruction*> originals;
    for (llvm::BasicBlock& block : function_) {
      for (llvm::Instruction& instruction : block) {
        if (!IsCheck(instruction)) originals.push_back(&instruction);
      }
    }
    for (llvm::Instruction* instruction : originals) Visit(*instruction);
  }

 private:
  void Visit(llvm::Instruction& instruction) {
    if (llvm::isa<llvm::ScalableVectorType>(instruction.getType())) return;
    switch (instruction.getOpcode()) {
      case llvm::Instruction::Add:
        return VisitWrap(instruction, llvm::Intrinsic::sadd_with_overflow,
                         ArithmeticCheck::kSignedAdd, llvm::Intrinsic::uadd_with_overflow,
                         ArithmeticCheck::kUnsignedAdd);
      case llvm::Instruction::Sub:
        return VisitWrap(instruction, llvm::Intrinsic::ssub_with_overflow,
                         ArithmeticCheck::kSignedSubtract, llvm::Intrinsic::usub_with_overflow,
                         ArithmeticCheck::kUnsignedSubtract);
      case llvm::Instruction::Mul:
        return VisitWrap(instruction, llvm::Intrinsic::smul_with_overflow,
                         ArithmeticCheck::kSignedMultiply, llvm::Intrinsic::umul_with_overflow,
                         ArithmeticCheck::kUnsignedMultiply);
      case llvm::Instruction::Shl:
      case llvm::Instruction::LShr:
      case llvm::Instruction::AShr:
        return VisitShift(instruction);
      case llvm::Instruction::SDiv:
      case llvm::Instruction::SRem:
      case llvm::Instruction::UDiv:
      case llvm::Instruction::URem:
        return VisitDivision(instruction);
      case llvm::Instruction::FPToSI:
      case llvm::Instruction::FPToUI:
        return VisitFloatToInteger(instruction);
      case llvm::Instruction::Trunc:
        return VisitTruncation(llvm::cast<llvm::TruncInst>(instruction));
      case llvm::Instruction::Unreachable:
        return VisitUnreachable(instruction);
      default:
        return;
    }
  }

  llvm::Value* Overflow(llvm::IRBuilder<>& builder, llvm::Intrinsic::ID id, llvm::Value* left,
                        llvm::Value* right) {
    llvm::Value* both = Mark(builder.CreateBinaryIntrinsic(id, left, right));
    return Mark(builder.CreateExtractValue(both, 1));
  }

  void VisitWrap(llvm::Instruction& instruction, llvm::Intrinsic::ID signed_id,
                 ArithmeticCheck signed_check, llvm::Intrinsic::ID unsigned_id,
                 ArithmeticCheck unsigned_check) {
    auto& operation = llvm::cast<llvm::OverflowingBinaryOperator>(instruction);
    llvm::Value* left = instruction.getOperand(0);
    llvm::Value* right = instruction.getOperand(1);
    const bool no_signed = operation.hasNoSignedWrap();
    const bool no_unsigned = operation.hasNoUnsignedWrap();
    instruction.setHasNoSignedWrap(false);
    instruction.setHasNoUnsignedWrap(false);
    llvm::Instruction* result = &instruction;
    llvm::IRBuilder<> builder(instruction.getNextNode());
    builder.SetCurrentDebugLocation(instruction.getDebugLoc());
    if (no_signed) {
      result = Poison(
          result, {Overflow(builder, signed_id, left, right), signed_check, left, right}, builder);
    }
    if (no_unsigned) {
      Poison(result, {Overflow(builder, unsigned_id, left, right), unsigned_check, left, right},
             builder);
    }
  }

  void VisitShift(llvm::Instruction& instruction) {
    llvm::Value* value = instruction.getOperand(0);
    llvm::Value* amount = instruction.getOperand(1);
    llvm::Type* type = value->getType();
    const unsigned bits = type->getScalarSizeInBits();
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(amount);
        constant != nullptr && constant->getValue().ult(bits) &&
        instruction.getOpcode() != llvm::Instruction::Shl) {
      return;
    }
    llvm::IRBuilder<> builder(&instruction);
    builder.SetCurrentDebugLocation(instruction.getDebugLoc());
    llvm::Constant* limit = llvm::ConstantInt::get(type, bits);
    llvm::Value* too_far = Mark(builder.CreateICmpUGE(amount, limit));
    // The hardware's result for such an amount depends on the instruction chosen.
    llvm::Value* safe = builder.CreateSelect(too_far, llvm::Constant::getNullValue(type), amount);
    instruction.setOperand(1, safe);
    bool no_signed = false;
    bool no_unsigned = false;
    if (auto* shift = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(&instruction)) {
      no_signed = shift->hasNoSignedWrap();
      no_unsigned = shift->hasNoUnsignedWrap();
      instruction.setHasNoSignedWrap(false);
      instruction.setHasNoUnsignedWrap(false);
    }
    llvm::IRBuilder<> after(instruction.getNextNode());
    after.SetCurrentDebugLocation(instruction.getDebugLoc());
    llvm::Value* lost_signed = nullptr;
    llvm::Value* lost_unsigned = nullptr;
    if (no_signed) {
      lost_signed = Mark(after.CreateICmpNE(Mark(after.CreateAShr(&instruction, safe)), value));
    }
    if (no_unsigned) {
      lost_unsigned = Mark(after.CreateICmpNE(Mark(after.CreateLShr(&instruction, safe)), value));
    }
    llvm::Instruction* result =
        Poison(&instruction, {too_far, ArithmeticCheck::kShiftAmount, value, amount}, after);
    for (const auto& [lost, check] :
         {std::pair{lost_signed, ArithmeticCheck::kSignedShiftLeft},
          std::pair{lost_unsigned, ArithmeticCheck::kUnsignedShiftLeft}}) {
      if (lost != nullptr) result = Poison(result, {lost, check, value, amount}, after);
    }
  }

  void VisitDivision(llvm::Instruction& instruction) {
    const bool is_signed = instruction.getOpcode() == llvm::Instruction::SDiv ||
                           instruction.getOpcode() == llvm::Instruction::SRem;
    llvm::Value* left = instruction.getOperand(0);
    llvm::Value* right = instruction.getOperand(1);
    llvm::Type* type = left->getType();
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(right);
        constant != nullptr && !constant->isZero() && !constant->isMinusOne()) {
      return;
    }
    llvm::IRBuilder<> builder(&instruction);
    builder.SetCurrentDebugLocation(instruction.getDebugLoc());
    llvm::Value* zero = Mark(builder.CreateICmpEQ(right, llvm::Constant::getNullValue(type)));
    llvm::Value* bad = zero;
    llvm::Value* overflow = nullptr;
    if (is_signed) {
      const unsigned bits = type->getScalarSizeInBits();
      llvm::Constant* least = llvm::ConstantInt::get(type, llvm::APInt::getSignedMinValue(bits));
      overflow = Mark(builder.CreateAnd(
          Mark(builder.CreateICmpEQ(left, least)),
          Mark(builder.CreateICmpEQ(right, llvm::Constant::getAllOnesValue(type)))));
      bad = Mark(builder.CreateOr(zero, overflow));
    }
    // The processor would trap.
    instruction.setOperand(1, builder.CreateSelect(bad, llvm::ConstantInt::get(type, 1), right));
    llvm::Instruction* at = &instruction;
    Report(
        {zero,
         is_signed ? ArithmeticCheck::kSignedDivideByZero : ArithmeticCheck::kUnsignedDivideByZero,
         left, right},
        at);
    if (overflow != nullptr) {
      Report({overflow, ArithmeticCheck::kSignedDivideOverflow, left, right}, at);
    }
  }

  void VisitFloatToInteger(llvm::Instruction& instruction) {
    const bool is_signed = instruction.getOpcode() == llvm::Instruction::FPToSI;
    llvm::Value* value = instruction.getOperand(0);
    const unsigned bits = instruction.getType()->getScalarSizeInBits();
    llvm::IRBuilder<> builder(&instruction);
    builder.SetCurrentDebugLocation(instruction.getDebugLoc());
    llvm::Type* wide = builder.getDoubleTy();
    if (auto* vector = llvm::dyn_cast<llvm::VectorType>(value->getType())) {
      wide = llvm::VectorType::get(wide, vector->getElementCount());
    }
    llvm::Value* number = value;
    if (number->getType() != wide) number = Mark(builder.CreateFPExt(number, wide));
    // Every integer type's limits are exact as doubles but for one below the least 64-bit integer,
    // where the limit itself is the bound.
    const llvm::APInt least =
        is_signed ? llvm::APInt::getSignedMinValue(bits) : llvm::APInt::getZero(bits);
    const double lower = is_signed ? least.roundToDouble(true) : 0.0;
    const double upper =
        is_signed ? -lower : llvm::APInt::getOneBitSet(bits + 1, bits).roundToDouble(false);
    const bool one_below = bits < 53;
    llvm::Value* above =
        one_below ? Mark(builder.CreateFCmpOGT(number, llvm::ConstantFP::get(wide, lower - 1)))
                  : Mark(builder.CreateFCmpOGE(number, llvm::ConstantFP::get(wide, lower)));
    if (!is_signed && !one_below) {
      above = Mark(builder.CreateFCmpOGT(number, llvm::ConstantFP::get(wide, -1.0)));
    }
    llvm::Value* below = Mark(builder.CreateFCmpOLT(number, llvm::ConstantFP::get(wide, upper)));
    llvm::Value* bad = Mark(builder.CreateNot(Mark(builder.CreateAnd(above, below))));
    llvm::IRBuilder<> after(instruction.getNextNode());
    after.SetCurrentDebugLocation(instruction.getDebugLoc());
    Poison(&instruction,
           {bad, is_signed ? ArithmeticCheck::kFloatToSigned : ArithmeticCheck::kFloatToUnsigned,
            number, nullptr},
           after);
  }

  void VisitTruncation(llvm::TruncInst& instruction) {
    const bool no_signed = instruction.hasNoSignedWrap();
    const bool no_unsigned = instruction.hasNoUnsignedWrap();
    if (!no_signed && !no_unsigned) return;
    instruction.setHasNoSignedWrap(false);
    instruction.setHasNoUnsignedWrap(false);
    llvm::Value* value = instruction.getOperand(0);
    llvm::IRBuilder<> builder(instruction.getNextNode());
    builder.SetCurrentDebugLocation(instruction.getDebugLoc());
    llvm::Value* back = Mark(no_signed ? builder.CreateSExt(&instruction, value->getType())
                                       : builder.CreateZExt(&instruction, value->getType()));
    Poison(&instruction,
           {Mark(builder.CreateICmpNE(back, value)),
            no_signed ? ArithmeticCheck::kSignedTruncation : ArithmeticCheck::kUnsignedTruncation,
            value, nullptr},
           builder);
  }

  void VisitUnreachable(llvm::Instruction& instruction) {
    llvm::IRBuilder<> builder(&instruction);
    builder.SetCurrentDebugLocation(instruction.getDebugLoc());
    CallReport(builder, ArithmeticCheck::kUnreachable, 0, builder.getInt64(0), builder.getInt64(0));
  }

  llvm::Function& function_;
};

}  // namespace

void AddArithmeticChecks(llvm::Function& function, PoisonMode mode) {
  ArithmeticChecks(function, mode).Run();
}

}  // namespace irate::sanitized
