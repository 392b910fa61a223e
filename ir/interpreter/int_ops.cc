#include "ir/interpreter/int_ops.h"

#include <cmath>

namespace irate::interp {
namespace {

int64_t DivideSigned(Op op, int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  const int64_t remainder = a % b;
  const bool adjust = remainder != 0 && ((remainder < 0) != (b < 0));
  switch (op) {
    case TRUNC_DIV:
      return quotient;
    case TRUNC_MOD:
      return remainder;
    case FLOOR_DIV:
      return adjust ? quotient - 1 : quotient;
    default:
      return adjust ? remainder + b : remainder;
  }
}

// Widens [-n, p] to hold the value itself.
void CoverValue(double value, Cell* cell) {
  cell->p = std::max(cell->p, value);
  cell->n = std::max(cell->n, -value);
}

// The bounds of a quotient: those of the dividend, divided. A floor moves by less than one.
void QuotientMagnitude(double a_p, double a_n, double divisor, Cell* out) {
  const double size = std::fabs(divisor);
  const double up = a_p / size + (a_p > 0 ? 1 : 0);
  const double down = a_n / size + (a_n > 0 ? 1 : 0);
  out->p = divisor > 0 ? up : down;
  out->n = divisor > 0 ? down : up;
}

// A remainder stays below the divisor, and TRUNC_MOD's below the dividend.
void RemainderMagnitude(Op op, double a_p, double a_n, double divisor, Cell* out) {
  const double size = std::fabs(divisor);
  if (op == FLOOR_MOD) {
    out->p = divisor > 0 ? size : 0;
    out->n = divisor > 0 ? 0 : size;
  } else {
    out->p = std::min(a_p, size);
    out->n = std::min(a_n, size);
  }
}

}  // namespace

Trap DivideInt(Op op, ScalarType type, bool source, const Cell& a, const Cell& b, Cell* out) {
  const IntFacts& facts = FactsOf(type);
  if ((b.flags & kPoison) != 0) return Trap::kPoisonUse;
  if (b.i == 0) return Trap::kDivisionByZero;
  if (source && (b.flags & kFragile) != 0) return Trap::kFragileUse;
  if (source && (b.flags & kLooseLow) != 0) return Trap::kLooseUse;
  const bool is_remainder = op == TRUNC_MOD || op == FLOOR_MOD;
  int64_t value;
  if (type == U64) {
    const auto x = static_cast<uint64_t>(a.i);
    const auto y = static_cast<uint64_t>(b.i);
    value = static_cast<int64_t>(is_remainder ? x % y : x / y);
  } else {
    if (b.i == -1 && a.i == facts.min) return Trap::kDivisionOverflow;
    value = DivideSigned(op, a.i, b.i);
  }
  const double divisor = IntAsDouble(type, b.i);
  uint8_t flags = a.flags | b.flags;
  const double a_p = a.p;
  const double a_n = a.n;
  if (is_remainder) {
    if ((b.flags & kDoubt) == 0) flags &= static_cast<uint8_t>(~kLoose);
    RemainderMagnitude(op, a_p, a_n, divisor, out);
  } else {
    flags = SpreadLoose(flags);
    QuotientMagnitude(a_p, a_n, divisor, out);
  }
  out->i = value;
  out->flags = flags;
  CoverValue(IntAsDouble(type, value), out);
  MarkMagnitude(facts, out);
  return Trap::kNone;
}

void MinMaxInt(Op op, ScalarType type, const Cell& a, const Cell& b, Cell* out) {
  const bool a_is_less = CompareValues(LT, type, a.i, b.i);
  const int64_t value = (op == MIN) == a_is_less ? a.i : b.i;
  uint8_t flags = a.flags | b.flags;
  const uint8_t confined = op == MIN ? kLooseHigh : kLooseLow;
  if ((a.flags & b.flags & confined) == 0) flags &= static_cast<uint8_t>(~confined);
  const double p = std::max(a.p, b.p);
  const double n = std::max(a.n, b.n);
  out->i = value;
  out->p = p;
  out->n = n;
  out->flags = flags;
}

void BitwiseInt(Op op, ScalarType type, const Cell& a, const Cell& b, Cell* out) {
  const int64_t value = op == BIT_AND ? a.i & b.i : op == BIT_OR ? a.i | b.i : a.i ^ b.i;
  uint8_t flags = SpreadLoose(a.flags | b.flags);
  const auto is_mask = [](const Cell& cell) { return (cell.flags & kDoubt) == 0 && cell.i >= 0; };
  if (op == BIT_AND && (is_mask(a) || is_mask(b))) flags &= static_cast<uint8_t>(~kLoose);
  SetIntLeaf(type, value, flags, out);
}

void NotInt(ScalarType type, const Cell& a, Cell* out) {
  const int64_t value = type == BOOL ? (a.i == 0 ? 1 : 0) : WrapInt(FactsOf(type), ~a.i);
  SetIntLeaf(type, value, SpreadLoose(a.flags), out);
}

Trap ShiftInt(Op op, ScalarType type, bool source, const Cell& a, const Cell& b, Cell* out) {
  const IntFacts& facts = FactsOf(type);
  uint8_t flags = SpreadLoose(a.flags | b.flags);
  if (b.i < 0 || b.i >= facts.bits) {
    if ((b.flags & kPoison) == 0 && source) return Trap::kShiftRange;
    SetIntLeaf(type, 0, flags | kPoison, out);
    return Trap::kNone;
  }
  const auto amount = static_cast<int>(b.i);
  const double factor = std::ldexp(1.0, op == SHL ? amount : -amount);
  const double rest_p = op == SHR && a.p > 0 ? 1 : 0;
  const double rest_n = op == SHR && a.n > 0 ? 1 : 0;
  const double p = a.p * factor + rest_p;
  const double n = a.n * factor + rest_n;
  if (op == SHR) {
    out->i = facts.is_signed ? a.i >> amount
                             : static_cast<int64_t>(static_cast<uint64_t>(a.i) >> amount);
    out->p = p;
    out->n = n;
    out->flags = flags;
    CoverValue(IntAsDouble(type, out->i), out);
    return Trap::kNone;
  }
  const int64_t value = WrapInt(facts, static_cast<int64_t>(static_cast<uint64_t>(a.i) << amount));
  const bool leaves = p > facts.high || (facts.is_signed && n > facts.low);
  if (leaves && !source && !facts.is_signed) {
    // How passes take a float's bits apart; bits that are shifted out are meant to be.
    SetIntLeaf(type, value, flags, out);
    return Trap::kNone;
  }
  out->i = value;
  out->p = p;
  out->n = n;
  out->flags = static_cast<uint8_t>(flags | (leaves ? kFragile : 0));
  return Trap::kNone;
}

void CastInt(ScalarType from, ScalarType to, bool source, const Cell& a, Cell* out) {
  if (to == BOOL) {
    SetBool(a.i != 0, a.flags & kDoubt, out);
    return;
  }
  const IntFacts& target = FactsOf(to);
  const double value = IntAsDouble(from, a.i);
  const int64_t wrapped = WrapInt(target, a.i);
  const bool kept = IntAsDouble(to, wrapped) == value;
  const bool leaves = !kept || a.p > target.high || (target.is_signed && a.n > target.low);
  if (leaves && !source && !target.is_signed && !FactsOf(from).is_signed) {
    SetIntLeaf(to, wrapped, a.flags, out);
    return;
  }
  const double p = a.p;
  const double n = a.n;
  if (kept) {
    out->i = wrapped;
    out->p = p;
    out->n = n;
    out->flags = static_cast<uint8_t>(a.flags | (leaves ? kFragile : 0));
  } else {
    SetIntLeaf(to, wrapped, a.flags | kFragile, out);
  }
}

}  // namespace irate::interp
