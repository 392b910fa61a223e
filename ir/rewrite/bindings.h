// What the metavariables of a pattern stand for in one function.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ir/irate.pb.h"

namespace irate::rewrite {

struct Binding {
  enum class Kind { kExpr, kExprs, kStmts, kBuffer, kText, kLoopKind };
  Kind kind = Kind::kExpr;
  std::vector<Expr> exprs{};  // kExpr (one; a variable is a VAR), kExprs
  std::vector<Stmt> stmts{};  // kStmts
  uint32_t buffer = 0;
  std::string text{};  // kText (a callee, a type, a key); of kLoopKind the thread tag
  LoopKind loop_kind = SERIAL;

  bool operator==(const Binding& other) const;
};

struct Bindings {
  std::map<std::string, Binding> values;  // by name without "$"
  // Statements and calls of the pattern and what each matched: a replacement takes from these what
  // it does not state.
  std::vector<std::pair<const Stmt*, const Stmt*>> stmts;
  std::vector<std::pair<const Expr*, const Expr*>> calls;

  const Binding* Find(const std::string& name) const {
    const auto found = values.find(name);
    return found == values.end() ? nullptr : &found->second;
  }
};

bool SameExpr(const Expr& a, const Expr& b);

}  // namespace irate::rewrite
