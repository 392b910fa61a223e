// Numbers and ranges.
#include <bit>
#include <charconv>
#include <limits>

#include "fmt/format.h"
#include "ir/status_macros.h"
#include "ir/text_parser.h"
#include "ir/types.h"

namespace irate::text {
namespace {

// An untyped literal of a pattern has no type yet.
bool IsIntLiteral(const Expr& expr) {
  return expr.op() == CONST &&
         (IsInteger(expr.type()) || (expr.type() == VOID && expr.name().empty()));
}

// The largest magnitude of a literal of `type`.
uint64_t MaxMagnitude(ScalarType type, bool negative) {
  if (!negative) return static_cast<uint64_t>(MaxValue(type));
  return 0 - static_cast<uint64_t>(MinValue(type));
}

}  // namespace

absl::StatusOr<uint64_t> Parser::IntegerValue(const Token& token, uint64_t max) const {
  std::string_view digits = token.text;
  const bool is_hex = digits.starts_with("0x") || digits.starts_with("0X");
  if (is_hex) digits.remove_prefix(2);
  uint64_t value = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), value, is_hex ? 16 : 10);
  if (error == std::errc() && value <= max) return value;
  return Error(token, fmt::format("{} is too large; at most {} is possible", token.text, max));
}

absl::StatusOr<ScalarType> Parser::ParseSuffix(ScalarType otherwise) {
  if (!TakePunctuation(":")) return otherwise;
  const Token place = Peek();
  IRATE_ASSIGN_OR_RETURN(const ValueType type, ParseTypeWord());
  if (type.lanes != 0) return Error(place, "a literal is a scalar: use broadcast(x, lanes)");
  return type.scalar;
}

absl::StatusOr<Parser::Node> Parser::ParseNumber() {
  const bool negative = TakePunctuation("-");
  if (IsWord("nan")) return ParseNan(negative);
  const Token token = Next();
  const bool is_integer = token.kind == Token::Kind::kInteger;
  const bool is_untyped = pattern_ && !IsPunctuation(":");
  IRATE_ASSIGN_OR_RETURN(const ScalarType type, ParseSuffix(is_integer ? I32 : F32));
  Node node;
  node.expr.set_op(CONST);
  if (is_untyped) {
    MarkUntyped(is_integer, &node.expr);
  } else {
    node.expr.set_type(type);
  }
  if (IsInteger(type) && is_integer) {
    IRATE_ASSIGN_OR_RETURN(const uint64_t magnitude,
                           IntegerValue(token, MaxMagnitude(is_untyped ? I64 : type, negative)));
    node.expr.set_int_value(static_cast<int64_t>(negative ? 0 - magnitude : magnitude));
    return node;
  }
  if (!IsFloat(type)) {
    return Error(token, fmt::format("{} is no literal of type {}", token.text, TypeName(type)));
  }
  double value = std::numeric_limits<double>::infinity();
  if (token.text != "inf") {
    const char* end = token.text.data() + token.text.size();
    const auto [rest, error] = std::from_chars(token.text.data(), end, value);
    if (error != std::errc() || rest != end) {
      return Error(token, fmt::format("{} is no double-precision number", token.text));
    }
  }
  node.expr.set_float_value(negative ? -value : value);
  return node;
}

absl::StatusOr<Parser::Node> Parser::ParseNan(bool negative) {
  Next();
  uint64_t bits = negative ? 0xfff8000000000000 : 0x7ff8000000000000;
  if (!negative && IsPunctuation("(")) {
    Next();
    const Token place = Peek();
    IRATE_ASSIGN_OR_RETURN(bits, ParseUnsigned("the bits of a NaN, as 0x7ff...",
                                               std::numeric_limits<uint64_t>::max()));
    const auto value = std::bit_cast<double>(bits);
    if (value == value) return Error(place, "these are not the bits of a NaN");
    IRATE_RETURN_IF_ERROR(Expect(")"));
  }
  IRATE_ASSIGN_OR_RETURN(const ScalarType type, ParseSuffix(F32));
  if (!IsFloat(type)) {
    return Error(Peek(), fmt::format("nan is no literal of type {}", TypeName(type)));
  }
  Node node;
  node.expr.set_op(CONST);
  node.expr.set_type(type);
  node.expr.set_float_value(std::bit_cast<double>(bits));
  return node;
}

absl::Status Parser::ParseRange(Expr* min, Expr* extent) {
  const Token start = Peek();
  IRATE_ASSIGN_OR_RETURN(*min, ParseExpr(kOr));
  if (IsPunctuation("..") || IsPunctuation("+:")) return FinishRange(start, min, extent);
  return Expected("a range: \"begin..end\" or \"begin +: extent\"");
}

absl::Status Parser::FinishRange(const Token& start, Expr* min, Expr* extent) {
  const bool by_extent = Next().text == "+:";
  IRATE_ASSIGN_OR_RETURN(*extent, ParseExpr(kOr));
  if (by_extent) return absl::OkStatus();
  const bool from_zero = IsIntLiteral(*min) && min->int_value() == 0;
  if (IsIntLiteral(*min) && IsIntLiteral(*extent)) {
    int64_t length = 0;
    const bool overflow = __builtin_sub_overflow(extent->int_value(), min->int_value(), &length);
    const ScalarType type = min->type();
    const bool fits =
        type == U64 || type == VOID || (length >= MinValue(type) && length <= MaxValue(type));
    if (type != extent->type() || overflow || !fits) {
      return Error(start, fmt::format("the bounds of a range have one type, and so has its extent; "
                                      "here they are {} and {}",
                                      TypeName(type), TypeName(extent->type())));
    }
    extent->set_int_value(length);
    return absl::OkStatus();
  }
  if (from_zero) return absl::OkStatus();
  return Error(start, "\"begin..end\" needs two constants or a begin of 0: write begin +: extent");
}

}  // namespace irate::text
