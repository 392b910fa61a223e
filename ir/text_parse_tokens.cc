// Tokens, names and small pieces that every rule uses.
#include <algorithm>
#include <limits>

#include "fmt/format.h"
#include "ir/status_macros.h"
#include "ir/text_parser.h"

namespace irate::text {
namespace {

std::string Found(const Token& token) {
  switch (token.kind) {
    case Token::Kind::kEnd:
      return "the end of the text";
    case Token::Kind::kString:
      return Quote(token.text);
    case Token::Kind::kQuotedWord:
      return Quote(token.text, '`');
    case Token::Kind::kMeta:
      return fmt::format("\"${}\"", token.text);
    default:
      return fmt::format("\"{}\"", token.text);
  }
}

}  // namespace

const Token& Parser::Peek(size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

Token Parser::Next() {
  Token token = Peek();
  if (at_ + 1 < tokens_.size()) ++at_;
  return token;
}

bool Parser::IsPunctuation(std::string_view text, size_t ahead) const {
  const Token& token = Peek(ahead);
  return token.kind == Token::Kind::kPunctuation && token.text == text;
}

bool Parser::IsWord(std::string_view text, size_t ahead) const {
  const Token& token = Peek(ahead);
  return token.kind == Token::Kind::kWord && token.text == text && !token.id;
}

bool Parser::IsName(size_t ahead) const {
  const Token& token = Peek(ahead);
  if (token.kind == Token::Kind::kQuotedWord) return true;
  return token.kind == Token::Kind::kWord && !IsKeyword(token.text) && !ParseType(token.text);
}

bool Parser::TakePunctuation(std::string_view text) {
  if (!IsPunctuation(text)) return false;
  Next();
  return true;
}

bool Parser::TakeWord(std::string_view text) {
  if (!IsWord(text)) return false;
  Next();
  return true;
}

absl::Status Parser::Expect(std::string_view punctuation) {
  return TakePunctuation(punctuation) ? absl::OkStatus()
                                      : Expected(fmt::format("\"{}\"", punctuation));
}

absl::Status Parser::ExpectWord(std::string_view word) {
  return TakeWord(word) ? absl::OkStatus() : Expected(fmt::format("\"{}\"", word));
}

absl::Status Parser::Expected(std::string_view what) const {
  return Error(Peek(), fmt::format("expected {} but found {}", what, Found(Peek())));
}

absl::Status Parser::Error(const Token& token, std::string_view message) const {
  return ErrorAt(token.line, token.column, message);
}

absl::StatusOr<std::string> Parser::ParseString(std::string_view what) {
  if (pattern_ && IsMeta()) return "$" + Next().text;
  if (Peek().kind != Token::Kind::kString) return Expected(fmt::format("{} in quotes", what));
  return Next().text;
}

absl::StatusOr<std::string> Parser::ParsePath(std::string_view what) {
  if (Peek().kind == Token::Kind::kString) return Next().text;
  std::string path;
  while (true) {
    if (Peek().kind != Token::Kind::kWord || Peek().id) return Expected(what);
    path += Next().text;
    if (!TakePunctuation(".")) return path;
    path += '.';
  }
}

absl::StatusOr<uint64_t> Parser::ParseUnsigned(std::string_view what, uint64_t max) {
  if (Peek().kind != Token::Kind::kInteger) return Expected(what);
  return IntegerValue(Next(), max);
}

absl::StatusOr<int64_t> Parser::ParseSigned(std::string_view what) {
  constexpr auto kMax = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  const bool negative = TakePunctuation("-");
  IRATE_ASSIGN_OR_RETURN(const uint64_t magnitude, ParseUnsigned(what, kMax + (negative ? 1 : 0)));
  return static_cast<int64_t>(negative ? 0 - magnitude : magnitude);
}

absl::StatusOr<ValueType> Parser::ParseTypeWord() {
  if (Peek().kind == Token::Kind::kWord) {
    if (const std::optional<ValueType> type = ParseType(Peek().text)) {
      Next();
      return *type;
    }
  }
  return Expected("a type such as i32 or f32x4");
}

bool Parser::IsCallType(size_t ahead) const {
  const Token& type = Peek(ahead + 1);
  return IsPunctuation("<", ahead) && type.kind == Token::Kind::kWord && ParseType(type.text) &&
         IsPunctuation(">", ahead + 2) && IsPunctuation("(", ahead + 3);
}

absl::StatusOr<ValueType> Parser::ParseCallType() {
  IRATE_RETURN_IF_ERROR(Expect("<"));
  IRATE_ASSIGN_OR_RETURN(const ValueType type, ParseTypeWord());
  IRATE_RETURN_IF_ERROR(Expect(">"));
  return type;
}

absl::StatusOr<uint32_t> Parser::Resolve(const Token& token, const Ids& ids,
                                         std::string_view what) const {
  const auto found = ids.find(token.text);
  if (found == ids.end()) {
    return Error(token, fmt::format("there is no {} {}; declare it at the top of the function",
                                    what, SpellName(token.text)));
  }
  const std::vector<uint32_t>& candidates = found->second;
  if (token.id) {
    for (uint32_t id : candidates) {
      if (id == *token.id) return id;
    }
    return Error(token, fmt::format("{} {} is not called {}", what, *token.id, token.text));
  }
  if (candidates.size() == 1) return candidates[0];
  return Error(token, fmt::format("{} {}s are called {}: write {}#{} for the first of them",
                                  candidates.size(), what, token.text, SpellName(token.text),
                                  candidates[0]));
}

absl::StatusOr<uint32_t> Parser::ParseVariable() {
  if (pattern_) return ParsePatternName(&variables_, /*is_buffer=*/false);
  if (!IsName()) return Expected("the name of a variable");
  return Resolve(Next(), variables_, "variable");
}

absl::StatusOr<uint32_t> Parser::ParseBoundVariable() {
  IRATE_ASSIGN_OR_RETURN(const uint32_t id, ParseVariable());
  if (!TakePunctuation(":")) return id;
  const Token place = Peek();
  IRATE_ASSIGN_OR_RETURN(const ValueType type, ParseTypeWord());
  if (pattern_) return SetPatternType(place, id, type);
  const Variable& variable = function_->variables(static_cast<int>(id));
  if (type.scalar == variable.type() && type.lanes == variable.lanes()) return id;
  return Error(place, fmt::format("{} is declared as {}", variable.name(),
                                  PrintType(variable.type(), variable.lanes())));
}

absl::StatusOr<uint32_t> Parser::ParseBufferName() {
  if (pattern_) return ParsePatternName(&buffers_, /*is_buffer=*/true);
  if (!IsName()) return Expected("the name of a buffer");
  return Resolve(Next(), buffers_, "buffer");
}

absl::Status Parser::Declare(const Token& token, Ids* ids, uint32_t id) const {
  if (token.id && *token.id != id) {
    return Error(token, fmt::format("{} is number {} of its table: write {}#{}, or no number",
                                    token.text, id, SpellName(token.text), id));
  }
  (*ids)[token.text].push_back(id);
  return absl::OkStatus();
}

absl::StatusOr<std::string> Parser::ParseFunctionName() {
  IRATE_RETURN_IF_ERROR(Expect("@"));
  if (!IsName() || Peek().id) return Expected("the name of a function");
  return Next().text;
}

}  // namespace irate::text
