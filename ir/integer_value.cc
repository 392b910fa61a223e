#include "ir/integer_value.h"

#include <algorithm>

#include "ir/types.h"

namespace irate {
namespace {

std::optional<int64_t> Divide(Op op, int64_t a, int64_t b) {
  if (b == 0 || (a == INT64_MIN && b == -1)) return std::nullopt;
  const int64_t quotient = a / b;
  const int64_t rest = a % b;
  const bool below = rest != 0 && (rest < 0) != (b < 0);
  switch (op) {
    case TRUNC_DIV:
      return quotient;
    case TRUNC_MOD:
      return rest;
    case FLOOR_DIV:
      return below ? quotient - 1 : quotient;
    default:
      return below ? rest + b : rest;
  }
}

std::optional<int64_t> Binary(Op op, int64_t a, int64_t b) {
  int64_t result = 0;
  switch (op) {
    case ADD:
      return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case SUB:
      return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case MUL:
      return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case TRUNC_DIV:
    case TRUNC_MOD:
    case FLOOR_DIV:
    case FLOOR_MOD:
      return Divide(op, a, b);
    case MIN:
      return std::min(a, b);
    case MAX:
      return std::max(a, b);
    case EQ:
      return a == b;
    case NE:
      return a != b;
    case LT:
      return a < b;
    case LE:
      return a <= b;
    case GT:
      return a > b;
    case GE:
      return a >= b;
    case BIT_AND:
      return a & b;
    case BIT_OR:
      return a | b;
    case BIT_XOR:
      return a ^ b;
    default:
      return std::nullopt;
  }
}

// One known operand may decide.
std::optional<int64_t> Logic(const Expr& expr, KnownVariables* variables) {
  const int64_t decides = expr.op() == OR ? 1 : 0;
  const std::optional<int64_t> a = IntegerValue(expr.args(0), variables);
  if (a == decides) return a;
  const std::optional<int64_t> b = IntegerValue(expr.args(1), variables);
  if (b == decides) return b;
  return a.has_value() && b.has_value() ? std::optional(1 - decides) : std::nullopt;
}

}  // namespace

std::optional<int64_t> IntegerValue(const Expr& expr, KnownVariables* variables) {
  if (expr.lanes() != 0 || IsFloat(expr.type())) return std::nullopt;
  switch (expr.op()) {
    case CONST:
      return expr.int_value();
    case VAR:
      return expr.id() < variables->size() ? (*variables)[expr.id()] : std::nullopt;
    case NOT: {
      const std::optional<int64_t> a = IntegerValue(expr.args(0), variables);
      return a.has_value() ? std::optional<int64_t>(*a == 0) : std::nullopt;
    }
    case AND:
    case OR:
      return Logic(expr, variables);
    case SELECT:
    case IF_THEN_ELSE: {
      const std::optional<int64_t> condition = IntegerValue(expr.args(0), variables);
      if (!condition.has_value()) return std::nullopt;
      return IntegerValue(expr.args(*condition != 0 ? 1 : 2), variables);
    }
    case CAST: {
      // Only values that every type has.
      const std::optional<int64_t> value = IntegerValue(expr.args(0), variables);
      const bool kept =
          value.has_value() && *value >= 0 && *value <= (expr.type() == BOOL ? 1 : INT8_MAX);
      const bool wide = expr.type() == I32 || expr.type() == I64;
      return kept || wide ? value : std::nullopt;
    }
    case LET: {
      if (expr.id() >= variables->size()) return std::nullopt;
      const std::optional<int64_t> before = (*variables)[expr.id()];
      (*variables)[expr.id()] = IntegerValue(expr.args(0), variables);
      const std::optional<int64_t> result = IntegerValue(expr.args(1), variables);
      (*variables)[expr.id()] = before;
      return result;
    }
    default:
      break;
  }
  if (expr.args_size() != 2) {
    // likely(condition)
    const bool hint = expr.op() == CALL && expr.name() == "likely" && expr.args_size() == 1;
    return hint ? IntegerValue(expr.args(0), variables) : std::nullopt;
  }
  const std::optional<int64_t> a = IntegerValue(expr.args(0), variables);
  const std::optional<int64_t> b = IntegerValue(expr.args(1), variables);
  return a.has_value() && b.has_value() ? Binary(expr.op(), *a, *b) : std::nullopt;
}

std::optional<std::vector<int64_t>> IntegerLanes(const Expr& expr, KnownVariables* variables) {
  if (expr.lanes() == 0) {
    const std::optional<int64_t> value = IntegerValue(expr, variables);
    if (!value.has_value()) return std::nullopt;
    return std::vector<int64_t>{*value};
  }
  if (expr.op() != RAMP && expr.op() != BROADCAST) return std::nullopt;
  const std::optional<int64_t> base = IntegerValue(expr.args(0), variables);
  const std::optional<int64_t> stride =
      expr.op() == RAMP ? IntegerValue(expr.args(1), variables) : 0;
  if (!base.has_value() || !stride.has_value()) return std::nullopt;
  std::vector<int64_t> lanes;
  for (uint32_t lane = 0; lane < expr.lanes(); ++lane) lanes.push_back(*base + lane * *stride);
  return lanes;
}

}  // namespace irate
