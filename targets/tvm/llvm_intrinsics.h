// Calls of LLVM intrinsics: TVM names them by the number that they have in its own LLVM, the Case
// IR by their name, which means the same everywhere.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace irate::tvm_target {

// Whether the first argument of the operator is the number of an intrinsic.
inline bool IsLlvmCall(std::string_view op) {
  return op == "call_llvm_intrin" || op == "call_llvm_pure_intrin";
}

// "llvm.exp". Throws tvm::ffi::Error for a number that no intrinsic has.
const std::string& LlvmIntrinsicName(int64_t id);
// Throws tvm::ffi::Error for a name that LLVM does not know.
int64_t LlvmIntrinsicId(const std::string& name);

}  // namespace irate::tvm_target
