#include "execution/sanitized/sites.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/raw_ostream.h>

#include <utility>
#include <vector>

#include "execution/sanitized/ir_text.h"
#include "fmt/format.h"

namespace irate::sanitized {
namespace {

// Deep enough for an index expression, short enough for a line.
constexpr int kDepth = 6;

std::string TypeText(const llvm::Type* type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  type->print(stream);
  return text;
}

std::string Words(const llvm::Value* value, int depth);

std::string ConstantText(const llvm::Constant* constant) {
  if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(constant)) {
    return integer->getBitWidth() == 1 ? (integer->isOne() ? "true" : "false")
                                       : llvm::toString(integer->getValue(), 10, true);
  }
  if (const auto* number = llvm::dyn_cast<llvm::ConstantFP>(constant)) {
    llvm::SmallString<32> text;
    number->getValueAPF().toString(text);
    return std::string(text);
  }
  if (constant->isNullValue()) return "0";
  if (llvm::isa<llvm::PoisonValue>(constant)) return "poison";
  if (llvm::isa<llvm::UndefValue>(constant)) return "undef";
  return constant->hasName() ? constant->getName().str() : "constant";
}

const char* Symbol(unsigned opcode) {
  switch (opcode) {
    case llvm::Instruction::Add:
    case llvm::Instruction::FAdd:
      return "+";
    case llvm::Instruction::Sub:
    case llvm::Instruction::FSub:
      return "-";
    case llvm::Instruction::Mul:
    case llvm::Instruction::FMul:
      return "*";
    case llvm::Instruction::SDiv:
    case llvm::Instruction::UDiv:
    case llvm::Instruction::FDiv:
      return "/";
    case llvm::Instruction::SRem:
    case llvm::Instruction::URem:
    case llvm::Instruction::FRem:
      return "%";
    case llvm::Instruction::Shl:
      return "<<";
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr:
      return ">>";
    case llvm::Instruction::And:
      return "&";
    case llvm::Instruction::Or:
      return "|";
    case llvm::Instruction::Xor:
      return "^";
    default:
      return nullptr;
  }
}

// "C[i]", "arg.2": a pointer as base and index.
std::string AddressWords(const llvm::Value* pointer, int depth) {
  const auto* step = llvm::dyn_cast<llvm::GEPOperator>(pointer);
  if (step == nullptr || depth <= 0) return Words(pointer, depth);
  std::string base = AddressWords(step->getPointerOperand(), depth - 1);
  if (step->getSourceElementType()->isStructTy() && step->getNumIndices() >= 2) {
    auto index = step->idx_begin();
    if (const auto* first = llvm::dyn_cast<llvm::ConstantInt>(*index); !first || !first->isZero()) {
      base += fmt::format("[{}]", Words(*index, depth - 1));
    }
    for (++index; index != step->idx_end(); ++index) base += "." + Words(*index, depth - 1);
    return base;
  }
  std::string indices;
  for (const llvm::Use& index : step->indices()) {
    indices += (indices.empty() ? "" : "][") + Words(index, depth - 1);
  }
  return fmt::format("{}[{}]", base, indices);
}

std::string Words(const llvm::Value* value, int depth) {
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
      constant && !llvm::isa<llvm::GlobalValue>(constant)) {
    return ConstantText(constant);
  }
  if (value->hasName()) return value->getName().str();
  if (depth <= 0) return "...";
  if (const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(value)) {
    return fmt::format("({} {} {})", Words(binary->getOperand(0), depth - 1),
                       Symbol(binary->getOpcode()), Words(binary->getOperand(1), depth - 1));
  }
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(value)) {
    return Words(cast->getOperand(0), depth - 1);
  }
  if (llvm::isa<llvm::GEPOperator>(value)) return AddressWords(value, depth);
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(value)) {
    return fmt::format("*{}", AddressWords(load->getPointerOperand(), depth - 1));
  }
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(value)) {
    const llvm::Function* callee = call->getCalledFunction();
    return callee != nullptr ? callee->getName().str() + "(...)" : "call(...)";
  }
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(value)) {
    return fmt::format("argument {}", argument->getArgNo());
  }
  return "...";
}

std::string CalleeWords(const llvm::CallBase& call) {
  const llvm::Value* callee = call.getCalledOperand();
  // Runtime functions are called through pointer variables of the module: "__TVM...".
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(callee)) {
    std::string name = Words(load->getPointerOperand(), kDepth);
    return name.starts_with("__") ? name.substr(2) : name;
  }
  return Words(callee, kDepth);
}

}  // namespace

std::string DescribeInstruction(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    return fmt::format("load {} from {}", TypeText(load->getType()),
                       AddressWords(load->getPointerOperand(), kDepth));
  }
  if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    return fmt::format("store {} to {}", TypeText(store->getValueOperand()->getType()),
                       AddressWords(store->getPointerOperand(), kDepth));
  }
  if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction);
      branch != nullptr && branch->isConditional()) {
    return fmt::format("branch on {}", Words(branch->getCondition(), kDepth));
  }
  if (const auto* transfer = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
    return fmt::format("{} to {}", transfer->getCalledFunction()->getName().str(),
                       AddressWords(transfer->getDest(), kDepth));
  }
  if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    return fmt::format("call {}", CalleeWords(*call));
  }
  if (Symbol(instruction.getOpcode()) != nullptr) {
    return fmt::format("{} {} {} in {}", Words(instruction.getOperand(0), kDepth),
                       Symbol(instruction.getOpcode()), Words(instruction.getOperand(1), kDepth),
                       TypeText(instruction.getType()));
  }
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
    return fmt::format("{} {} to {}", cast->getOpcodeName(), Words(cast->getOperand(0), kDepth),
                       TypeText(cast->getType()));
  }
  return instruction.getOpcodeName();
}

struct SiteDescriber::Parsed {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  std::vector<const llvm::Instruction*> instructions;
};

SiteDescriber::SiteDescriber(std::string ir_text) : ir_text_(std::move(ir_text)) {}
SiteDescriber::~SiteDescriber() = default;

Site SiteDescriber::Describe(uint32_t number) {
  if (parsed_ == nullptr) {
    parsed_ = std::make_unique<Parsed>();
    absl::StatusOr<std::unique_ptr<llvm::Module>> module = ParseModule(ir_text_, parsed_->context);
    if (!module.ok()) return {};
    parsed_->module = *std::move(module);
    for (const llvm::Function& function : *parsed_->module) {
      for (const llvm::BasicBlock& block : function) {
        for (const llvm::Instruction& instruction : block) {
          parsed_->instructions.push_back(&instruction);
        }
      }
    }
  }
  if (number == 0 || number > parsed_->instructions.size()) return {};
  const llvm::Instruction& instruction = *parsed_->instructions[number - 1];
  Site site;
  site.function = instruction.getFunction()->getName().str();
  site.block = instruction.getParent()->getName().str();
  site.statement = DescribeInstruction(instruction);
  site.value = instruction.getName().str();
  if (const llvm::DebugLoc& location = instruction.getDebugLoc(); location && location.getLine()) {
    site.source = fmt::format("{}:{}", location->getFilename().str(), location.getLine());
  }
  return site;
}

}  // namespace irate::sanitized
