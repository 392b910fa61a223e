#include "ir/interpreter/math_ops.h"

#include <array>
#include <cmath>
#include <utility>

namespace irate::interp {
namespace {

using Kind = MathFunction::Kind;

double Rsqrt(double x) { return 1 / std::sqrt(x); }
double Sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double Exp10(double x) { return ::exp10(x); }

// What TVM's lowering of exp10 adds: exp(x * 2.302585093), whose constant has ten digits and whose
// product is rounded.
constexpr double kExp10Constant = 2.7e-12;

// Ulps are the larger of what the OpenCL specification (7.4) and the C library's manual allow, and
// of what TVM's own expansions need (rsqrt, sigmoid, tan, tanh, atanh).
constexpr auto kFunctions = std::to_array<MathFunction>({
    {"exp", Kind::kMonotone, std::exp, 3},
    {"exp2", Kind::kMonotone, std::exp2, 3},
    {"exp10", Kind::kMonotone, Exp10, 4},
    {"log", Kind::kMonotone, std::log, 3, 0, 0},
    {"log2", Kind::kMonotone, std::log2, 3, 0, 0},
    {"log10", Kind::kMonotone, std::log10, 3, 0, 0},
    {"log1p", Kind::kMonotone, std::log1p, 2, 0, -1},
    {"sqrt", Kind::kMonotone, std::sqrt, 3, 0, 0},
    {"rsqrt", Kind::kMonotone, Rsqrt, 4, 0, 0},
    {"sigmoid", Kind::kMonotone, Sigmoid, 8},
    {"sin", Kind::kSine, std::sin, 4},
    {"cos", Kind::kSine, std::cos, 4},
    {"tan", Kind::kTan, std::tan, 10},
    {"asin", Kind::kMonotone, std::asin, 4, 0, -1, 1},
    {"acos", Kind::kMonotone, std::acos, 4, 0, -1, 1},
    {"atan", Kind::kMonotone, std::atan, 5},
    {"sinh", Kind::kMonotone, std::sinh, 4},
    {"cosh", Kind::kCosh, std::cosh, 4},
    {"tanh", Kind::kMonotone, std::tanh, 5, 16},
    {"asinh", Kind::kMonotone, std::asinh, 4},
    {"acosh", Kind::kMonotone, std::acosh, 4, 0, 1},
    {"atanh", Kind::kMonotone, std::atanh, 10, 4, -1, 1},
    {"erf", Kind::kMonotone, std::erf, 16},
    {"floor", Kind::kRounding, std::floor},
    {"ceil", Kind::kRounding, std::ceil},
    {"trunc", Kind::kRounding, std::trunc},
    {"round", Kind::kRounding, std::nearbyint},
    {"nearbyint", Kind::kRounding, std::nearbyint},
    {"fabs", Kind::kAbs, std::fabs},
    {"isnan", Kind::kTest},
    {"isinf", Kind::kTest},
    {"isfinite", Kind::kTest},
    {"pow", Kind::kBinary, nullptr, 16},
    {"fmod", Kind::kBinary, nullptr, 0},
    {"atan2", Kind::kBinary, nullptr, 6},
    {"hypot", Kind::kBinary, nullptr, 4},
    {"nextafter", Kind::kBinary, nullptr, 0},
    {"copysign", Kind::kBinary, nullptr, 0},
});

// The result `value`, off by the operands' `propagated` error and the implementation's own.
void Finish(const MathFunction& f, const FloatFacts& t, double value, double propagated,
            uint8_t flags, Cell* out) {
  const double size = std::fabs(value) + propagated;
  const double own = f.ulps * (2 * t.u * size + t.tiny) + f.absolute * t.u;
  const double rounded = RoundResult(t, value);
  const bool certain = std::isfinite(rounded) && size + own <= t.max;
  SetFloatTerm(rounded, certain ? propagated + own : 0,
               static_cast<uint8_t>(flags | (certain ? 0 : kInconclusive)), out);
}

void Doubt(const FloatFacts& t, double value, uint8_t flags, Cell* out) {
  SetFloatTerm(RoundResult(t, value), 0, static_cast<uint8_t>(flags | kInconclusive), out);
}

void ApplyMonotone(const MathFunction& f, const FloatFacts& t, const Cell& a, Cell* out) {
  const uint8_t flags = a.flags;
  const double x = a.f;
  const double value = f.value(x);
  const double least = Least(a);
  const double greatest = Greatest(a);
  if (!(least >= f.low && greatest <= f.high)) return Doubt(t, value, flags, out);
  double propagated = 0;
  if (least < greatest) {
    const double down = f.value(least);
    const double up = f.value(greatest);
    if (!std::isfinite(down) || !std::isfinite(up)) return Doubt(t, value, flags, out);
    propagated = std::max(std::fabs(value - down), std::fabs(up - value)) +
                 0x1p-50 * std::max(std::fabs(down), std::fabs(up));
  }
  if (f.value == Exp10) propagated += (2 * t.u + kExp10Constant) * 2.31 * std::fabs(x * value);
  // 1 / (1 + exp(-x)) is 0 from where the exponential overflows.
  if (f.value == Sigmoid) propagated += 4 / t.max;
  Finish(f, t, value, propagated, flags, out);
}

void ApplyTan(const MathFunction& f, const FloatFacts& t, const Cell& a, Cell* out) {
  const double bound = Bound(a);
  const double slope = std::fabs(std::cos(a.f)) - bound;
  const double value = std::tan(a.f);
  if (slope <= 2 * bound) return Doubt(t, value, a.flags, out);
  Finish(f, t, value, bound / (slope * slope) * kSlack, a.flags, out);
}

void ApplyAbs(const Cell& a, Cell* out) {
  const double bound = Bound(a);
  const uint8_t flags = a.flags;
  if (bound != 0 && std::fabs(a.f) <= bound) {
    SetFloatTerm(std::fabs(a.f), bound, flags, out);
    return;
  }
  // The value or its negation, which is the same sum with all signs turned.
  const bool negate = std::signbit(a.f);
  const double p = negate ? a.n : a.p;
  const double n = negate ? a.p : a.n;
  if (out != &a) *out = a;
  out->f = std::fabs(a.f);
  out->p = p;
  out->n = n;
}

void ApplyRounding(const MathFunction& f, const FloatFacts& t, const Cell& a, Cell* out) {
  const double value = f.value(a.f);
  if (!std::isfinite(a.f)) return Doubt(t, value, a.flags, out);
  const bool certain = f.value(LeastOnMachine(a)) == f.value(GreatestOnMachine(a));
  if (certain) {
    SetFloatLeaf(RoundResult(t, value), a.flags, out);
  } else {
    Doubt(t, value, a.flags, out);
  }
}

void ApplyTest(std::string_view name, const Cell& a, Cell* out) {
  const bool value = name == "isnan"   ? std::isnan(a.f)
                     : name == "isinf" ? std::isinf(a.f)
                                       : std::isfinite(a.f);
  // TVM tests by arithmetic (x != x), which it may simplify as over the reals.
  const bool certain = std::isfinite(a.f);
  SetBool(value, static_cast<uint8_t>(a.flags | (certain ? 0 : kInconclusive)), out);
}

// How far x^y may move when x and y move within their bounds; negative if there is no telling.
double PowError(const Cell& a, const Cell& b, double value) {
  const double bound_a = Bound(a);
  const double bound_b = Bound(b);
  if (bound_a == 0 && bound_b == 0) return 0;
  if (Least(a) <= 0) {
    // Around or below zero: only whole exponents, and those that leave it continuous.
    const bool whole = bound_b == 0 && b.f == std::trunc(b.f) && b.f >= 0;
    if (!whole) return -1;
    const double reach = std::fabs(a.f) + bound_a;
    return b.f == 0 ? 0 : b.f * std::pow(reach, b.f - 1) * bound_a * kSlack;
  }
  double error = 0;
  for (double x : {Least(a), Greatest(a)}) {
    for (double y : {Least(b), Greatest(b)}) {
      const double corner = std::pow(x, y);
      if (!std::isfinite(corner)) return -1;
      error = std::max(error, std::fabs(corner - value) + 0x1p-50 * corner);
    }
  }
  return error;
}

void ApplyFmod(const FloatFacts& t, const Cell& a, const Cell& b, Cell* out) {
  const uint8_t flags = a.flags | b.flags;
  const double bound_a = Bound(a);
  const double bound_b = Bound(b);
  const double value = std::fmod(a.f, b.f);
  if (bound_a == 0 && bound_b == 0) {
    if (!std::isfinite(a.f) || std::isnan(value)) return Doubt(t, value, flags, out);
    SetFloatLeaf(value, flags, out);
    return;
  }
  // a - q * b for the whole quotient q, which must be the same over all of the bounds.
  const double divisor = std::fabs(b.f) - bound_b;
  const double quotient = a.f / b.f;
  if (!(divisor > 0)) return Doubt(t, value, flags, out);
  const double off =
      2 * (bound_a + std::fabs(quotient) * bound_b) / divisor + 0x1p-50 * std::fabs(quotient);
  const bool certain = std::trunc(quotient - off) == std::trunc(quotient + off) &&
                       (std::fabs(a.f) > bound_a || bound_a == 0);
  if (!certain) return Doubt(t, value, flags, out);
  SetFloatTerm(value, bound_a + std::fabs(std::trunc(quotient)) * bound_b, flags, out);
}

void ApplyAtan2(const MathFunction& f, const FloatFacts& t, const Cell& y, const Cell& x,
                Cell* out) {
  const uint8_t flags = y.flags | x.flags;
  const double bound = Bound(y) + Bound(x);
  const double value = std::atan2(y.f, x.f);
  const double radius = std::hypot(y.f, x.f) - bound;
  // Along the negative half axis the angle jumps, with the sign of y even where that is zero.
  const bool at_jump = x.f - 2 * bound <= 0 && std::fabs(y.f) <= 2 * Bound(y);
  if (!std::isfinite(radius) || radius <= 2 * bound || at_jump) return Doubt(t, value, flags, out);
  Finish(f, t, value, bound > 0 ? bound / radius * kSlack : 0, flags, out);
}

void ApplyCopysign(const FloatFacts& t, const Cell& a, const Cell& b, Cell* out) {
  const uint8_t flags = a.flags | b.flags;
  const bool certain = std::isfinite(b.f) && std::fabs(b.f) > 2 * Bound(b);
  const bool negative = std::signbit(b.f);
  if (!certain || !std::isfinite(a.f)) return Doubt(t, std::copysign(a.f, b.f), flags, out);
  ApplyAbs(a, out);
  if (negative) {
    std::swap(out->p, out->n);
    out->f = -out->f;
  }
  out->flags = flags;
}

double NextAfter(const FloatFacts& t, double from, double to) {
  if (t.type == F64) return std::nextafter(from, to);
  if (t.type == F32) return std::nextafterf(static_cast<float>(from), static_cast<float>(to));
  if (from == to) return to;
  const double direction = from < to ? 1 : -1;
  if (from == 0) return direction * t.tiny;
  // Half of a spacing beyond `from`, rounded away: the spacing below a power of two is half as
  // wide.
  const double spacing = std::max(std::ldexp(2 * t.u, std::ilogb(from)), t.tiny);
  const double quarter = RoundResult(t, from + direction * spacing / 2);
  return quarter != from ? quarter : RoundResult(t, from + direction * spacing);
}

void ApplyBinary(const MathFunction& f, const FloatFacts& t, const Cell& a, const Cell& b,
                 Cell* out) {
  const uint8_t flags = a.flags | b.flags;
  if (f.name == "fmod") return ApplyFmod(t, a, b, out);
  if (f.name == "atan2") return ApplyAtan2(f, t, a, b, out);
  if (f.name == "copysign") return ApplyCopysign(t, a, b, out);
  const bool finite = std::isfinite(a.f) && std::isfinite(b.f);
  if (f.name == "pow") {
    const double value = std::pow(a.f, b.f);
    const double error = finite && std::isfinite(value) ? PowError(a, b, value) : -1;
    if (error < 0) return Doubt(t, value, flags, out);
    return Finish(f, t, value, error, flags, out);
  }
  if (f.name == "hypot") {
    const double value = std::hypot(a.f, b.f);
    if (!finite) return Doubt(t, value, flags, out);
    return Finish(f, t, value, Bound(a) + Bound(b), flags, out);
  }
  const double value = NextAfter(t, a.f, b.f);
  const bool exact = finite && Bound(a) == 0 && Bound(b) == 0 && std::isfinite(value);
  if (!exact) return Doubt(t, value, flags, out);
  SetFloatLeaf(value, flags, out);
}

constexpr MathFunction kRoundAway = {"round", Kind::kRounding, std::round};

}  // namespace

const MathFunction* FindMathFunction(std::string_view name) {
  for (const MathFunction& function : kFunctions) {
    if (function.name == name) return &function;
  }
  return nullptr;
}

const MathFunction* FindLibraryFunction(std::string_view name) {
  if (name == "round" || name == "roundf") return &kRoundAway;
  if (name == "rint" || name == "rintf" || name == "nearbyintf") name = "nearbyint";
  if (const MathFunction* found = FindMathFunction(name)) return found;
  return name.ends_with('f') ? FindMathFunction(name.substr(0, name.size() - 1)) : nullptr;
}

void ApplyMath(const MathFunction& function, const FloatFacts& t, const Cell& a, const Cell& b,
               Cell* out) {
  switch (function.kind) {
    case Kind::kMonotone:
      return ApplyMonotone(function, t, a, out);
    case Kind::kSine: {
      const double value = function.value(a.f);
      const double propagated = std::min(Bound(a), 2.0);
      return Finish(function, t, value, propagated, a.flags, out);
    }
    case Kind::kCosh: {
      const double bound = Bound(a);
      const double slope = std::sinh(std::fabs(a.f) + bound);
      return Finish(function, t, std::cosh(a.f), bound == 0 ? 0 : slope * bound * kSlack, a.flags,
                    out);
    }
    case Kind::kTan:
      return ApplyTan(function, t, a, out);
    case Kind::kAbs:
      return ApplyAbs(a, out);
    case Kind::kRounding:
      return ApplyRounding(function, t, a, out);
    case Kind::kTest:
      return ApplyTest(function.name, a, out);
    case Kind::kBinary:
      return ApplyBinary(function, t, a, b, out);
  }
}

void LdexpFloat(const FloatFacts& t, const Cell& a, const Cell& exponent, Cell* out) {
  const auto bounded = static_cast<int>(std::clamp<int64_t>(exponent.i, -1000, 1000));
  Cell factor;
  SetFloatLeaf(std::ldexp(1.0, bounded), exponent.flags & kDoubt, &factor);
  if (bounded != exponent.i) factor.flags |= kInconclusive;
  MulFloat(t, a, factor, out);
}

}  // namespace irate::interp
