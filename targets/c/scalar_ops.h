// The operators of the program IR on scalars, as C expressions.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"
#include "targets/c/prelude.h"

namespace irate::c_target {

// ADD .. SELECT, as in irate.proto, on scalars. `type` is the type of the operands (of SELECT: of
// its arms); operands are C expressions that may be used once each. Floats narrower than f32 are
// computed in a wider format and rounded after every operation, which is exact rounding.
absl::StatusOr<std::string> ScalarOp(Prelude* prelude, Op op, ScalarType type,
                                     const std::vector<std::string>& operands);

// The value of a float as a C `float` (F16, F32) or `double` (the others), and back.
std::string Widened(Prelude* prelude, ScalarType type, const std::string& value);
std::string Narrowed(Prelude* prelude, ScalarType type, const std::string& value);

// CAST: C semantics, bool is `!= 0`, one rounding to nearest even.
std::string ScalarCast(Prelude* prelude, ScalarType to, ScalarType from, const std::string& value);

}  // namespace irate::c_target
