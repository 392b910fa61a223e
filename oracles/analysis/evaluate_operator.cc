#include <algorithm>

#include "oracles/analysis/evaluate.h"

namespace irate::analysis {
namespace {

State Divide(Op op, int64_t a, int64_t b, int64_t* result) {
  if (b == 0) return kUndefined;
  if (b == -1 && a == INT64_MIN) return kOverflow;
  const int64_t quotient = a / b;
  const int64_t remainder = a % b;
  const bool floors = remainder != 0 && (remainder < 0) != (b < 0);
  switch (op) {
    case TRUNC_DIV:
      *result = quotient;
      break;
    case TRUNC_MOD:
      *result = remainder;
      break;
    case FLOOR_DIV:
      *result = floors ? quotient - 1 : quotient;
      break;
    default:
      *result = floors ? remainder + b : remainder;
      break;
  }
  return kOk;
}

State Shift(Op op, int64_t a, int64_t b, int64_t* result) {
  if (b < 0 || b > 62) return b < 0 ? kUndefined : kOverflow;
  if (op == SHR) {
    *result = a >> b;
    return kOk;
  }
  return __builtin_mul_overflow(a, int64_t{1} << b, result) ? kOverflow : kOk;
}

}  // namespace

State ApplyOperator(Op op, int64_t a, int64_t b, int64_t* result) {
  switch (op) {
    case ADD:
      return __builtin_add_overflow(a, b, result) ? kOverflow : kOk;
    case SUB:
      return __builtin_sub_overflow(a, b, result) ? kOverflow : kOk;
    case MUL:
      return __builtin_mul_overflow(a, b, result) ? kOverflow : kOk;
    case TRUNC_DIV:
    case TRUNC_MOD:
    case FLOOR_DIV:
    case FLOOR_MOD:
      return Divide(op, a, b, result);
    case SHL:
    case SHR:
      return Shift(op, a, b, result);
    case MIN:
      *result = std::min(a, b);
      return kOk;
    case MAX:
      *result = std::max(a, b);
      return kOk;
    case EQ:
      *result = static_cast<int64_t>(a == b);
      return kOk;
    case NE:
      *result = static_cast<int64_t>(a != b);
      return kOk;
    case LT:
      *result = static_cast<int64_t>(a < b);
      return kOk;
    case LE:
      *result = static_cast<int64_t>(a <= b);
      return kOk;
    case GT:
      *result = static_cast<int64_t>(a > b);
      return kOk;
    case GE:
      *result = static_cast<int64_t>(a >= b);
      return kOk;
    case BIT_AND:
      *result = a & b;
      return kOk;
    case BIT_OR:
      *result = a | b;
      return kOk;
    case BIT_XOR:
      *result = a ^ b;
      return kOk;
    default:
      return kUndefined;
  }
}

}  // namespace irate::analysis
