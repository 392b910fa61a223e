#include "ir/text_words.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>

#include "fmt/format.h"
#include "ir/types.h"
#include "ir/utf8.h"

namespace irate::text {
namespace {

constexpr auto kInfix = std::to_array<Infix>({
    {OR, "||", kOr},
    {AND, "&&", kAnd},
    {EQ, "==", kCompare},
    {NE, "!=", kCompare},
    {LT, "<", kCompare},
    {LE, "<=", kCompare},
    {GT, ">", kCompare},
    {GE, ">=", kCompare},
    {BIT_OR, "|", kBitOr},
    {BIT_XOR, "^", kBitXor},
    {BIT_AND, "&", kBitAnd},
    {SHL, "<<", kShift},
    {SHR, ">>", kShift},
    {ADD, "+", kSum},
    {SUB, "-", kSum},
    {MUL, "*", kProduct},
    {DIV, "/", kProduct},
    {FLOOR_DIV, "//", kProduct},
    {FLOOR_MOD, "%", kProduct},
});

constexpr auto kPrefix = std::to_array<Prefix>({
    {TRUNC_DIV, "truncdiv"},
    {TRUNC_MOD, "truncmod"},
    {MIN, "min"},
    {MAX, "max"},
    {SELECT, "select"},
    {IF_THEN_ELSE, "if_then_else"},
});

constexpr auto kKeywords = std::to_array<std::string_view>(
    {"allocates", "alloc",    "assert",     "attr",  "attributes", "barrier", "bind",  "block",
     "break",     "buffer",   "continue",   "decl",  "else",       "eval",    "false", "for",
     "func",      "if",       "in",         "inf",   "init",       "iter",    "let",   "matches",
     "nan",       "parallel", "private",    "reads", "return",     "scalar",  "step",  "true",
     "unrolled",  "var",      "vectorized", "where", "while",      "writes"});

bool IsWordStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

std::string PrintDouble(double value) {
  const auto bits = std::bit_cast<uint64_t>(value);
  if (value != value) {
    if (bits == 0x7ff8000000000000) return "nan";
    if (bits == 0xfff8000000000000) return "-nan";
    return fmt::format("nan(0x{:x})", bits);
  }
  std::string text = fmt::format("{}", value);
  const bool is_plain = std::ranges::all_of(text, [](char c) { return IsDigit(c) || c == '-'; });
  if (is_plain) text += ".0";
  return text;
}

}  // namespace

const Infix* FindInfix(Op op) {
  const auto found = std::ranges::find(kInfix, op, &Infix::op);
  return found == kInfix.end() ? nullptr : &*found;
}

const Infix* FindInfix(std::string_view spelling) {
  const auto found = std::ranges::find(kInfix, spelling, &Infix::spelling);
  return found == kInfix.end() ? nullptr : &*found;
}

const Prefix* FindPrefix(Op op) {
  const auto found = std::ranges::find(kPrefix, op, &Prefix::op);
  return found == kPrefix.end() ? nullptr : &*found;
}

const Prefix* FindPrefix(std::string_view name) {
  const auto found = std::ranges::find(kPrefix, name, &Prefix::name);
  return found == kPrefix.end() ? nullptr : &*found;
}

bool IsKeyword(std::string_view word) {
  return std::ranges::find(kKeywords, word) != kKeywords.end();
}

std::string PrintType(ScalarType scalar, uint32_t lanes) {
  return lanes == 0 ? std::string(TypeName(scalar)) : fmt::format("{}x{}", TypeName(scalar), lanes);
}

std::optional<ValueType> ParseType(std::string_view word) {
  if (const std::optional<ScalarType> scalar = ParseTypeName(word)) return ValueType{*scalar, 0};
  const size_t x = word.rfind('x');
  if (x == std::string_view::npos || x + 1 == word.size()) return std::nullopt;
  const std::optional<ScalarType> scalar = ParseTypeName(word.substr(0, x));
  if (!scalar || word[x + 1] == '0') return std::nullopt;
  uint32_t lanes = 0;
  const auto [end, error] = std::from_chars(word.data() + x + 1, word.data() + word.size(), lanes);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return ValueType{*scalar, lanes};
}

std::string Quote(std::string_view text, char quote) {
  const bool escape_high = !IsValidUtf8(text);
  std::string result(1, quote);
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == quote || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else if (byte < 0x20 || byte == 0x7f || (escape_high && byte >= 0x80)) {
      result += fmt::format("\\x{:02x}", byte);
    } else {
      result += c;
    }
  }
  result += quote;
  return result;
}

bool IsIdentifier(std::string_view name) {
  return !name.empty() && IsWordStart(name[0]) &&
         std::ranges::all_of(name, [](char c) { return IsWordStart(c) || IsDigit(c); });
}

std::string SpellName(std::string_view name) {
  const bool is_plain = IsIdentifier(name) && !IsKeyword(name) && !ParseType(name);
  return is_plain ? std::string(name) : Quote(name, '`');
}

std::string SpellPath(std::string_view name) {
  std::string_view rest = name;
  while (true) {
    const size_t point = rest.find('.');
    if (!IsIdentifier(rest.substr(0, point))) return Quote(name);
    if (point == std::string_view::npos) return std::string(name);
    rest.remove_prefix(point + 1);
  }
}

std::string PrintConst(const Expr& expr) {
  const ScalarType type = expr.type();
  if (type == BOOL && (expr.int_value() == 0 || expr.int_value() == 1)) {
    return expr.int_value() != 0 ? "true" : "false";
  }
  std::string text;
  if (IsFloat(type)) {
    text = PrintDouble(expr.float_value());
  } else if (type == U64) {
    text = fmt::format("{}", static_cast<uint64_t>(expr.int_value()));
  } else {
    text = fmt::format("{}", expr.int_value());
  }
  if (type == I32 || type == F32) return text;
  return fmt::format("{}:{}", text, TypeName(type));
}

}  // namespace irate::text
