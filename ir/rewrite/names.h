// Small facts that matching and filling in share.
#pragma once

#include <algorithm>
#include <string_view>

#include "ir/irate.pb.h"

namespace irate::rewrite {

inline Expr VariableExpr(const Function& function, uint32_t id) {
  const Variable& variable = function.variables(static_cast<int>(id));
  Expr expr;
  expr.set_op(VAR);
  expr.set_type(variable.type());
  expr.set_lanes(variable.lanes());
  expr.set_id(id);
  return expr;
}

// Whether the block of a pattern says anything about the clause: "where", "init", ...
inline bool StatesClause(const Stmt& pattern, std::string_view clause) {
  return std::ranges::find(pattern.strings(), clause) != pattern.strings().end();
}

}  // namespace irate::rewrite
