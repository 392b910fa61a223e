// One scalar as the interpreter holds it: the value that a machine computes, and what is known
// about every other value that a legal compiler may compute instead.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "ir/irate.pb.h"
#include "ir/types.h"

namespace irate::interp {

// What is doubtful about a value. Flags are united by every operation that depends on the value.
enum Flag : uint8_t {
  // An integer whose magnitude left its type: a compiler's rewriting may give another value.
  kFragile = 1,
  // Depends on a decision about floats that was within its bound of a tie.
  kInconclusive = 2,
  // Never written, or the result of an operation that has none (a shift out of range...).
  kPoison = 4,
  // Of an inconclusive integer: it may really be lower, higher than what memory allows. An
  // operation that confines the value (min, max, floormod) removes the flag.
  kLooseLow = 8,
  kLooseHigh = 16,
};
inline constexpr uint8_t kLoose = kLooseLow | kLooseHigh;
inline constexpr uint8_t kDoubt = kFragile | kInconclusive | kPoison;

// A scalar of any type.
//
//   integers, BOOL   i: the value, sign- or zero-extended; U64 as its bit pattern
//   floats           f: the value, as a double
//   HANDLE           i: the byte offset into the memory object `object`; 0 is no object
//
// The value is a sum of terms; every partial sum, in whatever order, lies within [-n, p]. Floats
// besides (docs/semantics.md derives the rules):
//   a  unit roundoffs of the additions on the way, in total
//   e  bound on the absolute error of the terms
//   g  every term is a multiple of this power of two, and every order of summation is exact; 0
//   where
//      that does not hold
struct Cell {
  union {
    int64_t i = 0;
    double f;
  };
  double p = 0;
  double n = 0;
  uint8_t flags = 0;
  uint32_t object = 0;
  double a = 0;
  double e = 0;
  double g = 0;
};

// Limits of an integer type or BOOL, as int64 (U64: bit patterns) and as doubles.
struct IntFacts {
  int bits = 0;
  bool is_signed = false;
  bool traps = false;  // overflow is undefined in a source program: i32, i64
  int64_t min = 0;
  int64_t max = 0;
  double low = 0;   // -min
  double high = 0;  // max, or the double below it
};

inline constexpr std::array<IntFacts, 17> kIntFacts = [] {
  std::array<IntFacts, 17> facts{};
  const auto set = [&facts](ScalarType type, int bits, bool is_signed) {
    IntFacts& f = facts[type];
    f.bits = bits;
    f.is_signed = is_signed;
    f.traps = is_signed && bits >= 32;
    if (is_signed) {
      f.min = INT64_MIN >> (64 - bits);
      f.max = INT64_MAX >> (64 - bits);
    } else {
      f.max = bits == 64 ? -1 : static_cast<int64_t>(UINT64_MAX >> (64 - bits));
    }
    f.low = -static_cast<double>(f.min);
    f.high = bits < 64   ? static_cast<double>(f.max)
             : is_signed ? 0x1.fffffffffffffp62
                         : 0x1.fffffffffffffp63;
  };
  set(BOOL, 1, false);
  set(I8, 8, true);
  set(I16, 16, true);
  set(I32, 32, true);
  set(I64, 64, true);
  set(U8, 8, false);
  set(U16, 16, false);
  set(U32, 32, false);
  set(U64, 64, false);
  return facts;
}();

inline const IntFacts& FactsOf(ScalarType type) { return kIntFacts[type]; }

// The value as a double: U64 is unsigned.
inline double IntAsDouble(ScalarType type, int64_t value) {
  return type == U64 ? static_cast<double>(static_cast<uint64_t>(value))
                     : static_cast<double>(value);
}

// Cuts to the type's width and extends again.
inline int64_t WrapInt(const IntFacts& facts, int64_t value) {
  if (facts.bits == 64) return value;
  const int shift = 64 - facts.bits;
  const uint64_t up = static_cast<uint64_t>(value) << shift;
  return facts.is_signed ? static_cast<int64_t>(up) >> shift : static_cast<int64_t>(up >> shift);
}

// A term of its own: an input, a constant, the result of something that is no sum.
inline void SetIntLeaf(ScalarType type, int64_t value, uint8_t flags, Cell* cell) {
  const double magnitude = IntAsDouble(type, value);
  cell->i = value;
  cell->p = magnitude > 0 ? magnitude : 0;
  cell->n = magnitude < 0 ? -magnitude : 0;
  cell->flags = flags;
  cell->object = 0;
}

inline void SetBool(bool value, uint8_t flags, Cell* cell) {
  cell->i = value ? 1 : 0;
  cell->p = value ? 1 : 0;
  cell->n = 0;
  cell->flags = flags;
  cell->object = 0;
}

inline void SetHandle(uint32_t object, int64_t offset, uint8_t flags, Cell* cell) {
  cell->i = offset;
  cell->p = cell->n = 0;
  cell->flags = flags;
  cell->object = object;
}

}  // namespace irate::interp
