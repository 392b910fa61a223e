// Spellings that the printer and the parser of the text form share.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "ir/irate.pb.h"

namespace irate::text {

// Binding strength, loosest first. Comparisons do not associate; the others do to the left.
enum Precedence : int {
  kLoosest = 0,  // let ... in
  kOr = 1,
  kAnd,
  kCompare,
  kBitOr,
  kBitXor,
  kBitAnd,
  kShift,
  kSum,
  kProduct,
  kUnary,
  kPrimary,
};

struct Infix {
  Op op;
  std::string_view spelling;
  Precedence precedence;
};
const Infix* FindInfix(Op op);
const Infix* FindInfix(std::string_view spelling);

// Operators that look like a call of a fixed number of operands: "min", "select", ...
struct Prefix {
  Op op;
  std::string_view name;
};
const Prefix* FindPrefix(Op op);
const Prefix* FindPrefix(std::string_view name);

// Words of the grammar; as names of variables and buffers they are quoted.
bool IsKeyword(std::string_view word);

struct ValueType {
  ScalarType scalar = VOID;
  uint32_t lanes = 0;
};
// "f32x4".
std::string PrintType(ScalarType scalar, uint32_t lanes);
std::optional<ValueType> ParseType(std::string_view word);

// A string literal with its quotes.
std::string Quote(std::string_view text, char quote = '"');
// A name as it stands in the text: itself, or in backquotes where it is no identifier or a keyword.
std::string SpellName(std::string_view name);
bool IsIdentifier(std::string_view name);
// "tirx.transform.UnrollLoop": identifiers joined by points; otherwise a string literal.
std::string SpellPath(std::string_view name);

// A literal with its suffix: "3", "3:i64", "true", "1.5", "-inf:f16", "nan(0x7ff8000000000001)".
std::string PrintConst(const Expr& expr);

}  // namespace irate::text
