// What the rules ask about expressions, and small pieces that they build with.
#pragma once

#include <cstdint>

#include "ir/irate.pb.h"

namespace irate::equivalent {

// Not to be changed, nor anything in it: strings, handles, and calls of other than math and integer
// intrinsics and `likely`.
bool IsFixed(const Expr& expr);
// STORE, BIND of a value, IF and WHILE: statements whose arguments are plain values.
bool HasValues(const Stmt& stmt);

// Evaluating the expression elsewhere in the same statement makes no difference: it calls no
// function of the module and nothing else that is more than a function of numbers.
bool IsPure(const Expr& expr);
// Pure, and may stand in the program twice: it defines no variable.
bool MayRepeat(const Expr& expr);
bool UsesVariable(const Expr& expr, uint32_t variable);
// Expr nodes, up to a `limit` at which counting stops.
int Size(const Expr& expr, int limit = 1000);

// `value` in the type and lanes of `like`: a constant, or a BROADCAST of one.
Expr ConstantLike(const Expr& like, int64_t value);
Expr Negated(Expr condition);     // NOT
bool IsNumber(const Expr& expr);  // an integer or a float, not BOOL

}  // namespace irate::equivalent
