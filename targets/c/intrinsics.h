// Calls of math and integer intrinsics, lane by lane, through the C library.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"
#include "targets/c/prelude.h"

namespace irate::c_target {

// One lane of the intrinsic `name` (ir/intrinsics.h, kinds kMath and kInteger) with arguments of
// scalar types `types`; the result has type `result`. f32 is computed by the library's float
// function, f16 by it and one rounding, bf16 and fp8 by the double function and one rounding.
absl::StatusOr<std::string> ScalarIntrinsic(Prelude* prelude, std::string_view name,
                                            ScalarType result, const std::vector<ScalarType>& types,
                                            const std::vector<std::string>& operands);

}  // namespace irate::c_target
