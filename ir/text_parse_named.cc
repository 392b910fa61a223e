// Expressions that begin with a name: variables, elements of buffers, operators in the form of
// calls, intrinsics.
#include <limits>

#include "fmt/format.h"
#include "ir/intrinsics.h"
#include "ir/status_macros.h"
#include "ir/text_parser.h"
#include "ir/text_printer.h"
#include "ir/types.h"

namespace irate::text {
namespace {

Expr MakeExpr(Op op, ScalarType type = VOID, uint32_t lanes = 0) {
  Expr expr;
  expr.set_op(op);
  expr.set_type(type);
  expr.set_lanes(lanes);
  return expr;
}

// Of a scalar, lanes are 0. Too many stay too many for the verifier to report.
uint32_t CanonicalLanes(uint64_t lanes) {
  if (lanes <= 1) return 0;
  return static_cast<uint32_t>(std::min<uint64_t>(lanes, std::numeric_limits<uint32_t>::max()));
}

}  // namespace

absl::Status Parser::ParseArgs(std::string_view open, std::string_view close, Node* node) {
  IRATE_RETURN_IF_ERROR(Expect(open));
  if (TakePunctuation(close)) return absl::OkStatus();
  do {
    IRATE_ASSIGN_OR_RETURN(Node arg, ParseNode(kLoosest));
    IRATE_RETURN_IF_ERROR(AddArg(std::move(arg), node));
  } while (TakePunctuation(","));
  return TakePunctuation(close) ? absl::OkStatus()
                                : Expected(fmt::format("\",\" or \"{}\"", close));
}

absl::StatusOr<Parser::Node> Parser::ParseNamed() {
  const bool is_word = Peek().kind == Token::Kind::kWord && !Peek().id;
  const std::string word = Peek().text;
  if (is_word && IsPunctuation("(", 1)) {
    if (word == "ramp") return ParseVectorOp(RAMP);
    if (word == "broadcast") return ParseVectorOp(BROADCAST);
    if (word == "shuffle") return ParseShuffle();
    if (const Prefix* prefix = FindPrefix(std::string_view(word))) return ParsePrefix(*prefix);
    return ParseCall();
  }
  if (is_word && IsPunctuation("<", 1) && IsCallType(1)) {
    return word == "reinterpret" ? ParseReinterpret() : ParseCall();
  }
  if (is_word && word == "call" &&
      (Peek(1).kind == Token::Kind::kString || (pattern_ && IsMeta(1)))) {
    return ParseCall();
  }
  Node node;
  if (IsPunctuation("[", 1)) {
    IRATE_ASSIGN_OR_RETURN(const uint32_t id, ParseBufferName());
    const Buffer& buffer = function_->buffers(static_cast<int>(id));
    node.expr = MakeExpr(LOAD, buffer.type());
    node.expr.set_id(id);
    IRATE_RETURN_IF_ERROR(ParseArgs("[", "]", &node));
    const int count = node.expr.args_size();
    const uint64_t lanes = count == 0 ? 1 : Lanes(node.expr.args(count - 1).lanes());
    node.expr.set_lanes(CanonicalLanes(lanes * Lanes(buffer.lanes())));
    return node;
  }
  if (IsPunctuation(".", 1)) {
    IRATE_ASSIGN_OR_RETURN(const uint32_t id, ParseBufferName());
    Next();
    IRATE_RETURN_IF_ERROR(ExpectWord("data"));
    node.expr = MakeExpr(BUFFER_DATA, HANDLE);
    node.expr.set_id(id);
    return node;
  }
  IRATE_ASSIGN_OR_RETURN(const uint32_t id, ParseVariable());
  const Variable& variable = function_->variables(static_cast<int>(id));
  node.expr = MakeExpr(VAR, variable.type(), variable.lanes());
  node.expr.set_id(id);
  return node;
}

absl::StatusOr<Parser::Node> Parser::ParseLet() {
  Next();
  Node node;
  node.expr = MakeExpr(LET);
  IRATE_ASSIGN_OR_RETURN(const uint32_t id, ParseBoundVariable());
  node.expr.set_id(id);
  IRATE_RETURN_IF_ERROR(Expect("="));
  IRATE_ASSIGN_OR_RETURN(Node value, ParseNode(kLoosest));
  IRATE_RETURN_IF_ERROR(AddArg(std::move(value), &node));
  IRATE_RETURN_IF_ERROR(ExpectWord("in"));
  IRATE_ASSIGN_OR_RETURN(Node body, ParseNode(kLoosest));
  node.expr.set_type(body.expr.type());
  node.expr.set_lanes(body.expr.lanes());
  IRATE_RETURN_IF_ERROR(AddArg(std::move(body), &node));
  return node;
}

absl::StatusOr<Parser::Node> Parser::ParsePrefix(const Prefix& prefix) {
  const Token place = Next();
  Node node;
  node.expr = MakeExpr(prefix.op);
  IRATE_RETURN_IF_ERROR(ParseArgs("(", ")", &node));
  const bool is_choice = prefix.op == SELECT || prefix.op == IF_THEN_ELSE;
  const int wanted = is_choice ? 3 : 2;
  if (node.expr.args_size() != wanted) {
    return Error(place, fmt::format("{} takes {} operands, not {}", prefix.name, wanted,
                                    node.expr.args_size()));
  }
  const Expr& value = node.expr.args(wanted - 2);
  node.expr.set_type(value.type());
  node.expr.set_lanes(value.lanes());
  return node;
}

absl::StatusOr<Parser::Node> Parser::ParseCast(ScalarType type) {
  const Token place = Next();
  Node node;
  node.expr = MakeExpr(CAST, type);
  IRATE_RETURN_IF_ERROR(ParseArgs("(", ")", &node));
  if (node.expr.args_size() != 1) return Error(place, "a cast takes one operand");
  node.expr.set_lanes(node.expr.args(0).lanes());
  return node;
}

absl::StatusOr<Parser::Node> Parser::ParseReinterpret() {
  const Token place = Next();
  IRATE_ASSIGN_OR_RETURN(const ValueType type, ParseCallType());
  Node node;
  node.expr = MakeExpr(REINTERPRET, type.scalar, type.lanes);
  IRATE_RETURN_IF_ERROR(ParseArgs("(", ")", &node));
  if (node.expr.args_size() != 1) return Error(place, "reinterpret takes one operand");
  return node;
}

absl::StatusOr<Parser::Node> Parser::ParseVectorOp(Op op) {
  Next();
  IRATE_RETURN_IF_ERROR(Expect("("));
  Node node;
  node.expr = MakeExpr(op);
  for (int i = 0; i < (op == RAMP ? 2 : 1); ++i) {
    IRATE_ASSIGN_OR_RETURN(Node arg, ParseNode(kLoosest));
    IRATE_RETURN_IF_ERROR(AddArg(std::move(arg), &node));
    IRATE_RETURN_IF_ERROR(Expect(","));
  }
  if (pattern_ && IsMeta()) {
    node.expr.set_name("$" + Next().text);
    node.expr.set_type(node.expr.args(0).type());
    IRATE_RETURN_IF_ERROR(Expect(")"));
    return node;
  }
  IRATE_ASSIGN_OR_RETURN(const uint64_t lanes, ParseUnsigned("the number of lanes",
                                                             std::numeric_limits<uint32_t>::max()));
  node.expr.set_lanes(static_cast<uint32_t>(lanes));
  node.expr.set_type(node.expr.args(0).type());
  IRATE_RETURN_IF_ERROR(Expect(")"));
  return node;
}

absl::StatusOr<Parser::Node> Parser::ParseShuffle() {
  const Token place = Next();
  IRATE_RETURN_IF_ERROR(Expect("("));
  Node node;
  node.expr = MakeExpr(SHUFFLE);
  IRATE_RETURN_IF_ERROR(ParseArgs("[", "]", &node));
  if (node.expr.args_size() == 0) return Error(place, "shuffle takes at least one vector");
  IRATE_RETURN_IF_ERROR(Expect(","));
  IRATE_RETURN_IF_ERROR(Expect("["));
  while (!IsPunctuation("]")) {
    IRATE_ASSIGN_OR_RETURN(const int64_t index, ParseSigned("the number of an element"));
    node.expr.add_int_list(index);
    if (!TakePunctuation(",")) break;
  }
  IRATE_RETURN_IF_ERROR(Expect("]"));
  IRATE_RETURN_IF_ERROR(Expect(")"));
  node.expr.set_type(node.expr.args(0).type());
  node.expr.set_lanes(CanonicalLanes(static_cast<uint64_t>(node.expr.int_list_size())));
  return node;
}

absl::StatusOr<Parser::Node> Parser::ParseCall() {
  const Token place = Peek();
  Node node;
  node.expr = MakeExpr(CALL);
  if (IsPunctuation("@")) {
    IRATE_ASSIGN_OR_RETURN(const std::string name, ParseFunctionName());
    node.expr.set_name("@" + name);
  } else if (IsWord("call") && (Peek(1).kind == Token::Kind::kString || (pattern_ && IsMeta(1)))) {
    Next();
    IRATE_ASSIGN_OR_RETURN(*node.expr.mutable_name(), ParseString("the callee"));
  } else {
    node.expr.set_name(Next().text);
    if (FindIntrinsic(node.expr.name()) == nullptr) {
      return Error(place, fmt::format("there is no intrinsic {0}; a call of something unknown is "
                                      "call \"{0}\"<type>(...)",
                                      node.expr.name()));
    }
  }
  const bool has_type = IsPunctuation("<");
  ValueType type;
  if (has_type) {
    IRATE_ASSIGN_OR_RETURN(type, ParseCallType());
  }
  IRATE_RETURN_IF_ERROR(ParseArgs("(", ")", &node));
  if (!has_type) {
    type = ImpliedCallType(node.expr.name(),
                           node.expr.args_size() == 0 ? nullptr : &node.expr.args(0));
  }
  node.expr.set_type(type.scalar);
  node.expr.set_lanes(type.lanes);
  return node;
}

}  // namespace irate::text
