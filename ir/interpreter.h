// The reference interpreter: the meaning of a Module.
//
// Source of the semantics: docs/semantics.md, which names the TVM header or standard behind each
// rule. A program is *defined* if no rule below is broken; only defined programs test a compiler.
//
//  * Undefined: data races between threads; barrier divergence; out of bounds; division by zero and
//  MIN / -1; a shift out of range; a conflict
//    between iterations of a parallel or vectorized loop; signed overflow in i32 and i64; reading
//    memory that was never written; a fragile integer as an address, a branch or a loop bound.
//    Parameters never overlap here, so `noalias` always holds.
//  * In a *pass's result* (`Mode::kPassResult`) overflow wraps, and an uninitialised value is
//    poison that counts only where it reaches an output, an address or a branch. A failed assertion
//    is UNDEFINED with the reason "assertion failed: ...".
//  * Fragile: compilers simplify over unbounded integers, so the magnitude of every integer is
//    tracked (|a|+|b|, |a|*|b|, comparisons as differences); where it leaves the type's range, the
//    values that depend on it are not judged. What is fragile in a pass's result only is still
//    compared with what it was made from (InterpretedTensor.judged is kJudgedAsResult).
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
  // Upper bound on evaluated instructions (a vector instruction counts once per lane).
  uint64_t fuel = 20'000'000;
  // Upper bound on live bytes of all buffers and of the interpreter's records about them.
  uint64_t memory = uint64_t{1} << 28;
  // Device code whose barriers a compiler has still to put in: threads of a block that come to a
  // statement outside of divergent control flow wait for each other, as far as memory of the block
  // is concerned. Source programs are read so.
  bool implicit_barriers = true;
  // The function that `inputs` describes, where that is not the module's own entry: a module lifted
  // from a compiler. Its parameters correspond by position (variables are numbered anew). An entry
  // after TVM's MakePackedAPI (attribute "calling_conv" = 1 and the parameters self, args,
  // num_args, result) is given these arguments as an array of TVMFFIAny and DLTensors, and the
  // outputs are this function's buffer parameters. Null: the entry's own parameters.
  const Function* signature = nullptr;
};

// Values of the bytes in InterpretedTensor.judged.
inline constexpr char kNotJudged = 0;       // fragile, inconclusive
inline constexpr char kJudged = 1;          // may be judged, and others by it
inline constexpr char kJudgedAsResult = 2;  // may be judged, but nothing may be judged by it

// Runs functions[0] of a verified module on the tensors and scalars that `inputs` describes.
// Everything that the program does is in the result; an error status means that `inputs` and the
// module do not fit together (InvalidArgument names the parameter), or that the module is
// malformed.
absl::StatusOr<Interpretation> Interpret(const Module& module, const Inputs& inputs,
                                         const InterpretOptions& options = {});

}  // namespace irate
