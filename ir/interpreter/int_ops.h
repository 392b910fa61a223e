// Integer operations with magnitudes: docs/semantics.md, "Integers".
//
// Each computes the wrapped value, the bounds of all partial sums and the flags. What is returned
// is not kNone where the operation is undefined; `source` chooses the stricter rules of a source
// program. The destination may be an operand.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ir/interpreter/trap.h"
#include "ir/interpreter/value.h"

namespace irate::interp {

// Adds kFragile where a partial sum may leave the type.
inline void MarkMagnitude(const IntFacts& facts, Cell* cell) {
  const bool leaves = cell->p > facts.high || (facts.is_signed && cell->n > facts.low);
  cell->flags |= leaves ? kFragile : 0;
}

// Flags of a result that grows as either operand grows, or shrinks: all confinement is lost.
inline uint8_t SpreadLoose(uint8_t flags) {
  return (flags & kLoose) != 0 ? static_cast<uint8_t>(flags | kLoose) : flags;
}

// Stores a value that may have overflowed (`exact` is false if even int64 did).
inline Trap FinishInt(const IntFacts& facts, bool source, bool overflowed, int64_t value, double p,
                      double n, uint8_t flags, Cell* out) {
  if (overflowed || value < facts.min || (value > facts.max)) [[unlikely]] {
    if (source && facts.traps) return Trap::kOverflow;
    value = WrapInt(facts, value);
    flags |= kFragile;
  }
  out->i = value;
  out->p = p;
  out->n = n;
  out->flags = flags;
  MarkMagnitude(facts, out);
  return Trap::kNone;
}

// The same for U64, whose values are bit patterns.
inline Trap FinishU64(bool overflowed, uint64_t value, double p, double n, uint8_t flags,
                      Cell* out) {
  out->i = static_cast<int64_t>(value);
  out->p = p;
  out->n = n;
  out->flags = static_cast<uint8_t>(flags | (overflowed ? kFragile : 0));
  MarkMagnitude(FactsOf(U64), out);
  return Trap::kNone;
}

inline Trap AddInt(ScalarType type, bool source, const Cell& a, const Cell& b, Cell* out) {
  const double p = a.p + b.p;
  const double n = a.n + b.n;
  const uint8_t flags = a.flags | b.flags;
  if (type == U64) {
    uint64_t u;
    const bool over =
        __builtin_add_overflow(static_cast<uint64_t>(a.i), static_cast<uint64_t>(b.i), &u);
    return FinishU64(over, u, p, n, flags, out);
  }
  int64_t value;
  const bool over = __builtin_add_overflow(a.i, b.i, &value);
  return FinishInt(FactsOf(type), source, over, value, p, n, flags, out);
}

inline Trap SubInt(ScalarType type, bool source, const Cell& a, const Cell& b, Cell* out) {
  const double p = a.p + b.n;
  const double n = a.n + b.p;
  const uint8_t flags = static_cast<uint8_t>(a.flags | SpreadLoose(b.flags));
  if (type == U64) {
    uint64_t u;
    const bool over =
        __builtin_sub_overflow(static_cast<uint64_t>(a.i), static_cast<uint64_t>(b.i), &u);
    return FinishU64(over, u, p, n, flags, out);
  }
  int64_t value;
  const bool over = __builtin_sub_overflow(a.i, b.i, &value);
  return FinishInt(FactsOf(type), source, over, value, p, n, flags, out);
}

inline Trap MulInt(ScalarType type, bool source, const Cell& a, const Cell& b, Cell* out) {
  const double p = a.p * b.p + a.n * b.n;
  const double n = a.p * b.n + a.n * b.p;
  const uint8_t flags = SpreadLoose(a.flags | b.flags);
  if (type == U64) {
    uint64_t u;
    const bool over =
        __builtin_mul_overflow(static_cast<uint64_t>(a.i), static_cast<uint64_t>(b.i), &u);
    return FinishU64(over, u, p, n, flags, out);
  }
  int64_t value;
  const bool over = __builtin_mul_overflow(a.i, b.i, &value);
  return FinishInt(FactsOf(type), source, over, value, p, n, flags, out);
}

// TRUNC_DIV, TRUNC_MOD, FLOOR_DIV, FLOOR_MOD.
Trap DivideInt(Op op, ScalarType type, bool source, const Cell& a, const Cell& b, Cell* out);

// MIN, MAX.
void MinMaxInt(Op op, ScalarType type, const Cell& a, const Cell& b, Cell* out);

// BIT_AND, BIT_OR, BIT_XOR on integers and BOOL.
void BitwiseInt(Op op, ScalarType type, const Cell& a, const Cell& b, Cell* out);
void NotInt(ScalarType type, const Cell& a, Cell* out);

// SHL, SHR.
Trap ShiftInt(Op op, ScalarType type, bool source, const Cell& a, const Cell& b, Cell* out);

// EQ ... GE of integers or BOOL, into a BOOL.
inline bool CompareValues(Op op, ScalarType type, int64_t a, int64_t b) {
  if (type == U64) {
    // Flipping the top bit turns unsigned order into signed order.
    a ^= INT64_MIN;
    b ^= INT64_MIN;
  }
  switch (op) {
    case EQ:
      return a == b;
    case NE:
      return a != b;
    case LT:
      return a < b;
    case LE:
      return a <= b;
    case GT:
      return a > b;
    default:
      return a >= b;
  }
}

// A comparison counts as the difference of its operands where compilers rewrite it so: i32, i64.
inline void CompareInt(Op op, ScalarType type, const Cell& a, const Cell& b, Cell* out) {
  const IntFacts& facts = FactsOf(type);
  uint8_t flags = (a.flags | b.flags) & kDoubt;
  if (facts.traps && (a.p + b.n > facts.high || a.n + b.p > facts.low)) flags |= kFragile;
  SetBool(CompareValues(op, type, a.i, b.i), flags, out);
}

// AND, OR: an operand that is beyond doubt may decide alone.
inline void LogicInt(bool is_and, const Cell& a, const Cell& b, Cell* out) {
  const bool deciding = !is_and;
  const bool decided =
      (a.flags == 0 && (a.i != 0) == deciding) || (b.flags == 0 && (b.i != 0) == deciding);
  const bool value = is_and ? a.i != 0 && b.i != 0 : a.i != 0 || b.i != 0;
  SetBool(decided ? deciding : value, decided ? 0 : (a.flags | b.flags) & kDoubt, out);
}

// From an integer or BOOL to an integer or BOOL.
void CastInt(ScalarType from, ScalarType to, bool source, const Cell& a, Cell* out);

}  // namespace irate::interp
