// An instrumented module as machine code in this process, and the way back from an address in it to
// the instruction it came from. Internal.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace llvm {
class LLVMContext;
class Module;
}  // namespace llvm

namespace irate::sanitized {

struct JitTimes {
  double code_ms = 0;  // LLVM IR to an object
  double link_ms = 0;  // and into memory
};

class JitImage {
 public:
  // Symbols that the module imports: these first, then those of this process. An import that
  // neither has is an error that names it.
  using Symbols = std::vector<std::pair<std::string, void*>>;
  static absl::StatusOr<std::unique_ptr<JitImage>> Create(
      std::unique_ptr<llvm::Module> module, std::unique_ptr<llvm::LLVMContext> context,
      const Symbols& symbols, bool optimise);
  ~JitImage();

  // Null if there is no such function.
  void* Lookup(const std::string& name) const;
  // The number of the instruction (sites.h) whose code holds `pc`; 0 if `pc` is elsewhere.
  uint32_t SiteOf(uintptr_t pc) const;
  bool Contains(uintptr_t pc) const;
  const JitTimes& times() const { return times_; }

 private:
  struct Parts;
  JitImage();
  std::unique_ptr<Parts> parts_;
  JitTimes times_;
};

}  // namespace irate::sanitized
