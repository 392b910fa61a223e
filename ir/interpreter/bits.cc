#include "ir/interpreter/bits.h"

#include <algorithm>

#include "ir/interpreter/float_ops.h"

namespace irate::interp {

uint64_t CellBits(ScalarType type, const Cell& cell) {
  return IsFloat(type) ? EncodeFloat(type, cell.f) : static_cast<uint64_t>(cell.i);
}

void SetFromBits(ScalarType type, uint64_t bits, uint8_t flags, Cell* out) {
  if (IsFloat(type)) {
    SetFloatLeaf(DecodeFloat(type, bits), flags, out);
  } else if (type == HANDLE) {
    // Without a record there is no object: null, or no pointer at all.
    const uint8_t doubt = bits != 0 ? kPoison : 0;
    SetHandle(0, static_cast<int64_t>(bits), static_cast<uint8_t>(flags | doubt), out);
  } else if (type == BOOL) {
    SetBool((bits & 0xFF) != 0, flags, out);
  } else {
    SetIntLeaf(type, WrapInt(FactsOf(type), static_cast<int64_t>(bits)), flags, out);
  }
}

void SetFromRecord(const Record& record, uint64_t bits, uint8_t flags, Cell* out) {
  const ScalarType type = record.type;
  if (IsFloat(type)) {
    out->f = DecodeFloat(type, bits);
  } else if (type == BOOL) {
    out->i = (bits & 0xFF) != 0 ? 1 : 0;
  } else {
    out->i = type == HANDLE ? static_cast<int64_t>(bits)
                            : WrapInt(FactsOf(type), static_cast<int64_t>(bits));
  }
  out->p = record.p;
  out->n = record.n;
  out->a = record.a;
  out->e = record.e;
  out->g = record.g;
  out->object = record.object;
  out->flags = flags;
}

bool HasCertainBits(const Record& record, uint64_t bits) {
  if (record.type == HANDLE) return record.object == 0 && bits == 0;
  if (!IsFloat(record.type)) return true;
  const bool is_term = record.a == 0 && record.e == 0;
  // A zero that was computed may have either sign.
  return is_term || (record.g > 0 && DecodeFloat(record.type, bits) != 0);
}

void SetFromForeign(const Record& record, uint64_t written, ScalarType type, uint8_t flags,
                    Cell* out) {
  if (!HasCertainBits(record, written)) flags |= kInconclusive | kLoose;
  SetFromBits(type, written, flags, out);
  const bool integers = (IsInteger(record.type) || record.type == BOOL) && IsInteger(type) &&
                        ByteSize(record.type) == ByteSize(type);
  if (!integers) return;
  // The same integer under another signedness keeps its partial sums.
  const int64_t value = WrapInt(FactsOf(record.type), static_cast<int64_t>(written));
  if (IntAsDouble(record.type, value) == IntAsDouble(type, out->i)) {
    out->p = record.p;
    out->n = record.n;
  }
}

bool IsPlain(ScalarType type, const Cell& cell) {
  if (IsFloat(type)) {
    return cell.a == 0 && cell.e == 0 && cell.p == std::max(cell.f, 0.0) &&
           cell.n == std::max(-cell.f, 0.0);
  }
  if (type == HANDLE) return cell.object == 0 && cell.i == 0;
  const double magnitude = IntAsDouble(type, cell.i);
  return cell.p == std::max(magnitude, 0.0) && cell.n == std::max(-magnitude, 0.0);
}

}  // namespace irate::interp
