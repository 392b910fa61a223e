// Float operations with rigorous error bounds: docs/semantics.md, "Floats", derives each rule.
//
// The value is computed in double and rounded to the type, which for +, -, *, / and sqrt is the
// correctly rounded result (double has more than twice the digits of f32 and below; f64 is native).
// The bound covers every evaluation that reassociates sums and products, distributes one term over
// a sum, contracts, or rounds less often than the type asks for.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "ir/interpreter/minifloat.h"
#include "ir/interpreter/trap.h"
#include "ir/interpreter/value.h"

namespace irate::interp {

struct FloatFacts {
  ScalarType type = F32;
  double u = 0;            // unit roundoff
  double max = 0;          // largest finite
  double tiny = 0;         // smallest subnormal: what underflow may lose, and the finest grid
  double exact_limit = 0;  // integers up to here are exact in every order of summation
};

const FloatFacts& FloatFactsOf(ScalarType type);

// Of zero, which is a multiple of everything.
inline constexpr double kCoarsestGrid = 0x1p1000;

// The largest partial sum.
inline double Largest(const Cell& c) { return std::max(c.p, c.n); }

// Whether every order of evaluation gives exactly this value: all partial sums are multiples of
// `grid` and few enough of them fit the mantissa. Of a cell that this does not hold for, g is 0:
// what was rounded once stays inexact.
inline bool IsExactSum(const FloatFacts& t, double largest, double grid) {
  return largest <= t.exact_limit * grid && grid >= t.tiny;
}
inline bool IsExact(const Cell& c) { return c.g > 0; }

inline constexpr double kNoBound = 0x1p1023;
// The bounds themselves are computed in double: their own rounding.
inline constexpr double kSlack = 1 + 0x1p-30;

// Error of a value that is not exact.
inline double RawBound(const Cell& c) {
  if (c.a > 1.5) return kNoBound;
  return (c.e + (c.a + c.a * c.a) * (Largest(c) + c.e)) * kSlack;
}

// Bound on |value - exact real value|; 0 where the value is exact.
inline double Bound(const Cell& c) { return IsExact(c) ? 0 : RawBound(c); }

// The ends of the interval that the exact real value lies in. Rounded outwards: of an f64 the bound
// may be about as small as the spacing of doubles.
inline double Least(const Cell& c) {
  const double bound = Bound(c);
  return bound == 0 ? c.f : std::nextafter(c.f - bound, -INFINITY);
}
inline double Greatest(const Cell& c) {
  const double bound = Bound(c);
  return bound == 0 ? c.f : std::nextafter(c.f + bound, INFINITY);
}

// Decisions (a comparison, a rounding to an integer) must be those of any machine, whose value is
// within the bound of the exact one: the ends of where that may be.
inline double LeastOnMachine(const Cell& c) {
  const double bound = Bound(c);
  return bound == 0 ? c.f : std::nextafter(c.f - 2 * bound, -INFINITY);
}
inline double GreatestOnMachine(const Cell& c) {
  const double bound = Bound(c);
  return bound == 0 ? c.f : std::nextafter(c.f + 2 * bound, INFINITY);
}

// The coarsest power of two that x is a multiple of; kCoarsestGrid for 0, 0 for what is not finite.
double GridOf(double x);

// A term of its own, exact.
inline void SetFloatLeaf(double value, uint8_t flags, Cell* out) {
  const bool finite = std::isfinite(value);
  out->f = value;
  out->p = finite && value > 0 ? value : 0;
  out->n = finite && value < 0 ? -value : 0;
  out->a = 0;
  out->e = 0;
  out->g = finite ? GridOf(value) : kCoarsestGrid;
  out->flags = flags;
  out->object = 0;
}

// A term of its own within `error` of the exact value.
inline void SetFloatTerm(double value, double error, uint8_t flags, Cell* out) {
  SetFloatLeaf(value, flags, out);
  if (error > 0) {
    out->e = error * kSlack;
    out->g = 0;
  }
}

// A constant: the real number that the program names, rounded to the type.
void SetFloatConstant(ScalarType type, double value, Cell* out);

// What arithmetic makes of NaN and infinity is not judged, nor is overflow in any order.
inline void FinishFloat(const FloatFacts& t, bool inputs_finite, Cell* out) {
  const double largest = Largest(*out);
  if (!IsExactSum(t, largest, out->g)) out->g = 0;
  const bool fits = largest + RawBound(*out) <= t.max;
  if (!inputs_finite || !fits || !std::isfinite(out->f)) [[unlikely]]
    out->flags |= kInconclusive;
}

inline double RoundResult(const FloatFacts& t, double x) {
  return t.type == F32 ? static_cast<double>(static_cast<float>(x)) : RoundToType(t.type, x);
}

inline void AddFloat(const FloatFacts& t, const Cell& a, const Cell& b, Cell* out) {
  const bool finite = std::isfinite(a.f) && std::isfinite(b.f);
  out->f = RoundResult(t, a.f + b.f);
  out->p = a.p + b.p;
  out->n = a.n + b.n;
  out->a = a.a + b.a + t.u;
  out->e = a.e + b.e;
  out->g = std::min(a.g, b.g);
  out->flags = a.flags | b.flags;
  FinishFloat(t, finite, out);
}

inline void SubFloat(const FloatFacts& t, const Cell& a, const Cell& b, Cell* out) {
  const bool finite = std::isfinite(a.f) && std::isfinite(b.f);
  const double p = a.p + b.n;
  const double n = a.n + b.p;
  out->f = RoundResult(t, a.f - b.f);
  out->p = p;
  out->n = n;
  out->a = a.a + b.a + t.u;
  out->e = a.e + b.e;
  out->g = std::min(a.g, b.g);
  out->flags = a.flags | b.flags;
  FinishFloat(t, finite, out);
}

inline void MulFloat(const FloatFacts& t, const Cell& a, const Cell& b, Cell* out) {
  const bool finite = std::isfinite(a.f) && std::isfinite(b.f);
  const double p = a.p * b.p + a.n * b.n;
  const double n = a.p * b.n + a.n * b.p;
  const double size_a = a.p + a.n;
  const double size_b = b.p + b.n;
  // An exact sum stays exact in every order, but its products may be reordered.
  const double error_a = IsExact(a) ? a.e : RawBound(a);
  const double error_b = IsExact(b) ? b.e : RawBound(b);
  const double rounding = t.u * (size_a + error_a) * (size_b + error_b) + t.tiny;
  out->f = RoundResult(t, a.f * b.f);
  out->p = p;
  out->n = n;
  out->a = a.a + b.a;
  out->e = size_a * error_b + size_b * error_a + error_a * error_b + rounding;
  out->g = std::min(a.g * b.g, kCoarsestGrid);
  out->flags = a.flags | b.flags;
  FinishFloat(t, finite, out);
}

void DivFloat(const FloatFacts& t, const Cell& a, const Cell& b, Cell* out);

// a * b + c with one rounding or two.
void FmaFloat(const FloatFacts& t, const Cell& a, const Cell& b, const Cell& c, Cell* out);

// Whether the order of two floats is beyond doubt: they differ by more than their bounds and what a
// rewritten comparison (as a difference) may add; or both are exact, together or as they stand.
bool IsOrderCertain(const FloatFacts& t, const Cell& a, const Cell& b);

// EQ ... GE, into a BOOL.
void CompareFloat(Op op, const FloatFacts& t, const Cell& a, const Cell& b, Cell* out);

void MinMaxFloat(Op op, const FloatFacts& t, const Cell& a, const Cell& b, Cell* out);

// One of two evaluated values, chosen by a condition that is inconclusive and nothing else: the
// result is within the distance of the two.
void JoinFloat(const Cell& chosen, const Cell& other, Cell* out);

// Between float types.
void CastFloat(const FloatFacts& from, const FloatFacts& to, const Cell& a, Cell* out);
void IntToFloat(ScalarType from, const FloatFacts& to, const Cell& a, Cell* out);
// Truncates. kCastRange where `source` and the value may not fit; poison otherwise.
Trap FloatToInt(ScalarType to, bool source, const Cell& a, Cell* out);

}  // namespace irate::interp
