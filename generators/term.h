// An expression together with what is known about its value: what generators build with, so that
// every bound is at hand where the next operator is chosen.
#pragma once

#include <cstdint>

#include "generators/interval.h"
#include "ir/irate.pb.h"

namespace irate {

struct Term {
  Expr expr;
  Interval range;  // BOOL: 0 and 1; floats: integers only
};

// What a value may be: of absolute value and magnitude at most `magnitude`, and not negative where
// the type has no sign.
struct Limit {
  int64_t magnitude = 0;
};

// The largest limit for data of `type`: the difference of two such values does not leave the type,
// so that comparing them is not fragile; every such float is exact.
Limit TypeLimit(ScalarType type);
bool Fits(const Interval& range, ScalarType type, Limit limit);

Term Constant(ScalarType type, int64_t value);  // of any arithmetic type
Term Apply(Op op, Term a, Term b);
Term ApplyUnary(Op op, Term a);
// SELECT or IF_THEN_ELSE.
Term Choose(Op op, Expr condition, Term then_value, Term else_value);
Term Convert(ScalarType type, Term a);  // CAST; `a` itself if it has that type

}  // namespace irate
