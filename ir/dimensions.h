// Dimension variables: those that the shapes, strides and offsets of a function's parameter buffers
// introduce, because they are no scalar parameters. The caller's tensors give their values.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/irate.pb.h"

namespace irate {

// Ids in the order of first occurrence (parameters in order; shape, strides, offset). Tolerates
// functions that were not verified.
std::vector<uint32_t> DimensionVariables(const Function& function);

}  // namespace irate
