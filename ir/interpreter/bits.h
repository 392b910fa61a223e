// Between cells and the bits that memory holds.
#pragma once

#include <cstdint>

#include "ir/interpreter/value.h"

namespace irate::interp {

// What a value's bits in memory do not say.
struct Record {
  double p = 0;
  double n = 0;
  double a = 0;
  double e = 0;
  double g = 0;
  ScalarType type = VOID;
  uint32_t object = 0;  // of a HANDLE
};

inline Record RecordOf(ScalarType type, const Cell& c) {
  return {c.p, c.n, c.a, c.e, c.g, type, c.object};
}

// In the low bytes, as many as the type has.
uint64_t CellBits(ScalarType type, const Cell& cell);

// A plain value of `type`: a term of its own, exact.
void SetFromBits(ScalarType type, uint64_t bits, uint8_t flags, Cell* out);
// A value with a record, as the type that it was written as.
void SetFromRecord(const Record& record, uint64_t bits, uint8_t flags, Cell* out);
// The bits of a value that was written as `record` (all of them, `written`), read as `type`.
void SetFromForeign(const Record& record, uint64_t written, ScalarType type, uint8_t flags,
                    Cell* out);

// Whether every legal evaluation gives these very bits, so that they may be read as another type.
bool HasCertainBits(const Record& record, uint64_t bits);

// Whether a cell is what SetFromBits would make of its bits.
bool IsPlain(ScalarType type, const Cell& cell);

}  // namespace irate::interp
