// LLVM IR text as TVM prints it. Internal.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace irate::sanitized {

// TVM marks private functions for export, which LLVM prints but does not accept back: the text
// without those marks.
std::string Acceptable(std::string ir_text);

// InvalidArgument with the line and LLVM's message. Accepts what TVM prints.
absl::StatusOr<std::unique_ptr<llvm::Module>> ParseModule(const std::string& ir_text,
                                                          llvm::LLVMContext& context);

}  // namespace irate::sanitized
