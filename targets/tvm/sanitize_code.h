// Tier 2: the LLVM IR of a module, handed to the sanitizer of this worker.
#pragma once

#include "ir/irate.pb.h"
#include "ir/observation.pb.h"
#include "targets/tvm/native.h"

namespace irate {
struct Progress;
}

namespace irate::tvm_target {

// Emits `module` as LLVM IR at opt-level 0, for one Case in kOptimisedOneIn as well at the level of
// `target`, and hands both to ProcessSanitizer(). Sets violations, not_sanitized and run_ms, adds
// to build_ms; a failure only where code generation fails.
void SanitizeCode(const Case& test_case, const Any& module, const Any& target, Progress* progress,
                  VariantObservation* observation);

// Emitting and checking the optimised form costs more than the other, and finds less.
inline constexpr uint64_t kOptimisedOneIn = 4;

}  // namespace irate::tvm_target
