// Patterns: the text form with metavariables.
//
// How they are held in the messages, which only ir/rewrite reads:
//  * "$x" as an expression: op OP_INVALID, name "x"; int_value 1 for "$x...", a list; `args` are
//    substitutions, a target and its replacement in turn. `type` and `lanes` where "$x:f32" asks.
//  * "$t(x)", a cast to any type: CAST with name "$t".
//  * "$s" as a statement: STMT_INVALID, name "s", id 1 for "$s...", args as above.
//  * Variables and buffers: entries of the tables, named "$i" or, for names of the program, "i".
//  * Texts: "$s". Loop kinds: Stmt.name "$k" or "any". Lanes of ramp and broadcast: Expr.name "$n".
//  * Literals without a suffix: type VOID; name "float" if they are floats.
//  * Clauses that a block states: Stmt.strings.
#include "fmt/format.h"
#include "ir/status_macros.h"
#include "ir/text_parser.h"

namespace irate::text {

absl::Status Parser::ParsePattern(Function* names, Expr* expr, Stmts* stmts) {
  pattern_ = true;
  function_ = names;
  variables_.clear();
  buffers_.clear();
  for (int i = 0; i < names->variables_size(); ++i) {
    variables_[names->variables(i).name()].push_back(static_cast<uint32_t>(i));
  }
  for (int i = 0; i < names->buffers_size(); ++i) {
    buffers_[names->buffers(i).name()].push_back(static_cast<uint32_t>(i));
  }
  absl::Status status;
  if (IsPunctuation("{")) {
    status = ParseBody(stmts);
  } else {
    absl::StatusOr<Expr> parsed = ParseExpr();
    status = parsed.status();
    if (parsed.ok()) *expr = *std::move(parsed);
  }
  pattern_ = false;
  function_ = nullptr;
  return status;
}

absl::StatusOr<uint32_t> Parser::ParsePatternName(Ids* ids, bool is_buffer) {
  if (!IsMeta() && !IsName()) {
    return Expected(is_buffer ? "a buffer: $A, or a name of the program"
                              : "a variable: $i, or a name of the program");
  }
  const bool is_meta = IsMeta();
  const std::string name = is_meta ? "$" + Next().text : Next().text;
  std::vector<uint32_t>& found = (*ids)[name];
  if (!found.empty()) return found[0];
  if (is_buffer) {
    found.push_back(static_cast<uint32_t>(function_->buffers_size()));
    function_->add_buffers()->set_name(name);
  } else {
    found.push_back(static_cast<uint32_t>(function_->variables_size()));
    function_->add_variables()->set_name(name);
  }
  return found[0];
}

absl::StatusOr<uint32_t> Parser::SetPatternType(const Token& place, uint32_t id, ValueType type) {
  Variable* variable = function_->mutable_variables(static_cast<int>(id));
  if (variable->type() != VOID &&
      (variable->type() != type.scalar || variable->lanes() != type.lanes)) {
    return Error(place, fmt::format("{} was given another type before", variable->name()));
  }
  variable->set_type(type.scalar);
  variable->set_lanes(type.lanes);
  return id;
}

void Parser::MarkUntyped(bool is_integer, Expr* expr) {
  expr->set_type(VOID);
  if (!is_integer) expr->set_name("float");
}

bool Parser::IsSubstitution(size_t ahead) const {
  return IsPunctuation("[", ahead) && (IsMeta(ahead + 1) || IsName(ahead + 1)) &&
         IsPunctuation(":=", ahead + 2);
}

absl::Status Parser::ParseSubstitutions(Exprs* pairs) {
  IRATE_RETURN_IF_ERROR(Expect("["));
  do {
    if (!IsMeta()) return Expected("$x, the metavariable to replace");
    Expr* target = pairs->Add();
    target->set_name(Next().text);
    IRATE_RETURN_IF_ERROR(Expect(":="));
    IRATE_ASSIGN_OR_RETURN(*pairs->Add(), ParseExpr());
  } while (TakePunctuation(","));
  return Expect("]");
}

absl::StatusOr<Parser::Node> Parser::ParseMeta() {
  if (IsPunctuation("[", 1) && !IsSubstitution(1)) return ParseNamed();
  if (IsPunctuation(".", 1)) return ParseNamed();
  Node node;
  if (IsPunctuation("(", 1)) {
    node.expr.set_op(CAST);
    node.expr.set_name("$" + Next().text);
    const Token place = Peek();
    IRATE_RETURN_IF_ERROR(ParseArgs("(", ")", &node));
    if (node.expr.args_size() == 1) return node;
    return Error(place, "$t(x) is a cast to any type; a call of anything is call $f($x...)");
  }
  node.expr.set_name(Next().text);
  if (IsPunctuation("[")) {
    IRATE_RETURN_IF_ERROR(ParseSubstitutions(node.expr.mutable_args()));
  }
  if (TakePunctuation("...")) {
    node.expr.set_int_value(1);
  } else if (IsPunctuation(":") && Peek(1).kind == Token::Kind::kWord && ParseType(Peek(1).text)) {
    Next();
    IRATE_ASSIGN_OR_RETURN(const ValueType type, ParseTypeWord());
    node.expr.set_type(type.scalar);
    node.expr.set_lanes(type.lanes);
  }
  return node;
}

bool Parser::IsStoreToMeta() const { return IsPunctuation("[", 1) && !IsSubstitution(1); }

absl::Status Parser::ParseStmtMeta(Stmt* stmt) {
  stmt->set_name(Next().text);
  if (IsPunctuation("[")) {
    IRATE_RETURN_IF_ERROR(ParseSubstitutions(stmt->mutable_args()));
  }
  if (TakePunctuation("...")) stmt->set_id(1);
  return absl::OkStatus();
}

}  // namespace irate::text
