#include "fmt/format.h"
#include "ir/ops.h"
#include "ir/status_macros.h"
#include "ir/text_parser.h"
#include "ir/types.h"
#include "ir/verify.h"

namespace irate::text {
namespace {

// A verified expression needs at most two levels of recursion for one of its own: parentheses and
// the operand in them.
constexpr int kMaxRecursion = 2 * kMaxDepth + 50;

Expr MakeExpr(Op op, ValueType type) {
  Expr expr;
  expr.set_op(op);
  expr.set_type(type.scalar);
  expr.set_lanes(type.lanes);
  return expr;
}

ValueType TypeOf(const Expr& expr) { return {expr.type(), expr.lanes()}; }
}  // namespace

absl::StatusOr<Expr> Parser::ParseExpr(Precedence context) {
  IRATE_ASSIGN_OR_RETURN(Node node, ParseNode(context));
  return std::move(node.expr);
}

absl::Status Parser::AddArg(Node arg, Node* node) {
  *node->expr.add_args() = std::move(arg.expr);
  node->depth = std::max(node->depth, arg.depth + 1);
  if (node->depth <= kMaxDepth) return absl::OkStatus();
  return Error(Peek(), fmt::format("the expression is nested more than {} deep", kMaxDepth));
}

absl::Status Parser::Enter() {
  if (depth_ < kMaxRecursion) {
    ++depth_;
    return absl::OkStatus();
  }
  return Error(Peek(), fmt::format("the expression is nested more than {} deep", kMaxDepth));
}

absl::StatusOr<Parser::Node> Parser::ParseNode(Precedence context) {
  IRATE_RETURN_IF_ERROR(Enter());
  absl::StatusOr<Node> result =
      context == kLoosest && IsWord("let") ? ParseLet() : ParseBinary(context);
  --depth_;
  return result;
}

absl::StatusOr<Parser::Node> Parser::ParseBinary(Precedence context) {
  IRATE_ASSIGN_OR_RETURN(Node left, ParseUnary());
  while (Peek().kind == Token::Kind::kPunctuation) {
    const Infix* infix = FindInfix(Peek().text);
    if (infix == nullptr || infix->precedence < context) break;
    Next();
    IRATE_ASSIGN_OR_RETURN(Node right, ParseNode(static_cast<Precedence>(infix->precedence + 1)));
    Node both;
    const ValueType type = TypeOf(left.expr);
    both.expr = MakeExpr(infix->op, {IsComparison(infix->op) ? BOOL : type.scalar, type.lanes});
    IRATE_RETURN_IF_ERROR(AddArg(std::move(left), &both));
    IRATE_RETURN_IF_ERROR(AddArg(std::move(right), &both));
    left = std::move(both);
    const bool ends_comparison =
        infix->precedence == kCompare && Peek().kind == Token::Kind::kPunctuation;
    const Infix* next = ends_comparison ? FindInfix(Peek().text) : nullptr;
    if (next != nullptr && next->precedence == kCompare) {
      return Error(Peek(), "comparisons do not chain: use parentheses or &&");
    }
  }
  return left;
}

absl::StatusOr<Parser::Node> Parser::ParseUnary() {
  const bool is_not = IsPunctuation("!");
  if (!is_not && !IsPunctuation("~")) return ParsePrimary();
  Next();
  IRATE_RETURN_IF_ERROR(Enter());
  absl::StatusOr<Node> operand = ParseUnary();
  --depth_;
  IRATE_RETURN_IF_ERROR(operand.status());
  Node node;
  node.expr = MakeExpr(is_not ? NOT : BIT_NOT, TypeOf(operand->expr));
  IRATE_RETURN_IF_ERROR(AddArg(*std::move(operand), &node));
  return node;
}

absl::StatusOr<Parser::Node> Parser::ParsePrimary() {
  const Token& token = Peek();
  switch (token.kind) {
    case Token::Kind::kInteger:
    case Token::Kind::kFloat:
      return ParseNumber();
    case Token::Kind::kString: {
      Node node;
      node.expr = MakeExpr(STRING, {VOID, 0});
      node.expr.set_name(Next().text);
      return node;
    }
    case Token::Kind::kPunctuation: {
      if (token.text == "-") {
        const Token& next = Peek(1);
        const bool is_number =
            next.kind == Token::Kind::kInteger || next.kind == Token::Kind::kFloat ||
            (next.kind == Token::Kind::kWord && (next.text == "inf" || next.text == "nan"));
        if (is_number) return ParseNumber();
        return Error(token, "a minus sign stands before numbers only: write 0 - x");
      }
      if (token.text == "@") return ParseCall();
      if (token.text == "(") {
        Next();
        IRATE_ASSIGN_OR_RETURN(Node node, ParseNode(kLoosest));
        IRATE_RETURN_IF_ERROR(Expect(")"));
        return node;
      }
      return Expected("an expression");
    }
    case Token::Kind::kWord: {
      if (token.text == "inf" || token.text == "nan") return ParseNumber();
      if (token.text == "true" || token.text == "false") {
        Node node;
        node.expr = MakeExpr(CONST, {BOOL, 0});
        node.expr.set_int_value(Next().text == "true" ? 1 : 0);
        return node;
      }
      const std::optional<ValueType> type = ParseType(token.text);
      if (type && type->lanes == 0) return ParseCast(type->scalar);
      if (type)
        return Error(token, "a cast names the element type only: f32(x) has the lanes of x");
      if (IsKeyword(token.text)) return Expected("an expression");
      return ParseNamed();
    }
    case Token::Kind::kQuotedWord:
      return ParseNamed();
    case Token::Kind::kMeta:
      if (pattern_) return ParseMeta();
      return Error(token, "$ names stand in patterns only");
    case Token::Kind::kEnd:
      break;
  }
  return Expected("an expression");
}

}  // namespace irate::text
