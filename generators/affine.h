// Affine forms: c1*v1 + c2*v2 + ... + [lo, hi], over the variables of a function.
#pragma once

#include <cstdint>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "generators/interval.h"
#include "ir/irate.pb.h"

namespace irate {

// Forms with larger coefficients or bounds are of no use to a generator and are given up.
inline constexpr int64_t kAffineMax = int64_t{1} << 40;

struct AffineForm {
  // Variables are distinct and coefficients are not 0.
  absl::InlinedVector<std::pair<uint32_t, int64_t>, 4> terms;
  int64_t lo = 0;
  int64_t hi = 0;

  bool IsConstant() const { return terms.empty() && lo == hi; }
};

// Without variables: any value of the interval.
AffineForm OpaqueForm(const Interval& interval);
// form += factor * other; false, with `form` as it was, where the result is too large to keep.
bool AddScaled(AffineForm* form, const AffineForm& other, int64_t factor);

// Types whose sums may be treated as sums of whole numbers: overflow is undefined.
inline bool IsWideSigned(ScalarType type) { return type == I32 || type == I64; }

}  // namespace irate
