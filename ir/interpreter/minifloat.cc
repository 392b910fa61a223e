#include "ir/interpreter/minifloat.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace irate {
namespace {

FloatFormat MakeFormat(int exponent_bits, int mantissa_bits, bool has_infinity) {
  FloatFormat f;
  f.exponent_bits = exponent_bits;
  f.mantissa_bits = mantissa_bits;
  f.bias = (1 << (exponent_bits - 1)) - 1;
  f.has_infinity = has_infinity;
  f.unit_roundoff = std::ldexp(1.0, -(mantissa_bits + 1));
  // Without infinity the top exponent holds numbers; only its last mantissa is NaN.
  const int top = (1 << exponent_bits) - (has_infinity ? 2 : 1) - f.bias;
  const double top_mantissa = 2.0 - std::ldexp(has_infinity ? 1.0 : 2.0, -mantissa_bits);
  f.max_finite = std::ldexp(top_mantissa, top);
  f.min_normal = std::ldexp(1.0, 1 - f.bias);
  f.min_subnormal = std::ldexp(1.0, 1 - f.bias - mantissa_bits);
  f.exact_limit = std::ldexp(1.0, mantissa_bits + 1);
  return f;
}

struct Formats {
  FloatFormat f16 = MakeFormat(5, 10, true);
  FloatFormat bf16 = MakeFormat(8, 7, true);
  FloatFormat f32 = MakeFormat(8, 23, true);
  FloatFormat f64 = MakeFormat(11, 52, true);
  FloatFormat e4m3 = MakeFormat(4, 3, false);
  FloatFormat e5m2 = MakeFormat(5, 2, true);
};

const Formats& AllFormats() {
  static const Formats formats;
  return formats;
}

// The nearest multiple of the spacing of `f` at x, which is finite.
double RoundNarrow(const FloatFormat& f, double x) {
  if (x == 0) return x;
  const int exponent = std::max(std::ilogb(x), 1 - f.bias);
  // Scaling by a power of two is exact here: narrow formats stay far from the ends of double.
  const double spacing = std::ldexp(1.0, exponent - f.mantissa_bits);
  const double rounded = std::nearbyint(x / spacing) * spacing;
  if (std::fabs(rounded) <= f.max_finite) return std::copysign(rounded, x);
  return f.has_infinity ? std::copysign(std::numeric_limits<double>::infinity(), x)
                        : std::copysign(std::numeric_limits<double>::quiet_NaN(), x);
}

uint64_t EncodeNarrow(const FloatFormat& f, double x) {
  const uint64_t sign = std::signbit(x) ? uint64_t{1} << (f.exponent_bits + f.mantissa_bits) : 0;
  const uint64_t top = ((uint64_t{1} << f.exponent_bits) - 1) << f.mantissa_bits;
  if (std::isnan(x)) {
    const uint64_t quiet = f.has_infinity ? uint64_t{1} << (f.mantissa_bits - 1)
                                          : (uint64_t{1} << f.mantissa_bits) - 1;
    return sign | top | quiet;
  }
  if (std::isinf(x)) return f.has_infinity ? sign | top : EncodeNarrow(f, std::nan(""));
  const double magnitude = std::fabs(x);
  if (magnitude < f.min_normal) {
    return sign | static_cast<uint64_t>(magnitude / f.min_subnormal);
  }
  const int exponent = std::ilogb(magnitude);
  const double fraction = std::ldexp(magnitude, -exponent) - 1.0;
  const auto mantissa = static_cast<uint64_t>(std::ldexp(fraction, f.mantissa_bits));
  return sign | (static_cast<uint64_t>(exponent + f.bias) << f.mantissa_bits) | mantissa;
}

double DecodeNarrow(const FloatFormat& f, uint64_t bits) {
  const uint64_t mantissa_mask = (uint64_t{1} << f.mantissa_bits) - 1;
  const uint64_t exponent_mask = (uint64_t{1} << f.exponent_bits) - 1;
  const uint64_t mantissa = bits & mantissa_mask;
  const uint64_t exponent = (bits >> f.mantissa_bits) & exponent_mask;
  const bool negative = (bits >> (f.exponent_bits + f.mantissa_bits)) & 1;
  double magnitude;
  if (exponent == exponent_mask && f.has_infinity) {
    magnitude = mantissa == 0 ? std::numeric_limits<double>::infinity()
                              : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == exponent_mask && mantissa == mantissa_mask) {
    magnitude = std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    magnitude = static_cast<double>(mantissa) * f.min_subnormal;
  } else {
    magnitude = std::ldexp(static_cast<double>(mantissa | (mantissa_mask + 1)),
                           static_cast<int>(exponent) - f.bias - f.mantissa_bits);
  }
  return negative ? -magnitude : magnitude;
}

}  // namespace

const FloatFormat& FormatOf(ScalarType type) {
  const Formats& all = AllFormats();
  switch (type) {
    case F16:
      return all.f16;
    case BF16:
      return all.bf16;
    case F64:
      return all.f64;
    case F8E4M3FN:
      return all.e4m3;
    case F8E5M2:
      return all.e5m2;
    default:
      return all.f32;
  }
}

double RoundToType(ScalarType type, double x) {
  if (type == F32) return static_cast<double>(static_cast<float>(x));
  if (type == F64) return x;
  if (std::isnan(x)) return x;
  const FloatFormat& f = FormatOf(type);
  if (std::isinf(x)) return f.has_infinity ? x : std::copysign(std::nan(""), x);
  return RoundNarrow(f, x);
}

uint64_t EncodeFloat(ScalarType type, double x) {
  if (type == F64) return std::bit_cast<uint64_t>(x);
  if (type == F32) return std::bit_cast<uint32_t>(static_cast<float>(x));
  return EncodeNarrow(FormatOf(type), RoundToType(type, x));
}

double DecodeFloat(ScalarType type, uint64_t bits) {
  if (type == F64) return std::bit_cast<double>(bits);
  if (type == F32) return std::bit_cast<float>(static_cast<uint32_t>(bits));
  return DecodeNarrow(FormatOf(type), bits);
}

}  // namespace irate
