// Math on floats drawn from the reals: intrinsics on arguments inside their domains, divisions, and
// constants that are no integers. Results carry error bounds, so they are compared within those.
#pragma once

#include "generators/context.h"
#include "generators/term.h"

namespace irate {

// Any of them is switched on, for a type that has library functions.
bool MayRealMath(const Context& context, ScalarType type);

// A call of an intrinsic, or a division; within the limit. Needs MayRealMath.
Term GenerateRealMath(Context& context, ScalarType type, Limit limit, int depth);

// A constant such as 0.1 or -2.5.
Term RealConstant(Context& context, ScalarType type, Limit limit);

}  // namespace irate
