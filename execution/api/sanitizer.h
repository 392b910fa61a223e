// Tier 2 as a target sees it: where to hand the code that it generated.
//
// A worker that is built for it (tools/irate_worker_asan.cc) has a sanitizer; in any other the
// pointer is null, and a target that is asked for a sanitized run says so in `not_sanitized`.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "ir/irate.pb.h"
#include "ir/observation.pb.h"

namespace irate {

// One form of the generated code.
struct EmittedCode {
  std::string llvm_ir;
  std::string entry;  // the packed function for the Case's first function
  // The compiler's optimiser has seen it: it may hold speculated loads and arithmetic.
  bool optimised = false;
};

class Sanitizer {
 public:
  virtual ~Sanitizer() = default;
  // Runs each form on the Case's inputs. Adds to `violations`, `not_sanitized` and `faults`.
  virtual void Run(const Case& test_case, std::span<const EmittedCode> forms,
                   VariantObservation* observation) = 0;
};

// Seeded faults (Case.faults) that only a sanitizer can switch on: "runtime.NAME", one of
// execution/contract/faults.h, and "code.NAME", one of execution/sanitized/code_faults.h.
inline bool IsSanitizerFault(std::string_view name) {
  return name.starts_with("runtime.") || name.starts_with("code.");
}

// All of them, for those who check names where no sanitizer is.
inline constexpr auto kSanitizerFaults = std::to_array<std::string_view>({
    "runtime.workspace-align-16",
    "runtime.workspace-align-32",
    "runtime.workspace-off-by-one",
    "runtime.launch-skip-task",
    "runtime.launch-repeat-task",
    "runtime.launch-over-count",
    "runtime.packed-drop-argument",
    "code.read-before",
    "code.read-after",
    "code.write-before",
    "code.write-after",
    "code.workspace-read-after",
    "code.workspace-write-after",
    "code.workspace-use-after-free",
    "code.stack-write-after",
    "code.wild-read",
    "code.misaligned-vector",
    "code.uninitialised",
    "code.overflowed-index",
    "code.overlapping-noalias",
    "code.dropped-argument",
    "code.convention",
});

// This process's sanitizer, or null. Set once, before the target is loaded.
inline Sanitizer*& ProcessSanitizer() {
  static Sanitizer* sanitizer = nullptr;
  return sanitizer;
}

}  // namespace irate
