// Which checks a module is compiled with.
#pragma once

namespace irate::sanitized {

struct CompileOptions {
  // AddressSanitizer: heap, stack, globals, everything that the contract runtime poisons.
  bool address = true;
  // Alignment of accesses, assumptions and parameters.
  bool alignment = true;
  // Arithmetic whose result LLVM calls poison or undefined, and control at 'unreachable'.
  bool arithmetic = true;
  // Uninitialised values, tracked through memory and arithmetic up to a branch, an address or an
  // output. With it go exact bounds, races between parallel tasks, and tracked arithmetic.
  bool initialisation = true;
  // Overlapping noalias parameters.
  bool noalias = true;
  // The code generator's effort: false is FastISel.
  bool optimise = false;

  // For IR that the compiler emitted without optimising: every check.
  static CompileOptions Strict() { return {}; }
  // For optimised IR. An optimiser may compute what is not used, in arithmetic and in loads of
  // undefined values, so only accesses are judged.
  static CompileOptions Optimised() {
    CompileOptions options;
    options.arithmetic = options.initialisation = options.noalias = false;
    return options;
  }
};

}  // namespace irate::sanitized
