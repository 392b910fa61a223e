// The extents, strides and offset of parameter buffers, known before a program runs: they depend on
// constants, scalar parameters and dimension variables only.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"

namespace irate {

// Values of variables by id.
using VariableValues = std::unordered_map<uint32_t, int64_t>;

// InvalidArgument for a variable without a value, overflow, division by zero, or an operator that
// no extent uses.
absl::StatusOr<int64_t> EvaluateInteger(const Function& function, const Expr& expr,
                                        const VariableValues& values);

struct BufferLayout {
  std::vector<int64_t> shape;
  std::vector<int64_t> strides;  // in elements; row-major where the buffer has none
  int64_t elem_offset = 0;
  int64_t elements = 0;  // product of the shape
  int64_t span = 0;      // elements from the data pointer to one past the last element
};

// Of a parameter buffer of `function`. InvalidArgument names the buffer: a negative extent, stride
// or offset, or more than 2^40 elements.
absl::StatusOr<BufferLayout> EvaluateLayout(const Function& function, const Buffer& buffer,
                                            const VariableValues& values);

// The values of dimension variables from `inputs` and of scalar integer parameters.
absl::StatusOr<VariableValues> KnownVariables(const Function& function, const Inputs& inputs);

// The value of a scalar integer parameter, the same that MakeArguments puts into its tensor.
absl::StatusOr<int64_t> ScalarArgument(const Function& function, int param, const Inputs& inputs);

}  // namespace irate
