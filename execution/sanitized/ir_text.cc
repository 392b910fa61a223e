#include "execution/sanitized/ir_text.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/SourceMgr.h>

#include <string_view>
#include <utility>

#include "absl/status/status.h"
#include "fmt/format.h"

namespace irate::sanitized {

std::string Acceptable(std::string ir_text) {
  constexpr std::string_view kMark = "dllexport ";
  for (std::string_view linkage : {"\ndefine private ", "\ndefine internal "}) {
    for (size_t at = ir_text.find(linkage); at != std::string::npos;
         at = ir_text.find(linkage, at + linkage.size())) {
      if (ir_text.compare(at + linkage.size(), kMark.size(), kMark) == 0) {
        ir_text.erase(at + linkage.size(), kMark.size());
      }
    }
  }
  return ir_text;
}

absl::StatusOr<std::unique_ptr<llvm::Module>> ParseModule(const std::string& ir_text,
                                                          llvm::LLVMContext& context) {
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> module =
      llvm::parseAssemblyString(Acceptable(ir_text), diagnostic, context);
  if (module == nullptr) {
    return absl::InvalidArgumentError(fmt::format("LLVM IR does not parse: line {}: {}",
                                                  diagnostic.getLineNo(),
                                                  diagnostic.getMessage().str()));
  }
  return module;
}

}  // namespace irate::sanitized
