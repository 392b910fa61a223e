// Index maps as the arguments of schedule steps spell them: "i0, i1 -> i0 // 4, i1, i0 % 4".
//
// Left, the inputs, always i0, i1, ... in order. Right, the outputs, each a sum of terms: a
// constant, or an input, floor-divided, then reduced by a floor-modulus, then scaled. The right
// side is Python as well as a person would write it, so a reproducer prints it as it is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace irate {

struct IndexTerm {
  int input = -1;       // -1: the constant `scale`
  int64_t divisor = 1;  // positive
  int64_t modulus = 0;  // 0: none
  int64_t scale = 1;
};

struct IndexMap {
  int inputs = 0;
  std::vector<std::vector<IndexTerm>> outputs;  // each with a term at least
};

std::string PrintIndexMap(const IndexMap& map);
// The outputs alone, "i0 // 4, i1".
std::string PrintIndexMapOutputs(const IndexMap& map);
// InvalidArgument, with the place, for anything that PrintIndexMap does not write.
absl::StatusOr<IndexMap> ParseIndexMap(std::string_view text);

}  // namespace irate
