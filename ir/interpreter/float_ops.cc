#include "ir/interpreter/float_ops.h"

#include <bit>
#include <limits>

namespace irate::interp {
namespace {

std::array<FloatFacts, 17> MakeFloatFacts() noexcept {
  std::array<FloatFacts, 17> all;
  for (ScalarType type : {F16, BF16, F32, F64, F8E4M3FN, F8E5M2}) {
    const FloatFormat& format = FormatOf(type);
    FloatFacts& facts = all[type];
    facts.type = type;
    facts.u = format.unit_roundoff;
    facts.max = format.max_finite;
    facts.tiny = format.min_subnormal;
    facts.exact_limit = format.exact_limit;
  }
  // The partial sums are themselves computed in double: one bit is kept for their rounding.
  all[F64].exact_limit /= 2;
  return all;
}

const std::array<FloatFacts, 17> kFloatFacts = MakeFloatFacts();

}  // namespace

const FloatFacts& FloatFactsOf(ScalarType type) { return kFloatFacts[type]; }

double GridOf(double x) {
  const uint64_t bits = std::bit_cast<uint64_t>(x);
  const uint64_t fraction = bits & 0xFFFFFFFFFFFFF;
  const auto exponent = static_cast<int>((bits >> 52) & 0x7FF);
  if (exponent == 0) {
    return fraction == 0 ? kCoarsestGrid : std::ldexp(1.0, -1074 + std::countr_zero(fraction));
  }
  if (exponent == 0x7FF) return 0;
  const int trailing = fraction == 0 ? 52 : std::countr_zero(fraction);
  const int grid = exponent - 1075 + trailing;
  if (grid >= -1022 && grid <= 1000) {
    return std::bit_cast<double>(static_cast<uint64_t>(grid + 1023) << 52);
  }
  return std::min(std::ldexp(1.0, grid), kCoarsestGrid);
}

void SetFloatConstant(ScalarType type, double value, Cell* out) {
  const double rounded = RoundToType(type, value);
  const bool finite = std::isfinite(value) && std::isfinite(rounded);
  SetFloatTerm(rounded, finite ? std::fabs(rounded - value) : 0, 0, out);
  if (std::isfinite(value) && !finite) out->flags = kInconclusive;
}

void DivFloat(const FloatFacts& t, const Cell& a, const Cell& b, Cell* out) {
  const bool finite = std::isfinite(a.f) && std::isfinite(b.f);
  const double error_b = Bound(b);
  const double divisor = std::fabs(b.f) - error_b;  // the least that |b| may be
  const uint8_t flags = a.flags | b.flags;
  if (!finite || b.f == 0 || divisor < std::fabs(b.f) / 2) {
    SetFloatTerm(RoundResult(t, a.f / b.f), 0, flags | kInconclusive, out);
    return;
  }
  const double error_a = IsExact(a) ? a.e : RawBound(a);
  const double size_a = a.p + a.n;
  const double scale = 1 / divisor;
  // Dividing by an exact power of two keeps the grid; 3 roundings: as a product with 1 / b.
  const bool is_shift = error_b == 0 && GridOf(b.f) == std::fabs(b.f);
  const double p = (b.f > 0 ? a.p : a.n) * scale;
  const double n = (b.f > 0 ? a.n : a.p) * scale;
  const double grid = is_shift ? std::min(a.g / std::fabs(b.f), kCoarsestGrid) : 0;
  out->f = RoundResult(t, a.f / b.f);
  out->p = p;
  out->n = n;
  out->e = (error_a + size_a * scale * error_b) * scale +
           3 * t.u * (size_a + error_a) * scale * (1 + t.u) * (1 + t.u) + t.tiny;
  out->g = grid;
  out->a = a.a;
  out->flags = flags;
  FinishFloat(t, true, out);
}

void FmaFloat(const FloatFacts& t, const Cell& a, const Cell& b, const Cell& c, Cell* out) {
  const double value = t.type == F64 ? std::fma(a.f, b.f, c.f) : a.f * b.f + c.f;
  Cell product;
  MulFloat(t, a, b, &product);
  // The product may exceed the type where the sum does not: contraction decides.
  AddFloat(t, product, c, out);
  out->f = RoundResult(t, value);
}

bool IsOrderCertain(const FloatFacts& t, const Cell& a, const Cell& b) {
  if (std::isnan(a.f) || std::isnan(b.f)) return false;
  if (std::isinf(a.f) || std::isinf(b.f)) return true;
  if (a.a == 0 && a.e == 0 && b.a == 0 && b.e == 0) return true;
  const double largest = std::max(a.p + b.n, a.n + b.p);
  if (IsExactSum(t, largest, std::min(a.g, b.g))) return true;
  const double roundoffs = a.a + b.a + t.u;
  if (roundoffs > 1.5) return false;
  const double error = a.e + b.e;
  const double bound = (error + (roundoffs + roundoffs * roundoffs) * (largest + error)) * kSlack;
  // Of our values against the exact ones, and of a machine's.
  return std::fabs(a.f - b.f) > 2 * bound;
}

void CompareFloat(Op op, const FloatFacts& t, const Cell& a, const Cell& b, Cell* out) {
  uint8_t flags = a.flags | b.flags;
  if (!IsOrderCertain(t, a, b)) flags |= kInconclusive;
  bool value = false;
  switch (op) {
    case EQ:
      value = a.f == b.f;
      break;
    case NE:
      value = a.f != b.f;
      break;
    case LT:
      value = a.f < b.f;
      break;
    case LE:
      value = a.f <= b.f;
      break;
    case GT:
      value = a.f > b.f;
      break;
    default:
      value = a.f >= b.f;
      break;
  }
  SetBool(value, flags, out);
}

void MinMaxFloat(Op op, const FloatFacts& t, const Cell& a, const Cell& b, Cell* out) {
  const uint8_t flags = a.flags | b.flags;
  const bool takes_a = op == MIN ? a.f <= b.f : a.f >= b.f;
  const Cell& chosen = takes_a ? a : b;
  if (std::isnan(a.f) || std::isnan(b.f)) {
    SetFloatTerm(chosen.f, 0, flags | kInconclusive, out);
    return;
  }
  const double bound_a = Bound(a);
  const double bound_b = Bound(b);
  if ((bound_a == 0 && bound_b == 0) || IsOrderCertain(t, a, b)) {
    if (out != &chosen) *out = chosen;
    out->flags = flags;
    return;
  }
  // |min(a, b) - min(A, B)| <= max(|a - A|, |b - B|).
  SetFloatTerm(chosen.f, std::max(bound_a, bound_b), flags, out);
}

void JoinFloat(const Cell& chosen, const Cell& other, Cell* out) {
  const uint8_t flags = chosen.flags | other.flags;
  if (!std::isfinite(chosen.f) || !std::isfinite(other.f)) {
    SetFloatTerm(chosen.f, 0, flags | kInconclusive, out);
    return;
  }
  const double error = std::max(Bound(chosen), Bound(other));
  SetFloatTerm(chosen.f, std::fabs(chosen.f - other.f) + error, flags, out);
}

void CastFloat(const FloatFacts& from, const FloatFacts& to, const Cell& a, Cell* out) {
  const double value = RoundResult(to, a.f);
  if (!std::isfinite(a.f)) {
    // Moved, not computed; the type without infinity has only NaN for it.
    SetFloatLeaf(value, a.flags, out);
    return;
  }
  const double bound = Bound(a);
  const double size = a.p + a.n;
  if (out != &a) *out = a;
  out->f = value;
  if (to.u > from.u || to.tiny > from.tiny) out->e += to.u * (size + bound) + to.tiny;
  if (!IsExactSum(to, Largest(*out), out->g)) out->g = 0;
  // Rounding is monotone: what does not exceed the largest finite value stays finite.
  if (std::fabs(a.f) + bound > to.max || !std::isfinite(value)) out->flags |= kInconclusive;
}

void IntToFloat(ScalarType from, const FloatFacts& to, const Cell& a, Cell* out) {
  const double exact = IntAsDouble(from, a.i);
  const double value = RoundResult(to, exact);
  const uint8_t flags = a.flags & kDoubt;
  // 64-bit integers may not fit even a double.
  const bool is_wide = std::fabs(exact) > 0x1p53;
  const double error = value == exact && !is_wide ? 0 : 2 * to.u * std::fabs(exact);
  SetFloatTerm(value, error, flags, out);
  if (!std::isfinite(value)) out->flags |= kInconclusive;
}

Trap FloatToInt(ScalarType to, bool source, const Cell& a, Cell* out) {
  const IntFacts& target = FactsOf(to);
  if (to == BOOL) {
    const double bound = Bound(a);
    const bool certain = !std::isnan(a.f) && (bound == 0 || std::fabs(a.f) > 2 * bound);
    SetBool(a.f != 0, static_cast<uint8_t>(a.flags | (certain ? 0 : kInconclusive)), out);
    return Trap::kNone;
  }
  const double low = std::trunc(LeastOnMachine(a));
  const double high = std::trunc(GreatestOnMachine(a));
  // 2^63 and 2^64 are doubles, the largest integers below them are not.
  const double end = std::ldexp(1.0, target.bits - (target.is_signed ? 1 : 0));
  const bool fits = low >= -target.low && high < end;  // false for NaN
  if (!fits) {
    if (source && (a.flags & kPoison) == 0) return Trap::kCastRange;
    SetIntLeaf(to, 0, a.flags | kPoison, out);
    return Trap::kNone;
  }
  const double truncated = std::trunc(a.f);
  const int64_t value = to == U64 ? static_cast<int64_t>(static_cast<uint64_t>(truncated))
                                  : static_cast<int64_t>(truncated);
  uint8_t flags = a.flags;
  if (low != high) flags |= kInconclusive;
  if ((flags & kInconclusive) != 0) flags |= kLoose;
  SetIntLeaf(to, value, flags, out);
  return Trap::kNone;
}

}  // namespace irate::interp
