// Calls that a caller must not make, made on purpose: too few or too many arguments, a wrong type,
// rank, shape, stride, device, alignment, null pointers, scalars out of range.
//
// A packed function checks its arguments. So each of these must come back as an error: not as a
// memory error on the way, and not as success.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "execution/contract/host_buffers.h"
#include "execution/sanitized/report.h"
#include "execution/sanitized/sanitized_module.h"

namespace irate::sanitized {

// What a parameter accepts, as far as wrong calls need to know.
struct ParameterSignature {
  bool is_tensor = false;
  std::string name;
  contract::AbiType type;  // of the elements, or of the scalar
  // Of a tensor. A constant extent is checked against the constant; the others against each other,
  // where a variable occurs more than once.
  struct Extent {
    bool is_constant = true;
    int64_t value = 0;
    std::string variable;
  };
  std::vector<Extent> shape;
  bool is_compact = true;   // has no strides of its own
  bool has_offset = false;  // accepts a byte offset
  size_t alignment = 64;
};
using Signature = std::vector<ParameterSignature>;

struct WrongCall {
  std::string name;    // "A-rank-plus-one": stable, for findings and for muting
  std::string clause;  // the kind of mistake: "rank"
  std::string text;    // "A has 3 dimensions instead of 2"
  std::vector<contract::Argument> arguments;
  std::function<void(CallFrame&)> mutate;  // may be empty
};

// Every wrong call of these kinds. `right` are arguments of a call that succeeds.
std::vector<WrongCall> WrongCalls(const Signature& signature,
                                  const std::vector<contract::Argument>& right);

// What is wrong with how the function took the call; empty if it returned an error and did nothing
// else. Reports begin with the call's text. The first is kSilentWrongCall where the checks let it
// through: the function returned success, or something happened in the program behind them.
std::vector<Report> JudgeWrongCall(const WrongCall& call, const RunResult& result);

}  // namespace irate::sanitized
