#include "generators/interval.h"

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <limits>
#include <numeric>

#include "ir/types.h"

namespace irate {
namespace {

__extension__ using Wide = __int128;

int64_t Saturate(Wide value) {
  if (value > kIntervalMax) return kIntervalMax;
  if (value < -kIntervalMax) return -kIntervalMax;
  return static_cast<int64_t>(value);
}

int64_t SatAdd(int64_t a, int64_t b) { return Saturate(static_cast<Wide>(a) + b); }
int64_t SatSub(int64_t a, int64_t b) { return Saturate(static_cast<Wide>(a) - b); }
int64_t SatMul(int64_t a, int64_t b) { return Saturate(static_cast<Wide>(a) * b); }

int64_t FloorDiv(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return (a % b != 0 && (a % b < 0) != (b < 0)) ? quotient - 1 : quotient;
}

int64_t FloorMod(int64_t a, int64_t b) { return a - FloorDiv(a, b) * b; }

Interval Make(int64_t lo, int64_t hi, int64_t stride, int64_t magnitude) {
  Interval result;
  result.lo = lo;
  result.hi = hi;
  result.stride = lo == hi ? 0 : (stride == 0 ? 1 : stride);
  if (result.stride > 1) result.hi -= (SatSub(hi, lo) % result.stride);
  if (result.lo == result.hi) result.stride = 0;
  result.magnitude = std::max(magnitude, result.MaxAbs());
  return result;
}

// From the values at the corners of the operands' box, for functions monotone in each operand.
Interval Corners(std::initializer_list<int64_t> values, int64_t stride, int64_t magnitude) {
  return Make(std::min(values), std::max(values), stride, magnitude);
}

// Smallest k with every value of a in [-2^k, 2^k - 1].
int SignedBits(const Interval& a) {
  const int64_t extreme = std::max(a.hi, a.lo < 0 ? -(a.lo + 1) : a.lo);
  return std::bit_width(static_cast<uint64_t>(std::max<int64_t>(extreme, 0)));
}

Interval Multiply(const Interval& a, const Interval& b) {
  // (a.lo + i*a.stride) * (b.lo + j*b.stride): all terms but the first are multiples of the gcd.
  int64_t stride = std::gcd(SatMul(a.stride, b.lo), SatMul(b.stride, a.lo));
  stride = std::gcd(stride, SatMul(a.stride, b.stride));
  // Both operands may be sums of terms of both signs: then products of either sign add up.
  const bool leaf = a.IsPoint() || b.IsPoint();
  const int64_t magnitude = SatMul(SatMul(a.magnitude, b.magnitude), leaf ? 1 : 2);
  const Interval result =
      Corners({SatMul(a.lo, b.lo), SatMul(a.lo, b.hi), SatMul(a.hi, b.lo), SatMul(a.hi, b.hi)}, 1,
              magnitude);
  if (stride > 1 && result.MaxAbs() < kIntervalMax) {
    const int64_t base = SatMul(a.lo, b.lo);
    return Make(base - FloorDiv(base - result.lo, stride) * stride, result.hi, stride,
                result.magnitude);
  }
  return result;
}

Interval Divide(Op op, const Interval& a, const Interval& b) {
  const auto divide = [op](int64_t x, int64_t y) {
    return op == FLOOR_DIV ? FloorDiv(x, y) : x / y;
  };
  if (op == DIV) {
    // Quotients of floats lie between whole numbers.
    const auto down = [](int64_t x, int64_t y) { return FloorDiv(x, y); };
    const auto up = [](int64_t x, int64_t y) { return -FloorDiv(-x, y); };
    return Corners({down(a.lo, b.lo), down(a.lo, b.hi), down(a.hi, b.lo), down(a.hi, b.hi),
                    up(a.lo, b.lo), up(a.lo, b.hi), up(a.hi, b.lo), up(a.hi, b.hi)},
                   1, a.magnitude / std::min(std::abs(b.lo), std::abs(b.hi)) + 1);
  }
  int64_t stride = 1;
  if (b.IsPoint() && a.stride % b.lo == 0 && a.lo % b.lo == 0) {
    stride = std::abs(a.stride / b.lo);
  }
  return Corners({divide(a.lo, b.lo), divide(a.lo, b.hi), divide(a.hi, b.lo), divide(a.hi, b.hi)},
                 stride, a.magnitude / std::min(std::abs(b.lo), std::abs(b.hi)) + 1);
}

Interval Modulo(Op op, const Interval& a, const Interval& b) {
  const int64_t largest = b.MaxAbs() - 1;
  const int64_t smallest = std::min(std::abs(b.lo), std::abs(b.hi));
  // A remainder is bounded by its divisor whatever the dividend was made of.
  const int64_t magnitude = b.MaxAbs();
  const bool unchanged_sign = op == TRUNC_MOD || b.lo > 0;
  if (unchanged_sign && a.lo >= 0 && a.hi < smallest) {
    return Make(a.lo, a.hi, a.stride, magnitude);
  }
  int64_t lo = 0;
  int64_t hi = 0;
  if (op == FLOOR_MOD) {
    lo = b.lo > 0 ? 0 : -largest;
    hi = b.lo > 0 ? largest : 0;
  } else {
    lo = a.lo < 0 ? std::max(a.lo, -largest) : 0;
    hi = a.hi > 0 ? std::min(a.hi, largest) : 0;
  }
  if (!b.IsPoint()) return Make(lo, hi, 1, magnitude);
  // Modulo a constant c a value keeps its residue modulo gcd(stride, c).
  const int64_t stride = std::gcd(a.stride, b.lo);
  if (stride <= 1) return Make(lo, hi, 1, magnitude);
  const int64_t first = lo + FloorMod(a.lo - lo, stride);
  return first > hi ? Make(lo, hi, 1, magnitude) : Make(first, hi, stride, magnitude);
}

Interval Bitwise(Op op, const Interval& a, const Interval& b) {
  const int bits = std::max(SignedBits(a), SignedBits(b));
  const int64_t power = bits >= 62 ? kIntervalMax : int64_t{1} << bits;
  int64_t lo = (a.lo < 0 || b.lo < 0) ? -power : 0;
  int64_t hi = power - 1;
  if (op == BIT_AND) {
    if (a.lo >= 0 || b.lo >= 0) lo = 0;
    hi = std::max(a.hi, b.hi);
    if (a.lo >= 0) hi = std::min(hi, a.hi);
    if (b.lo >= 0) hi = std::min(hi, b.hi);
    hi = std::max(hi, lo);
  } else if (op == BIT_OR && a.lo >= 0 && b.lo >= 0) {
    lo = std::max(a.lo, b.lo);
  }
  // A compiler does not look into the bits: the result is a term of its own.
  return Make(lo, hi, 1, 0);
}

Interval Shift(Op op, const Interval& a, const Interval& b) {
  if (op == SHL) {
    const Interval factor = Make(int64_t{1} << b.lo, int64_t{1} << b.hi, 1, 0);
    return Multiply(a, factor);
  }
  return Corners({a.lo >> b.lo, a.lo >> b.hi, a.hi >> b.lo, a.hi >> b.hi}, 1,
                 (a.magnitude >> b.lo) + 1);
}

}  // namespace

int64_t MagnitudeOfSum(int64_t start, int64_t count, int64_t term) {
  return SatAdd(start, SatMul(count, term));
}

Interval Interval::Point(int64_t value) { return Bounds(value, value); }

Interval Interval::Bounds(int64_t lo, int64_t hi) {
  lo = std::clamp(lo, -kIntervalMax, kIntervalMax);
  hi = std::clamp(hi, lo, kIntervalMax);
  return Make(lo, hi, 1, 0);
}

Interval Interval::OfType(ScalarType type) {
  if (type == BOOL) return Bounds(0, 1);
  if (IsFloat(type)) return Bounds(-ExactIntegerLimit(type), ExactIntegerLimit(type));
  return Bounds(MinValue(type), type == U64 ? kIntervalMax : MaxValue(type));
}

bool Interval::Contains(int64_t value) const {
  if (value < lo || value > hi) return false;
  return stride == 0 || (value - lo) % stride == 0;
}

int64_t Interval::MaxAbs() const { return std::max(std::abs(lo), std::abs(hi)); }

Interval Join(const Interval& a, const Interval& b) {
  int64_t stride = std::gcd(a.stride, b.stride);
  stride = std::gcd(stride, SatSub(a.lo, b.lo));
  return Make(std::min(a.lo, b.lo), std::max(a.hi, b.hi), stride,
              std::max(a.magnitude, b.magnitude));
}

Interval Clip(const Interval& a, int64_t lo, int64_t hi) {
  Interval result = a;
  if (lo > result.lo && lo <= result.hi) {
    const int64_t stride = std::max<int64_t>(a.stride, 1);
    const int64_t steps = FloorDiv(lo - a.lo + stride - 1, stride);
    const int64_t raised = a.lo + steps * stride;
    if (raised <= result.hi) result.lo = raised;
  }
  if (hi < result.hi && hi >= result.lo) result.hi = hi;
  return Make(result.lo, result.hi, a.stride, a.magnitude);
}

namespace {

// The result over the unbounded integers.
Interval Unbounded(Op op, ScalarType type, const Interval& a, const Interval& b) {
  switch (op) {
    case ADD:
      return Make(SatAdd(a.lo, b.lo), SatAdd(a.hi, b.hi), std::gcd(a.stride, b.stride),
                  SatAdd(a.magnitude, b.magnitude));
    case SUB:
      return Make(SatSub(a.lo, b.hi), SatSub(a.hi, b.lo), std::gcd(a.stride, b.stride),
                  SatAdd(a.magnitude, b.magnitude));
    case MUL:
      return Multiply(a, b);
    case DIV:
    case TRUNC_DIV:
    case FLOOR_DIV:
      return b.ExcludesZero() ? Divide(op, a, b) : Interval::OfType(type);
    case TRUNC_MOD:
    case FLOOR_MOD:
      return b.ExcludesZero() ? Modulo(op, a, b) : Interval::OfType(type);
    case MIN:
    case MAX: {
      const bool is_min = op == MIN;
      const int64_t lo = is_min ? std::min(a.lo, b.lo) : std::max(a.lo, b.lo);
      const int64_t hi = is_min ? std::min(a.hi, b.hi) : std::max(a.hi, b.hi);
      const int64_t stride = std::gcd(std::gcd(a.stride, b.stride), SatSub(a.lo, b.lo));
      // Floats are not reassociated through a minimum or maximum.
      const int64_t magnitude = IsFloat(type) ? 0 : std::max(a.magnitude, b.magnitude);
      return Make(lo, hi, stride, magnitude);
    }
    case EQ:
    case NE:
    case LT:
    case LE:
    case GT:
    case GE:
    case AND:
    case OR:
      return Interval::Bounds(0, 1);
    case BIT_AND:
    case BIT_OR:
    case BIT_XOR:
      return Bitwise(op, a, b);
    case SHL:
    case SHR:
      return b.Within(0, 61) ? Shift(op, a, b) : Interval::OfType(type);
    default:
      return Interval::OfType(type);
  }
}

// What is left of a result that its type cannot hold.
Interval Fit(ScalarType type, const Interval& a) {
  if (IsFloat(type)) return a;
  Interval all = Interval::OfType(type);
  if (a.Within(all.lo, all.hi)) return a;
  all.magnitude = std::max(all.magnitude, a.magnitude);
  return all;
}

}  // namespace

Interval TransferBinary(Op op, ScalarType type, const Interval& a, const Interval& b) {
  return Fit(type, Unbounded(op, type, a, b));
}

Interval TransferUnary(Op op, ScalarType type, const Interval& a) {
  if (op == NOT) return Interval::Bounds(0, 1);
  if (op == BIT_NOT) {
    if (!IsUnsigned(type)) {
      return Make(-a.hi - 1, -a.lo - 1, a.stride, 0);
    }
    const Interval all = Interval::OfType(type);
    return Make(all.hi - a.hi, all.hi - a.lo, a.stride, all.hi);
  }
  return Interval::OfType(type);
}

Interval TransferCast(ScalarType to, ScalarType from, const Interval& a) {
  if (to == BOOL) return a.IsPoint() ? Interval::Point(a.lo != 0) : Interval::Bounds(0, 1);
  if (!IsFloat(from)) return Fit(to, a);
  if (IsFloat(to)) return a;
  // The float may be no whole number, and a rounding beyond its bounds.
  Interval truncated = Make(a.lo, a.hi, 1, a.magnitude);
  if (!a.IsPoint()) truncated = Make(SatSub(a.lo, 1), SatAdd(a.hi, 1), 1, SatAdd(a.magnitude, 1));
  if (IsUnsigned(to) && a.lo >= 0) truncated.lo = a.lo;
  return Fit(to, truncated);
}

int64_t ComparisonMagnitude(const Interval& a, const Interval& b) {
  return SatAdd(a.magnitude, b.magnitude);
}

}  // namespace irate
