// The recursive-descent parser of the text form; its rules are spread over text_parse_expr.cc,
// text_parse_stmt.cc, text_parse_module.cc and text_parse_case.cc.
//
// It resolves names and derives the types of expressions from their operands, and leaves the rest
// to the verifier: what it accepts may be ill typed. Nesting is limited, so that no text exhausts
// the stack, neither here nor in whoever walks the result.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"
#include "ir/text_lexer.h"
#include "ir/text_words.h"

namespace irate::text {

class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

  absl::Status ParseModule(Module* module);  // to the end of the text
  absl::Status ParseCase(Case* test_case);

  // Patterns of rewrite rules (docs/faults.md); ir/text_parse_pattern.cc. Names are entries of the
  // tables of `names`, made at first use. `expr` or `stmts` is filled.
  absl::Status ParsePattern(Function* names, Expr* expr,
                            google::protobuf::RepeatedPtrField<Stmt>* stmts);

 protected:
  struct Node {
    Expr expr;
    int depth = 1;
  };
  using Attributes = google::protobuf::RepeatedPtrField<Attribute>;
  using Exprs = google::protobuf::RepeatedPtrField<Expr>;
  using Stmts = google::protobuf::RepeatedPtrField<Stmt>;
  using Strings = google::protobuf::RepeatedPtrField<std::string>;
  using Ids = std::unordered_map<std::string, std::vector<uint32_t>>;

  // Tokens.
  const Token& Peek(size_t ahead = 0) const;
  Token Next();
  bool IsPunctuation(std::string_view text, size_t ahead = 0) const;
  bool IsWord(std::string_view text, size_t ahead = 0) const;
  bool IsName(size_t ahead = 0) const;  // a word that may be a name, keywords excluded
  bool TakePunctuation(std::string_view text);
  bool TakeWord(std::string_view text);
  absl::Status Expect(std::string_view punctuation);
  absl::Status ExpectWord(std::string_view word);
  // "expected X but found Y", at the next token.
  absl::Status Expected(std::string_view what) const;
  absl::Status Error(const Token& token, std::string_view message) const;
  absl::StatusOr<std::string> ParseString(std::string_view what);
  absl::StatusOr<std::string> ParsePath(std::string_view what);
  absl::StatusOr<int64_t> ParseSigned(std::string_view what);
  absl::StatusOr<uint64_t> ParseUnsigned(std::string_view what, uint64_t max);
  absl::StatusOr<uint64_t> IntegerValue(const Token& token, uint64_t max) const;
  absl::StatusOr<ValueType> ParseTypeWord();
  absl::StatusOr<ValueType> ParseCallType();  // "<f32x4>", VOID if there is none
  bool IsCallType(size_t ahead) const;

  // Names.
  absl::StatusOr<uint32_t> ParseVariable();
  absl::StatusOr<uint32_t> ParseBoundVariable();  // with ": type" or without
  absl::StatusOr<uint32_t> ParseBufferName();
  absl::StatusOr<uint32_t> Resolve(const Token& token, const Ids& ids, std::string_view what) const;
  absl::StatusOr<std::string> ParseFunctionName();
  absl::Status Declare(const Token& token, Ids* ids, uint32_t id) const;

  // text_parse_expr.cc
  absl::StatusOr<Expr> ParseExpr(Precedence context = kLoosest);
  absl::StatusOr<Node> ParseNode(Precedence context);
  absl::StatusOr<Node> ParseBinary(Precedence context);
  absl::StatusOr<Node> ParseUnary();
  absl::StatusOr<Node> ParsePrimary();
  absl::Status AddArg(Node arg, Node* node);
  absl::Status Enter();  // one level of recursion; `--depth_` leaves it
  // text_parse_named.cc
  absl::StatusOr<Node> ParseNamed();
  absl::StatusOr<Node> ParseLet();
  absl::StatusOr<Node> ParsePrefix(const Prefix& prefix);
  absl::StatusOr<Node> ParseCast(ScalarType type);
  absl::StatusOr<Node> ParseReinterpret();
  absl::StatusOr<Node> ParseVectorOp(Op op);
  absl::StatusOr<Node> ParseShuffle();
  absl::StatusOr<Node> ParseCall();
  absl::Status ParseArgs(std::string_view open, std::string_view close, Node* node);
  // text_parse_literal.cc
  absl::StatusOr<Node> ParseNumber();
  absl::StatusOr<Node> ParseNan(bool negative);
  absl::StatusOr<ScalarType> ParseSuffix(ScalarType otherwise);
  absl::Status ParseRange(Expr* min, Expr* extent);
  // From the ".." or "+:" after *min on.
  absl::Status FinishRange(const Token& start, Expr* min, Expr* extent);

  // text_parse_stmt.cc
  absl::Status ParseBody(Stmts* body);  // "{" statements "}"
  absl::Status ParseStmt(Stmt* stmt);
  absl::Status ParseStmtOfKind(Stmt* stmt);
  absl::Status ParseFor(Stmt* stmt);
  absl::Status ParseIf(Stmt* stmt);
  absl::Status ParseStore(Stmt* stmt);
  absl::Status ParseAssert(Stmt* stmt);
  absl::Status ParseAttr(Stmt* stmt);
  absl::Status ParseReturn(Stmt* stmt);
  absl::Status ParseArg(Stmt* stmt);
  // text_parse_block.cc
  absl::Status ParseBlock(Stmt* stmt);
  absl::StatusOr<bool> ParseBlockClause(Block* block, Strings* clauses);
  absl::Status ParseIter(BlockIter* iter);
  absl::Status ParseRegion(BufferRegion* region);
  absl::Status ParseRegions(google::protobuf::RepeatedPtrField<BufferRegion>* regions);
  absl::Status ParseAttributes(Attributes* attributes);

  // text_parse_module.cc
  absl::Status ParseFunction(Function* function);
  absl::Status ParseParams(std::vector<std::pair<ParamKind, Token>>* params);
  absl::Status ResolveParams(const std::vector<std::pair<ParamKind, Token>>& params);
  absl::Status ParseVariables();
  absl::Status ParseBufferDeclaration();

  // text_parse_case.cc
  absl::Status ParseSection(Case* test_case, std::vector<Token>* dims);
  absl::Status ParseInputs(Inputs* inputs, std::vector<Token>* dims);
  absl::Status ParseSchedule(Schedule* schedule);
  absl::Status ParsePasses(PassSequence* passes);
  absl::Status ParseStrings(google::protobuf::RepeatedPtrField<std::string>* strings);
  absl::Status ParseConstants(Exprs* exprs);
  absl::Status ResolveDims(const std::vector<Token>& dims, Case* test_case);

  // text_parse_pattern.cc
  bool IsMeta(size_t ahead = 0) const { return Peek(ahead).kind == Token::Kind::kMeta; }
  absl::StatusOr<uint32_t> ParsePatternName(Ids* ids, bool is_buffer);
  absl::StatusOr<uint32_t> SetPatternType(const Token& place, uint32_t id, ValueType type);
  static void MarkUntyped(bool is_integer, Expr* expr);
  absl::StatusOr<Node> ParseMeta();
  absl::Status ParseSubstitutions(Exprs* pairs);
  bool IsSubstitution(size_t ahead) const;  // "[ $x :="
  bool IsStoreToMeta() const;
  absl::Status ParseStmtMeta(Stmt* stmt);

  std::vector<Token> tokens_;
  size_t at_ = 0;
  int depth_ = 0;       // of the parser's own recursion in expressions
  int stmt_depth_ = 0;  // of statements
  bool pattern_ = false;
  Function* function_ = nullptr;
  Ids variables_;
  Ids buffers_;
};

}  // namespace irate::text
