#include "execution/sanitized/code_faults.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <array>
#include <utility>

#include "absl/status/status.h"
#include "execution/sanitized/code_places.h"
#include "execution/sanitized/ir_text.h"
#include "fmt/format.h"
#include "ir/status_macros.h"

namespace irate::sanitized {
namespace {

using llvm::IRBuilder;
using llvm::Value;

constexpr uint64_t kWildDistance = uint64_t{32} << 20;
constexpr uint64_t kVectorBytes = 16;

Value* At(IRBuilder<>& builder, Value* pointer, int64_t offset) {
  return builder.CreateGEP(builder.getInt8Ty(), pointer, builder.getInt64(offset));
}

// `size` bytes at `offset` of `pointer`, before `place`. Volatile: what is read is not used, and
// would not be read otherwise.
void Access(llvm::Instruction* place, Value* pointer, int64_t offset, uint64_t size, bool write) {
  IRBuilder<> builder(place);
  llvm::Type* type = builder.getIntNTy(static_cast<unsigned>(8 * size));
  Value* address = At(builder, pointer, offset);
  if (write) {
    builder.CreateAlignedStore(llvm::ConstantInt::get(type, 0), address, llvm::Align(1));
  } else {
    builder.CreateAlignedLoad(type, address, llvm::Align(1), /*isVolatile=*/true);
  }
}

template <bool kAfter, bool kWrite>
bool BesideTensor(const CodePlaces& places) {
  const TensorPlace* tensor = places.FirstTensor(1);
  if (tensor == nullptr) return false;
  const auto element = static_cast<int64_t>(tensor->element);
  Access(places.body_start(), tensor->pointer,
         kAfter ? static_cast<int64_t>(tensor->bytes) : -element, tensor->element, kWrite);
  return true;
}

template <bool kWrite>
bool BesideWorkspace(const CodePlaces& places) {
  for (llvm::CallInst* call : places.RuntimeCalls("TVMBackendAllocWorkspace")) {
    const auto* size = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(2));
    if (size == nullptr) continue;
    Access(call->getNextNode(), call, size->getSExtValue(), 4, kWrite);
    return true;
  }
  return false;
}

bool WorkspaceUseAfterFree(const CodePlaces& places) {
  for (llvm::CallInst* call : places.RuntimeCalls("TVMBackendFreeWorkspace")) {
    Access(call->getNextNode(), call->getArgOperand(2), 0, 1, false);
    return true;
  }
  return false;
}

bool StackWriteAfter(const CodePlaces& places) {
  llvm::AllocaInst* array = places.FirstStackArray();
  if (array == nullptr) return false;
  const auto size = array->getAllocationSize(places.layout());
  Access(places.body_start(), array, static_cast<int64_t>(size->getFixedValue()), 1, true);
  return true;
}

bool WildRead(const CodePlaces& places) {
  const TensorPlace* tensor = places.FirstTensor(1);
  if (tensor == nullptr) return false;
  Access(places.body_start(), tensor->pointer, kWildDistance, 4, false);
  return true;
}

bool MisalignedVector(const CodePlaces& places) {
  const TensorPlace* tensor = places.FirstTensor(kVectorBytes + 4);
  if (tensor == nullptr) return false;
  IRBuilder<> builder(places.body_start());
  auto* type = llvm::FixedVectorType::get(builder.getInt32Ty(), 4);
  builder.CreateAlignedLoad(type, At(builder, tensor->pointer, 4), llvm::Align(kVectorBytes));
  return true;
}

bool Uninitialised(const CodePlaces& places) {
  const TensorPlace* tensor = places.FirstTensor(1);
  if (tensor == nullptr) return false;
  IRBuilder<> entry(places.body_start());
  llvm::Type* type = entry.getIntNTy(static_cast<unsigned>(8 * tensor->element));
  Value* accumulator = entry.CreateAlloca(type, nullptr, "accumulator");
  for (llvm::ReturnInst* end : places.BodyReturns()) {
    IRBuilder<> builder(end);
    Value* sum = builder.CreateAdd(builder.CreateAlignedLoad(type, tensor->pointer, llvm::Align(1)),
                                   builder.CreateAlignedLoad(type, accumulator, llvm::Align(1)));
    builder.CreateAlignedStore(sum, tensor->pointer, llvm::Align(1));
  }
  return true;
}

bool OverflowedIndex(const CodePlaces& places) {
  const TensorPlace* tensor = places.FirstTensor(1);
  if (tensor == nullptr) return false;
  IRBuilder<> builder(places.body_start());
  // By way of memory: a sum of constants would be none any more.
  Value* slot = builder.CreateAlloca(builder.getInt32Ty(), nullptr, "last");
  builder.CreateStore(builder.getInt32(0x7fffffff), slot);
  Value* last = builder.CreateLoad(builder.getInt32Ty(), slot);
  Value* index = builder.CreateNSWAdd(last, builder.getInt32(1), "next");
  Value* address = builder.CreateGEP(builder.getInt8Ty(), tensor->pointer,
                                     builder.CreateSExt(index, builder.getInt64Ty()));
  builder.CreateAlignedLoad(builder.getInt8Ty(), address, llvm::Align(1));
  return true;
}

bool OverlappingNoalias(const CodePlaces& places) {
  const std::vector<TensorPlace>& tensors = places.tensors();
  for (const TensorPlace& written : tensors) {
    if (!written.is_noalias || !places.IsWritten(written)) continue;
    for (const TensorPlace& other : tensors) {
      if (&other == &written || !other.is_noalias || other.bytes > written.bytes) continue;
      places.body_call()->setArgOperand(
          other.pointer->getArgNo(),
          places.body_call()->getArgOperand(written.pointer->getArgNo()));
      return true;
    }
  }
  return false;
}

bool DroppedArgument(const CodePlaces& places) {
  for (llvm::CallInst* call : places.RuntimeCalls("TVMFFIFunctionCall")) {
    auto* count = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(2));
    if (count == nullptr || count->isZero()) continue;
    call->setArgOperand(2, llvm::ConstantInt::get(count->getType(), count->getZExtValue() - 1));
    return true;
  }
  llvm::CallInst* call = places.body_call();
  if (call == nullptr || call->arg_size() == 0) return false;
  std::vector<Value*> passed(call->arg_begin(), call->arg_end() - 1);
  places.ReplaceBodyCall(passed);
  return true;
}

bool Convention(const CodePlaces& places) {
  llvm::CallInst* call = places.body_call();
  if (call == nullptr || call->getFunction()->arg_size() != 4) return false;
  std::vector<Value*> passed;
  for (llvm::Argument& argument : call->getFunction()->args()) passed.push_back(&argument);
  places.ReplaceBodyCall(passed);
  return true;
}

struct Entry {
  std::string_view name;
  bool (*inject)(const CodePlaces&);
};

constexpr auto kFaults = std::to_array<Entry>({
    {"read-before", BesideTensor<false, false>},
    {"read-after", BesideTensor<true, false>},
    {"write-before", BesideTensor<false, true>},
    {"write-after", BesideTensor<true, true>},
    {"workspace-read-after", BesideWorkspace<false>},
    {"workspace-write-after", BesideWorkspace<true>},
    {"workspace-use-after-free", WorkspaceUseAfterFree},
    {"stack-write-after", StackWriteAfter},
    {"wild-read", WildRead},
    {"misaligned-vector", MisalignedVector},
    {"uninitialised", Uninitialised},
    {"overflowed-index", OverflowedIndex},
    {"overlapping-noalias", OverlappingNoalias},
    {"dropped-argument", DroppedArgument},
    {"convention", Convention},
});

}  // namespace

std::vector<std::string_view> CodeFaultNames() {
  std::vector<std::string_view> names;
  for (const Entry& fault : kFaults) names.push_back(fault.name);
  return names;
}

absl::StatusOr<std::optional<std::string>> InjectCodeFault(
    std::string_view name, const std::string& ir_text,
    std::span<const contract::Argument> arguments) {
  const auto* const fault = std::ranges::find(kFaults, name, &Entry::name);
  if (fault == kFaults.end()) {
    return absl::NotFoundError(fmt::format("there is no fault of the code '{}'", name));
  }
  llvm::LLVMContext context;
  IRATE_ASSIGN_OR_RETURN(const std::unique_ptr<llvm::Module> module, ParseModule(ir_text, context));
  const std::optional<CodePlaces> places = CodePlaces::Find(*module, arguments);
  if (!places || !fault->inject(*places)) return std::nullopt;
  std::string text;
  llvm::raw_string_ostream stream(text);
  module->print(stream, nullptr);
  return text;
}

}  // namespace irate::sanitized
