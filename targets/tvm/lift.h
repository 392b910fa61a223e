// TVM IR to Case IR, through reflection.
//
// The result is meant to be interpreted and compared, at every stage up to code generation.
// Conventions for what passes bring in:
//
//  * An operator is a CALL with its name without dialect ("tirx.tvm_struct_get" is
//    "tvm_struct_get"); if_then_else, reinterpret and buffer_data have operators of their own.
//  * LLVM intrinsics are called by their names, not by TVM's numbers for them.
//  * The launch parameters of a call_ffi_kernel follow its arguments as an array of strings.
//  * Ids are given in the order of first occurrence, parameters first. A buffer that no statement
//    declares (one that the packed API only describes) is in the table like any other.
//  * The root block that TVM puts around functions with blocks is left out where it holds nothing.
//  * Functions keep the order of the source module; new ones follow, by name.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ir/irate.pb.h"
#include "targets/tvm/native.h"

namespace irate::tvm_target {

// Lifts a module after each pass. Remembers the last module, so that a pass that changed nothing
// costs nothing and a function that it left alone is not lifted again.
class Lifter {
 public:
  // `source`: the Case's module, for the order of functions.
  explicit Lifter(const Module& source);

  enum class Outcome {
    kUnchanged,  // equal to the last module; `result` is unspecified
    kChanged,
    kFailed,  // `construct` names what has no Case IR; `result` is unspecified
  };
  // The first module counts as changed. `module` is an ir.IRModule. Throws tvm::ffi::Error only
  // where the compiler itself does.
  Outcome Lift(const Any& module, Module* result, std::string* construct);

 private:
  // The names of the module's functions, in order, and the functions.
  std::vector<std::pair<std::string, Any>> FunctionsOf(const Any& module) const;
  struct LiftedFunction {
    // The parts of the tirx.PrimFunc, kept alive: equal parts, equal function.
    std::vector<Any> parts;
    std::string bytes;      // the serialised Function; empty if it could not be lifted
    std::string construct;  // why not
  };

  std::vector<std::string> order_;
  std::map<std::string, LiftedFunction> functions_;
  std::vector<std::string> present_;  // the last module's functions, in order
};

}  // namespace irate::tvm_target
