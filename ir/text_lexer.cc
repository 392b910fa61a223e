#include "ir/text_lexer.h"

#include <array>
#include <charconv>

#include "fmt/format.h"
#include "ir/status_macros.h"
#include "ir/utf8.h"

namespace irate::text {
namespace {

// Longest first.
constexpr auto kPunctuation = std::to_array<std::string_view>(
    {"...", "..", ":=", "=>", "//", "&&", "||", "<<", ">>", "<=", ">=", "==", "!=",
     "->",  "+:", "+",  "-",  "*",  "/",  "%",  "<",  ">",  "&",  "|",  "^",  "~",
     "!",   "=",  "(",  ")",  "{",  "}",  "[",  "]",  ",",  ".",  ":",  "@"});

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsHexDigit(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool IsWordChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || IsDigit(c);
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  absl::StatusOr<std::vector<Token>> Run() {
    std::vector<Token> tokens;
    while (true) {
      SkipBlank();
      Token token;
      token.line = line_;
      token.column = Column();
      if (at_ == text_.size()) {
        tokens.push_back(std::move(token));
        return tokens;
      }
      IRATE_RETURN_IF_ERROR(Read(&token));
      tokens.push_back(std::move(token));
    }
  }

 private:
  char Peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  int Column() const { return static_cast<int>(at_ - line_start_) + 1; }

  void SkipBlank() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        ++at_;
        ++line_;
        line_start_ = at_;
      } else if (c == ' ' || c == '\t' || c == '\r') {
        ++at_;
      } else if (c == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else {
        return;
      }
    }
  }

  absl::Status Read(Token* token) {
    const char c = Peek();
    if (c == '"' || c == '`') {
      token->kind = c == '"' ? Token::Kind::kString : Token::Kind::kQuotedWord;
      IRATE_RETURN_IF_ERROR(ReadQuoted(c, token));
      return c == '`' ? ReadId(token) : absl::OkStatus();
    }
    if (c == '$' && IsWordChar(Peek(1))) {
      const size_t start = ++at_;
      while (IsWordChar(Peek())) ++at_;
      token->kind = Token::Kind::kMeta;
      token->text = text_.substr(start, at_ - start);
      return absl::OkStatus();
    }
    if (IsDigit(c)) {
      ReadNumber(token);
      return absl::OkStatus();
    }
    if (IsWordChar(c)) {
      const size_t start = at_;
      while (IsWordChar(Peek())) ++at_;
      token->kind = Token::Kind::kWord;
      token->text = text_.substr(start, at_ - start);
      return ReadId(token);
    }
    for (std::string_view punctuation : kPunctuation) {
      if (text_.substr(at_).starts_with(punctuation)) {
        at_ += punctuation.size();
        token->kind = Token::Kind::kPunctuation;
        token->text = punctuation;
        return absl::OkStatus();
      }
    }
    const auto byte = static_cast<unsigned char>(c);
    return ErrorAt(line_, Column(),
                   byte > 0x20 && byte < 0x7f
                       ? fmt::format("the character {} has no meaning here", c)
                       : fmt::format("the byte 0x{:02x} has no meaning outside strings", byte));
  }

  // "#3" right after a name.
  absl::Status ReadId(Token* token) {
    if (Peek() != '#' || !IsDigit(Peek(1))) return absl::OkStatus();
    const int column = Column();
    const size_t start = ++at_;
    while (IsDigit(Peek())) ++at_;
    uint32_t id = 0;
    const auto [end, error] = std::from_chars(text_.data() + start, text_.data() + at_, id);
    if (error != std::errc()) return ErrorAt(line_, column, "the id is too large");
    token->id = id;
    return absl::OkStatus();
  }

  void ReadNumber(Token* token) {
    const size_t start = at_;
    token->kind = Token::Kind::kInteger;
    if (Peek() == '0' && (Peek(1) == 'x' || Peek(1) == 'X') && IsHexDigit(Peek(2))) {
      at_ += 2;
      while (IsHexDigit(Peek())) ++at_;
    } else {
      while (IsDigit(Peek())) ++at_;
      // "0..16" is a range.
      if (Peek() == '.' && IsDigit(Peek(1))) {
        token->kind = Token::Kind::kFloat;
        ++at_;
        while (IsDigit(Peek())) ++at_;
      }
      const size_t sign = Peek(1) == '+' || Peek(1) == '-' ? 1 : 0;
      if ((Peek() == 'e' || Peek() == 'E') && IsDigit(Peek(1 + sign))) {
        token->kind = Token::Kind::kFloat;
        at_ += 1 + sign;
        while (IsDigit(Peek())) ++at_;
      }
    }
    token->text = text_.substr(start, at_ - start);
  }

  absl::Status ReadQuoted(char quote, Token* token) {
    ++at_;
    while (true) {
      const char c = Peek();
      if (at_ == text_.size() || c == '\n') {
        return ErrorAt(token->line, token->column, fmt::format("the closing {} is missing", quote));
      }
      ++at_;
      if (c == quote) break;
      if (c != '\\') {
        token->text += c;
        continue;
      }
      IRATE_RETURN_IF_ERROR(ReadEscape(token));
    }
    if (IsValidUtf8(token->text)) return absl::OkStatus();
    return ErrorAt(token->line, token->column, "the text is not valid UTF-8");
  }

  absl::Status ReadEscape(Token* token) {
    const int column = Column() - 1;
    const char c = Peek();
    ++at_;
    switch (c) {
      case 'n':
        token->text += '\n';
        return absl::OkStatus();
      case 't':
        token->text += '\t';
        return absl::OkStatus();
      case '\\':
      case '"':
      case '`':
        token->text += c;
        return absl::OkStatus();
      case 'x':
        if (IsHexDigit(Peek()) && IsHexDigit(Peek(1))) {
          uint8_t byte = 0;
          std::from_chars(text_.data() + at_, text_.data() + at_ + 2, byte, 16);
          token->text += static_cast<char>(byte);
          at_ += 2;
          return absl::OkStatus();
        }
        break;
      default:
        break;
    }
    at_ = std::min(at_, text_.size());
    return ErrorAt(line_, column, R"(unknown escape; expected \n, \t, \\, \", \` or \xHH)");
  }

  std::string_view text_;
  size_t at_ = 0;
  int line_ = 1;
  size_t line_start_ = 0;
};

}  // namespace

absl::Status ErrorAt(int line, int column, std::string_view message) {
  return absl::InvalidArgumentError(fmt::format("line {}, column {}: {}", line, column, message));
}

absl::StatusOr<std::vector<Token>> Tokenize(std::string_view text) { return Lexer(text).Run(); }

}  // namespace irate::text
