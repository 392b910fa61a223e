// Truth values: comparisons of every kind, over indices and over data, joined by logic.
#pragma once

#include "generators/context.h"
#include "ir/irate.pb.h"

namespace irate {

// Whether any comparison operator is switched on.
bool CanCompare(const Context& context);

// `a < b`, `not (a >= b)`, `b > a`, `a <= b - 1`, ...: one of the spellings that are switched on.
// Needs CanOrder().
bool CanOrder(const Context& context);
Expr CompareLess(Context& context, Expr a, Expr b);
// 0 <= a, in any spelling; needs CanOrder().
Expr CompareNonNegative(Context& context, Expr a);

// Any comparison of two values of one type; needs CanCompare().
Expr CompareAny(Context& context, Expr a, Expr b);

// Whether the switches leave any condition at all.
bool CanCondition(const Context& context);

// A condition that loads nothing out of bounds and is true for some and false for other instances
// more often than not. Needs CanCondition().
Expr GenerateCondition(Context& context, int depth);

// likely(condition), where switched on and drawn.
Expr MaybeLikely(Context& context, Expr condition);
// Joins by AND; needs kAnd for more than one.
Expr Conjunction(std::vector<Expr> conditions);

}  // namespace irate
