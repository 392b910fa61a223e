// The instrumentation of a prepared module, step by step. Internal.
#pragma once

#include "execution/sanitized/options.h"

namespace llvm {
class Function;
class Module;
}  // namespace llvm

namespace irate::sanitized {

// How a check that fails goes on. `kTracked`: arithmetic that leaves its type gives a value that is
// tracked like uninitialised memory and reported only if it decides or reaches something, which is
// LLVM's own meaning of poison. `kImmediate`: reported at the operation.
enum class PoisonMode { kTracked, kImmediate };

// Signed and unsigned overflow where the code promises none, shifts, conversions, divisions,
// 'unreachable'.
void AddArithmeticChecks(llvm::Function& function, PoisonMode mode);
// The address of every load and store, what 'assume' claims, and the alignment of parameters. After
// it no instruction relies on an alignment above 1, so that the run goes on after a report.
void AddAlignmentChecks(llvm::Function& function);
// Pairs of noalias parameters of which one may be written through.
void AddNoaliasChecks(llvm::Function& function);
// LLVM's own passes: MemorySanitizer in its kernel form, whose run-time interface is ours to
// implement, and AddressSanitizer with calls in place of inline checks.
void RunSanitizerPasses(llvm::Module& module, const CompileOptions& options);

// All of them, as the options say.
void Instrument(llvm::Module& module, const CompileOptions& options);

}  // namespace irate::sanitized
