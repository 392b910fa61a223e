// The arguments of a Case for generated code: the values of ir/inputs.h in memory as tight as the
// function's buffers allow.
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "execution/contract/host_buffers.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"

namespace irate::sanitized {

// One argument per parameter of `function`, in order: each buffer at its own alignment (64 where it
// states none), with its strides and offset. Errors as MakeArguments and EvaluateLayout.
absl::StatusOr<std::vector<contract::Argument>> CaseArguments(const Function& function,
                                                              const Inputs& inputs);

contract::AbiType ToAbiType(ScalarType type, uint32_t lanes);

// RunResult::contents as tensors: of the buffer parameters of `function`, in order.
absl::StatusOr<std::vector<Tensor>> ToTensors(const Function& function, const Inputs& inputs,
                                              const std::vector<std::string>& contents);

}  // namespace irate::sanitized
