// Block iterators' kinds as the numbers of tirx.IterVarType.
#pragma once

#include <optional>

#include "ir/irate.pb.h"

namespace irate::tvm_target {

inline constexpr int kDataParallelIter = 0;
inline constexpr int kReductionIter = 2;
inline constexpr int kOpaqueIter = 4;

inline int IterTypeToNative(IterKind kind) {
  if (kind == REDUCTION) return kReductionIter;
  return kind == OPAQUE_ITER ? kOpaqueIter : kDataParallelIter;
}

// nullopt: a kind that blocks of the Case IR do not have.
inline std::optional<IterKind> IterTypeFromNative(int type) {
  if (type == kDataParallelIter) return SPATIAL;
  if (type == kReductionIter) return REDUCTION;
  if (type == kOpaqueIter) return OPAQUE_ITER;
  return std::nullopt;
}

}  // namespace irate::tvm_target
