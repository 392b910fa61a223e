// The contents of parameters, made from Case.inputs alone: the same on every machine, in the
// interpreter, in workers and in reproducers.
//
// The stream of parameter p is SplitMix64 seeded with `seed` and p (docs/semantics.md gives the
// exact recipe so that a reproducer in Python makes the same tensors).
#pragma once

#include <vector>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"
#include "ir/observation.pb.h"

namespace irate {

struct ArgumentValue {
  // Of a buffer parameter, with its shape evaluated; `lanes` of the buffer stay in the tensor.
  Tensor tensor;
  // Of a scalar parameter: one element.
  bool is_scalar = false;
};

// One value per parameter of `function`, in order. InvalidArgument if a dimension has no value, a
// shape is negative, or the tensors together exceed 256 MiB.
absl::StatusOr<std::vector<ArgumentValue>> MakeArguments(const Function& function,
                                                         const Inputs& inputs);

}  // namespace irate
