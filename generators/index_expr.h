// Integer expressions over the loop variables in scope, as tensor programs index with: affine with
// coefficients of both signs, quasi-affine with div and mod, clamped, chosen, masked; and what puts
// any of them into the bounds of a buffer.
#pragma once

#include "generators/context.h"
#include "ir/irate.pb.h"

namespace irate {

// An expression of the index type; small enough that sums of a few are never fragile. Contains no
// LET, so it may be copied.
Expr GenerateIndex(Context& context, int depth);

// A variable of the scope alone where there is one, else a constant: the plainest index.
Expr GeneratePlainIndex(Context& context);

// `index`, or an expression made from it, that is proven to lie in [0, extent).
Expr FitIndex(Context& context, Expr index, const Extent& extent);

}  // namespace irate
