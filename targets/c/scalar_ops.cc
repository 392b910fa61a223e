#include "targets/c/scalar_ops.h"

#include <string_view>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "fmt/format.h"
#include "ir/types.h"
#include "targets/c/c_types.h"

namespace irate::c_target {
namespace {

bool IsNarrow(ScalarType type) { return type != BOOL && BitWidth(type) < 32; }

// C's operator where it has the IR's meaning up to a wrap of the result.
std::string_view Symbol(Op op) {
  switch (op) {
    case ADD:
      return "+";
    case SUB:
      return "-";
    case MUL:
      return "*";
    case DIV:
    case TRUNC_DIV:
      return "/";
    case TRUNC_MOD:
      return "%";
    case EQ:
      return "==";
    case NE:
      return "!=";
    case LT:
      return "<";
    case LE:
      return "<=";
    case GT:
      return ">";
    case GE:
      return ">=";
    case AND:
    case BIT_AND:
      return "&";
    case OR:
    case BIT_OR:
      return "|";
    case BIT_XOR:
      return "^";
    default:
      return "";
  }
}

std::string HelperName(Op op, ScalarType type) {
  return fmt::format("irate_{}_{}", absl::AsciiStrToLower(std::string(OpName(op))), TypeName(type));
}

std::string Infix(Prelude* prelude, Op op, ScalarType type, const std::string& a,
                  const std::string& b) {
  const bool to_bool = op >= EQ && op <= OR;
  if (IsFloat(type)) {
    const std::string value =
        fmt::format("({} {} {})", Widened(prelude, type, a), Symbol(op), Widened(prelude, type, b));
    return to_bool ? value : Narrowed(prelude, type, value);
  }
  if (to_bool || !IsNarrow(type)) return fmt::format("({} {} {})", a, Symbol(op), b);
  // Two u16 multiply to more than an int holds.
  const std::string_view promote = type == U16 && op == MUL ? "1u * " : "";
  return fmt::format("(({})({}{} {} {}))", CType(type, 0), promote, a, Symbol(op), b);
}

// Where an i8 or i16 divided by -1 leaves its type, C computes an int and notices nothing.
std::string DivisionCheck(Prelude* prelude, ScalarType type) {
  if (!prelude->checked() || !IsSigned(type) || !IsNarrow(type)) return "";
  prelude->Need("fail");
  return fmt::format("if (a1 == -1 && a0 == {}) irate_fail(\"overflow in a division\"); ",
                     CInteger(type, MinValue(type)));
}

std::string TruncatedBody(Prelude* prelude, Op op, ScalarType type) {
  return fmt::format("{}return ({})(a0 {} a1);", DivisionCheck(prelude, type), CType(type, 0),
                     Symbol(op));
}

std::string FloorBody(Prelude* prelude, Op op, ScalarType type) {
  const std::string check = DivisionCheck(prelude, type);
  const std::string c_type = CType(type, 0);
  const std::string_view adjusted = "r != 0 && (r < 0) != (a1 < 0)";
  if (op == FLOOR_DIV) {
    return fmt::format(
        "{2}const {0} q = ({0})(a0 / a1), r = ({0})(a0 % a1); "
        "return ({0})({1} ? q - 1 : q);",
        c_type, adjusted, check);
  }
  return fmt::format("{2}const {0} r = ({0})(a0 % a1); return ({0})({1} ? r + a1 : r);", c_type,
                     adjusted, check);
}

std::string ShiftBody(Prelude* prelude, Op op, ScalarType type) {
  std::string body;
  if (prelude->checked()) {
    prelude->Need("fail");
    body = fmt::format("if ({}a1 >= {}) irate_fail(\"shift out of range\"); ",
                       IsSigned(type) ? "a1 < 0 || " : "", BitWidth(type));
  }
  // A left shift of a negative value is undefined in C and plain multiplication in the IR.
  const std::string_view unsigned_type = BitWidth(type) == 64 ? "uint64_t" : "uint32_t";
  body += op == SHL ? fmt::format("return ({})(({})a0 << a1);", CType(type, 0), unsigned_type)
                    : fmt::format("return ({})(a0 >> a1);", CType(type, 0));
  return body;
}

std::string SmallerBody(Prelude* prelude, Op op, ScalarType type) {
  const std::string a = IsFloat(type) ? Widened(prelude, type, "a0") : "a0";
  const std::string b = IsFloat(type) ? Widened(prelude, type, "a1") : "a1";
  return fmt::format("return {} {} {} ? a0 : a1;", a, op == MIN ? "<" : ">", b);
}

}  // namespace

std::string Widened(Prelude* prelude, ScalarType type, const std::string& value) {
  if (type == F16) return fmt::format("((float){})", value);
  if (!IsBitPattern(type)) return value;
  prelude->Need(TypeName(type));
  return fmt::format("irate_to_double_{}({})", TypeName(type), value);
}

std::string Narrowed(Prelude* prelude, ScalarType type, const std::string& value) {
  if (type == F16) return fmt::format("((_Float16){})", value);
  if (!IsBitPattern(type)) return value;
  prelude->Need(TypeName(type));
  return fmt::format("irate_from_double_{}({})", TypeName(type), value);
}

absl::StatusOr<std::string> ScalarOp(Prelude* prelude, Op op, ScalarType type,
                                     const std::vector<std::string>& operands) {
  const auto call = [&](const std::function<std::string()>& body) {
    const std::string name =
        prelude->Function(HelperName(op, type), {type, 0}, {{type, 0}, {type, 0}}, body);
    return fmt::format("{}({}, {})", name, operands[0], operands[1]);
  };
  switch (op) {
    case NOT:
      return fmt::format("(!{})", operands[0]);
    case BIT_NOT:
      return fmt::format("(({})~{})", CType(type, 0), operands[0]);
    case FLOOR_DIV:
    case FLOOR_MOD:
      if (IsSigned(type)) return call([&] { return FloorBody(prelude, op, type); });
      return Infix(prelude, op == FLOOR_DIV ? TRUNC_DIV : TRUNC_MOD, type, operands[0],
                   operands[1]);
    case TRUNC_DIV:
    case TRUNC_MOD:
      if (IsSigned(type) && IsNarrow(type)) {
        return call([&] { return TruncatedBody(prelude, op, type); });
      }
      return Infix(prelude, op, type, operands[0], operands[1]);
    case MIN:
    case MAX:
      return call([&] { return SmallerBody(prelude, op, type); });
    case SHL:
    case SHR:
      return call([&] { return ShiftBody(prelude, op, type); });
    case SELECT:
      return fmt::format(
          "{}({}, {}, {})",
          prelude->Function(HelperName(op, type), {type, 0}, {{BOOL, 0}, {type, 0}, {type, 0}},
                            [] { return "return a0 ? a1 : a2;"; }),
          operands[0], operands[1], operands[2]);
    default:
      if (Symbol(op).empty()) {
        return absl::UnimplementedError(
            fmt::format("the C printer has no operator {}", OpName(op)));
      }
      return Infix(prelude, op, type, operands[0], operands[1]);
  }
}

std::string ScalarCast(Prelude* prelude, ScalarType to, ScalarType from, const std::string& value) {
  const std::string wide = IsFloat(from) ? Widened(prelude, from, value) : value;
  if (to == BOOL) return fmt::format("({} != 0)", wide);
  if (IsBitPattern(to)) return Narrowed(prelude, to, fmt::format("(double){}", wide));
  // Integers reach f16 through double, which holds all that do not become infinite.
  if (to == F16 && !IsFloat(from)) return fmt::format("((_Float16)(double){})", wide);
  return fmt::format("(({}){})", CType(to, 0), wide);
}

}  // namespace irate::c_target
