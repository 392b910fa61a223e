// The reference interpreter: the meaning of a Module.
//
// Source of the semantics: docs/semantics.md, which names the TVM header or standard behind each
// rule. A program is *defined* if no rule below is broken; only defined programs test a compiler.
//
//  * Undefined: out of bounds; division by zero and MIN / -1; a shift out of range; a conflict
//    between iterations of a parallel, thread-bound or vectorized loop; overlapping `noalias`
//    parameters; signed overflow in i32 and i64; reading memory that was never written.
//  * In a *pass's result* (`Mode::kPassResult`) overflow wraps, and an uninitialised value is
//  poison
//    that counts only where it reaches an output, an address or a branch.
//  * Fragile: compilers simplify over unbounded integers, so the magnitude of every integer is
//    tracked (|a|+|b|, |a|*|b|, comparisons as differences); where it leaves the type's range, the
//    values that depend on it are not judged.
//  * Floats carry a bound on their distance to the exact real value. What depends on a decision
//    within its bound of a tie is inconclusive and not judged.
//  * Fuel: running out is inconclusive.
#pragma once

#include <cstdint>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"

namespace irate {

struct InterpretOptions {
  enum class Mode { kSource, kPassResult };
  Mode mode = Mode::kSource;
  // Upper bound on evaluated instructions.
  uint64_t fuel = 20'000'000;
  // Upper bound on live bytes of all buffers.
  uint64_t memory = uint64_t{1} << 28;
};

// Runs functions[0] of a verified module on the tensors and scalars that `inputs` describes.
// Everything that the program does is in the result; an error status means that `inputs` and the
// module do not fit together (InvalidArgument names the parameter).
absl::StatusOr<Interpretation> Interpret(const Module& module, const Inputs& inputs,
                                         const InterpretOptions& options = {});

}  // namespace irate
