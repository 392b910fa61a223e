// The contents of parameters, made from Case.inputs alone: the same on every machine, in the
// interpreter, in workers and in reproducers.
//
// The recipe (all arithmetic modulo 2^64; `>>` logical):
//
//   mix(z):  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9
//            z = (z ^ (z >> 27)) * 0x94D049BB133111EB
//            return z ^ (z >> 31)
//   G = 0x9E3779B97F4A7C15
//   Parameter p (index into Function.params) has the key  key = mix(seed + (p + 1) * G).
//   Scalar element k (row-major, lane last) has two words, the outputs 2k and 2k + 1 of SplitMix64:
//            a = mix(key + (2k + 1) * G),  b = mix(key + (2k + 2) * G)
//   The range [lo, hi] is ParamInput's [min, max], cut to the type's range; both 0: DefaultRange.
//   Integers, BOOL and exact floats:
//            edges = [lo, hi, clip(0), clip(1), clip(-1)], clip(v) = min(max(v, lo), hi)
//            if a % 16 == 0: edges[(a >> 4) % 5]
//            else:           lo + b % (hi - lo + 1)     (b itself where hi - lo + 1 is 2^64)
//   `real` floats, in double arithmetic, rounded to the type (to nearest, ties to even) at the end:
//            if a % 16 == 0: the same edges
//            else:           lo + (hi - lo) * ((b >> 11) * 2^-53)
//
// Neither NaN nor infinity is ever drawn.
#pragma once

#include <cstdint>
#include <utility>
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

// The range that is drawn from where ParamInput gives none: [-64, 63] for integers, [0, 63] where
// they are unsigned, [0, 1] for BOOL; for floats small enough that sums of a few dozen products
// stay exact.
std::pair<int64_t, int64_t> DefaultRange(ScalarType type);

}  // namespace irate
