// External functions: what a Case calls and no module defines, as a graph partitioner calls what an
// external code generator made (`tvm_call_packed("irate.external.add_sub", ...)`).
//
// They are few, and known by name to everyone: the interpreter computes them (ir/interpreter), and
// execution/contract/external_functions.h implements them for processes that run compiled code. All
// take compact CPU tensors of one element type and one number of elements, inputs first:
//
//     output k [i] = outputs[k](input 0 [i], input 1 [i])     (input 0 twice where there is one)
//
// and read exactly `arity()` arguments. A caller that passes fewer has broken the packed calling
// convention (tvm/ffi/c_api.h, TVMFFISafeCallType).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "ir/irate.pb.h"

namespace irate {

struct ExternalFunction {
  std::string_view name;
  int inputs = 1;
  std::span<const Op> outputs;  // ADD, SUB, MUL, MIN, MAX
  int arity() const { return inputs + static_cast<int>(outputs.size()); }
};

std::span<const ExternalFunction> ExternalFunctions();
// nullptr: no such function.
const ExternalFunction* FindExternalFunction(std::string_view name);
// Whether external functions take tensors of these elements: integers, f32, f64.
bool ExternalTakes(ScalarType type);

}  // namespace irate
