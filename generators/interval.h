// What is known about the values of an integer expression (or of a float that is always an
// integer): a strided interval, and the magnitude that the interpreter tracks for it.
//
// Every value is lo + k * stride for some k >= 0 and at most hi; stride 0 means one value. Bounds
// saturate at +-kIntervalMax, which no type of at most 32 bits reaches.
//
// `magnitude` bounds the absolute value of everything that a compiler may compute on the way when
// it reassociates: |a| + |b| for a sum or a difference, |a| * |b| for a product. An integer
// expression is fragile where its magnitude leaves its type's range, and a float is inexact where
// its magnitude exceeds ExactIntegerLimit: generators keep below both.
#pragma once

#include <cstdint>

#include "ir/irate.pb.h"

namespace irate {

inline constexpr int64_t kIntervalMax = int64_t{1} << 62;

// What a value of magnitude `start` may become when `count` terms of magnitude `term` are added to
// it; at most kIntervalMax.
int64_t MagnitudeOfSum(int64_t start, int64_t count, int64_t term);

struct Interval {
  int64_t lo = 0;
  int64_t hi = 0;
  int64_t stride = 0;
  int64_t magnitude = 0;

  static Interval Point(int64_t value);
  // [lo, hi], every value; an empty range (lo > hi) becomes the point lo.
  static Interval Bounds(int64_t lo, int64_t hi);
  static Interval OfType(ScalarType type);

  bool IsPoint() const { return lo == hi; }
  bool Contains(int64_t value) const;
  bool Within(int64_t low, int64_t high) const { return lo >= low && hi <= high; }
  bool ExcludesZero() const { return lo > 0 || hi < 0; }
  int64_t MaxAbs() const;
};

// Smallest strided interval that holds both.
Interval Join(const Interval& a, const Interval& b);
// Narrows a's bounds to [lo, hi], keeping stride and magnitude; a bound that would make it empty is
// ignored.
Interval Clip(const Interval& a, int64_t lo, int64_t hi);

// The transfer functions of ADD ... SHR on values of `type`, as ir/irate.proto defines them. A
// divisor that may be zero or a shift amount that may be negative or huge gives the whole type.
Interval TransferBinary(Op op, ScalarType type, const Interval& a, const Interval& b);
Interval TransferUnary(Op op, ScalarType type, const Interval& a);
Interval TransferCast(ScalarType to, ScalarType from, const Interval& a);

// The magnitude that evaluating a comparison, MIN or MAX asks for: |a - b| at most.
int64_t ComparisonMagnitude(const Interval& a, const Interval& b);

}  // namespace irate
