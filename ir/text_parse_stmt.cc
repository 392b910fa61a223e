#include "fmt/format.h"
#include "ir/status_macros.h"
#include "ir/text_parser.h"
#include "ir/verify.h"

namespace irate::text {

absl::Status Parser::ParseBody(Stmts* body) {
  IRATE_RETURN_IF_ERROR(Expect("{"));
  while (!TakePunctuation("}")) {
    if (Peek().kind == Token::Kind::kEnd) return Expected("a statement or \"}\"");
    IRATE_RETURN_IF_ERROR(ParseStmt(body->Add()));
  }
  return absl::OkStatus();
}

absl::Status Parser::ParseArg(Stmt* stmt) {
  IRATE_ASSIGN_OR_RETURN(*stmt->add_args(), ParseExpr());
  return absl::OkStatus();
}

absl::Status Parser::ParseStmt(Stmt* stmt) {
  if (stmt_depth_ >= kMaxDepth) {
    return Error(Peek(), fmt::format("statements are nested more than {} deep", kMaxDepth));
  }
  ++stmt_depth_;
  absl::Status status = ParseStmtOfKind(stmt);
  --stmt_depth_;
  return status;
}

absl::Status Parser::ParseStmtOfKind(Stmt* stmt) {
  if (IsWord("for")) return ParseFor(stmt);
  if (IsWord("if")) return ParseIf(stmt);
  if (IsWord("block")) return ParseBlock(stmt);
  if (IsWord("assert")) return ParseAssert(stmt);
  if (IsWord("attr")) return ParseAttr(stmt);
  if (IsWord("return")) return ParseReturn(stmt);
  if (TakeWord("while")) {
    stmt->set_kind(WHILE);
    IRATE_RETURN_IF_ERROR(ParseArg(stmt));
    return ParseBody(stmt->mutable_body());
  }
  if (TakeWord("let")) {
    stmt->set_kind(BIND);
    IRATE_ASSIGN_OR_RETURN(const uint32_t id, ParseBoundVariable());
    stmt->set_id(id);
    IRATE_RETURN_IF_ERROR(Expect("="));
    return ParseArg(stmt);
  }
  if (TakeWord("alloc")) {
    stmt->set_kind(ALLOC);
    IRATE_ASSIGN_OR_RETURN(const uint32_t id, ParseBufferName());
    stmt->set_id(id);
    return ParseAttributes(stmt->mutable_annotations());
  }
  if (TakeWord("decl")) {
    stmt->set_kind(DECL_BUFFER);
    IRATE_ASSIGN_OR_RETURN(const uint32_t id, ParseBufferName());
    stmt->set_id(id);
    IRATE_RETURN_IF_ERROR(Expect("="));
    return ParseArg(stmt);
  }
  if (TakeWord("eval")) {
    stmt->set_kind(EVALUATE);
    return ParseArg(stmt);
  }
  if (TakeWord("barrier")) {
    stmt->set_kind(BARRIER);
    IRATE_ASSIGN_OR_RETURN(*stmt->mutable_name(), ParseString("a storage scope"));
    return absl::OkStatus();
  }
  if (IsWord("break") || IsWord("continue")) {
    stmt->set_kind(Next().text == "break" ? BREAK : CONTINUE);
    return absl::OkStatus();
  }
  if (pattern_ && IsMeta() && !IsStoreToMeta()) return ParseStmtMeta(stmt);
  if (IsName() || (pattern_ && IsMeta())) return ParseStore(stmt);
  return Expected("a statement");
}

absl::Status Parser::ParseFor(Stmt* stmt) {
  Next();
  stmt->set_kind(FOR);
  IRATE_ASSIGN_OR_RETURN(const uint32_t id, ParseBoundVariable());
  stmt->set_id(id);
  IRATE_RETURN_IF_ERROR(ExpectWord("in"));
  Expr* min = stmt->add_args();
  Expr* extent = stmt->add_args();
  IRATE_RETURN_IF_ERROR(ParseRange(min, extent));
  if (TakeWord("step")) {
    IRATE_ASSIGN_OR_RETURN(*stmt->add_args(), ParseExpr(kOr));
  }
  if (pattern_ && (IsMeta() || IsWord("any"))) {
    stmt->set_name(IsMeta() ? "$" + Peek().text : "any");
    Next();
  } else if (TakeWord("parallel")) {
    stmt->set_loop_kind(PARALLEL);
  } else if (TakeWord("vectorized")) {
    stmt->set_loop_kind(VECTORIZED);
  } else if (TakeWord("unrolled")) {
    stmt->set_loop_kind(UNROLLED);
  } else if (TakeWord("bind")) {
    stmt->set_loop_kind(THREAD_BINDING);
    IRATE_ASSIGN_OR_RETURN(*stmt->mutable_thread_tag(), ParseString("a thread tag"));
  }
  IRATE_RETURN_IF_ERROR(ParseAttributes(stmt->mutable_annotations()));
  return ParseBody(stmt->mutable_body());
}

absl::Status Parser::ParseIf(Stmt* stmt) {
  Next();
  stmt->set_kind(IF);
  IRATE_RETURN_IF_ERROR(ParseArg(stmt));
  IRATE_RETURN_IF_ERROR(ParseBody(stmt->mutable_body()));
  if (!TakeWord("else")) return absl::OkStatus();
  if (IsWord("if")) return ParseStmt(stmt->add_orelse());
  return ParseBody(stmt->mutable_orelse());
}

absl::Status Parser::ParseStore(Stmt* stmt) {
  if (!IsPunctuation("[", 1)) {
    return Expected("a statement (a store is A[i] = value, a binding let x = value)");
  }
  stmt->set_kind(STORE);
  IRATE_ASSIGN_OR_RETURN(const uint32_t id, ParseBufferName());
  stmt->set_id(id);
  Expr* value = stmt->add_args();
  IRATE_RETURN_IF_ERROR(Expect("["));
  if (!TakePunctuation("]")) {
    do {
      IRATE_RETURN_IF_ERROR(ParseArg(stmt));
    } while (TakePunctuation(","));
    IRATE_RETURN_IF_ERROR(Expect("]"));
  }
  IRATE_RETURN_IF_ERROR(Expect("="));
  IRATE_ASSIGN_OR_RETURN(*value, ParseExpr());
  return absl::OkStatus();
}

absl::Status Parser::ParseAssert(Stmt* stmt) {
  Next();
  stmt->set_kind(ASSERT);
  IRATE_RETURN_IF_ERROR(ParseArg(stmt));
  if (pattern_ && !IsPunctuation(",")) return absl::OkStatus();
  IRATE_RETURN_IF_ERROR(Expect(","));
  IRATE_ASSIGN_OR_RETURN(*stmt->mutable_name(), ParseString("the kind of error"));
  while (TakePunctuation(",")) {
    IRATE_ASSIGN_OR_RETURN(*stmt->add_strings(), ParseString("a part of the message"));
  }
  return absl::OkStatus();
}

absl::Status Parser::ParseAttr(Stmt* stmt) {
  Next();
  stmt->set_kind(ATTR);
  IRATE_ASSIGN_OR_RETURN(*stmt->mutable_name(), ParseString("the attribute's key"));
  if (IsWord("on")) {
    Next();
    AttrNode* node = stmt->mutable_attr_node();
    if (TakeWord("buffer")) {
      IRATE_ASSIGN_OR_RETURN(const uint32_t id, ParseBufferName());
      node->set_buffer(id);
    } else if (TakeWord("var")) {
      IRATE_ASSIGN_OR_RETURN(const uint32_t id, ParseVariable());
      node->set_variable(id);
    } else if (TakeWord("thread")) {
      IRATE_ASSIGN_OR_RETURN(const uint32_t id, ParseBoundVariable());
      node->set_thread_variable(id);
      IRATE_ASSIGN_OR_RETURN(*node->mutable_thread_tag(), ParseString("a thread tag"));
    } else if (Peek().kind == Token::Kind::kString) {
      node->set_text(Next().text);
    } else {
      return Expected("\"buffer\", \"var\", \"thread\" or a string");
    }
  }
  IRATE_RETURN_IF_ERROR(Expect("="));
  IRATE_RETURN_IF_ERROR(ParseArg(stmt));
  return ParseBody(stmt->mutable_body());
}

absl::Status Parser::ParseReturn(Stmt* stmt) {
  const int line = Next().line;
  stmt->set_kind(RETURN);
  // The value stands on the same line: what follows on the next one is another statement.
  if (Peek().line != line || IsPunctuation("}") || Peek().kind == Token::Kind::kEnd) {
    return absl::OkStatus();
  }
  return ParseArg(stmt);
}

}  // namespace irate::text
