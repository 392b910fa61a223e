// What the rules about loops ask, and how they make new ones.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/irate.pb.h"
#include "ir/visit.h"

namespace irate::equivalent {

// A loop that a rule may take apart: serial (or unrolled, with `allow_unrolled`), of i32 or i64,
// without a step and without annotations.
bool IsPlainLoop(const Stmt& stmt, bool allow_unrolled = false);
// Its extent, if it is a constant of at most 2^20.
std::optional<int64_t> ConstantExtent(const Stmt& loop);

enum class Jumps { kBreak, kContinue, kAny };
// The body has a jump of that kind that leaves or continues this loop, not one nested in it.
bool HasJump(const Stmt& loop, Jumps kind);

// That many copies of the body are no burden, and CloneWithFreshDefinitions can make them: it
// cannot tell which variables a match-buffer defines.
bool MayCopyBody(const Stmt& loop, int copies);

// A number that may be computed again later: it reads no memory, calls and binds nothing.
bool IsInvariant(const Expr& expr);

// The loop variable's number as a constant of its type.
Expr LoopConstant(const Stmt& loop, int64_t value);

}  // namespace irate::equivalent
