#include "execution/sanitized/runtime_call.h"

#include <llvm/IR/Instructions.h>

namespace irate::sanitized {

std::string RuntimeName(const llvm::CallBase& call) {
  std::string name;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(call.getCalledOperand())) {
    name = load->getPointerOperand()->getName().str();
    if (!name.starts_with("__")) return "";
    name = name.substr(2);
  } else {
    name = call.getCalledOperand()->getName().str();
  }
  return name.starts_with("TVM") ? name : "";
}

}  // namespace irate::sanitized
