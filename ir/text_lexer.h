// Tokens of the text form. White space separates tokens and means nothing else; "#" after white
// space or punctuation starts a comment to the end of the line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"

namespace irate::text {

struct Token {
  enum class Kind {
    kWord,         // identifier, keyword or type
    kQuotedWord,   // in backquotes: always a name
    kMeta,         // "$name", in patterns only; text is the name
    kInteger,      // digits or 0x and hexadecimal digits
    kFloat,        // digits with a point or an exponent
    kString,       // in double quotes
    kPunctuation,  // "+", "..", "+:", ...
    kEnd,
  };
  Kind kind = Kind::kEnd;
  // As written; of strings and quoted words the contents, escapes resolved.
  std::string text;
  // The number of a name with an id: 3 in "i#3".
  std::optional<uint32_t> id;
  int line = 0;  // from 1
  int column = 0;
};

// The last token is kEnd. Errors start with "line L, column C: ".
absl::StatusOr<std::vector<Token>> Tokenize(std::string_view text);

absl::Status ErrorAt(int line, int column, std::string_view message);

}  // namespace irate::text
