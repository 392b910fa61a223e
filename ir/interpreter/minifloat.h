// Every float type of the IR as a set of doubles: rounding into it and its bit patterns.
//
// All formats are subsets of F64, so one double holds a value of any of them. Rounding is to
// nearest, ties to even (IEEE 754-2019, 4.3.1). What overflows becomes infinity, and NaN in
// F8E4M3FN, which has no infinity (OCP "8-bit Floating Point Specification", 5.2; conversion does
// not saturate).
#pragma once

#include <cstdint>

#include "ir/irate.pb.h"

namespace irate {

struct FloatFormat {
  int exponent_bits = 0;
  int mantissa_bits = 0;  // stored, without the hidden one
  int bias = 0;
  bool has_infinity = true;
  double unit_roundoff = 0;  // 2^-(mantissa_bits + 1)
  double max_finite = 0;
  double min_normal = 0;
  double min_subnormal = 0;
  double exact_limit = 0;  // every integer up to it is a value
};

// `type` must be a float type.
const FloatFormat& FormatOf(ScalarType type);

// The value of `type` nearest to `x`.
double RoundToType(ScalarType type, double x);

// The bit pattern of `x`, which is rounded first, in the low bits of the result.
uint64_t EncodeFloat(ScalarType type, double x);
// The value of a bit pattern; bits above the type's width are ignored.
double DecodeFloat(ScalarType type, uint64_t bits);

}  // namespace irate
