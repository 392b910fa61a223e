// A pattern as the parser leaves it; ir/text_parse_pattern.cc says how metavariables are held.
#pragma once

#include "ir/irate.pb.h"
#include "ir/visit.h"

namespace irate::rewrite {

struct Pattern {
  bool is_stmts = false;
  Expr expr;
  StmtList stmts;
};

// The name of a metavariable that a table entry or text stands for, without "$"; empty for a name
// of the program.
inline std::string MetaName(const std::string& spelling) {
  return !spelling.empty() && spelling[0] == '$' ? spelling.substr(1) : "";
}
inline bool IsMeta(const Expr& expr) { return expr.op() == OP_INVALID; }
inline bool IsMetaList(const Expr& expr) { return IsMeta(expr) && expr.int_value() == 1; }
inline bool IsMeta(const Stmt& stmt) { return stmt.kind() == STMT_INVALID; }
inline bool IsMetaList(const Stmt& stmt) { return IsMeta(stmt) && stmt.id() == 1; }
// A literal without a suffix.
inline bool IsUntyped(const Expr& expr) { return expr.op() == CONST && expr.type() == VOID; }

}  // namespace irate::rewrite
