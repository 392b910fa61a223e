// Where in a function a match is, and facts about its loops.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ir/irate.pb.h"

namespace irate::rewrite {

struct Place {
  const Module* module = nullptr;
  const Function* function = nullptr;
  std::vector<const Stmt*> around;  // statements, outermost first
  // Of an expression: "index", "value", "condition", "bounds", "predicate", "binding", "call",
  // "let", "alias" for what it is part of, at any depth.
  std::vector<std::string_view> positions;
  std::string pass;
  int step = -1;
};

// "for", "serial", "parallel", "vectorized", "unrolled", "bind", "while", "if", "block" or the key
// of an attribute in quotes: whether `stmt` is one.
bool IsKind(const Stmt& stmt, std::string_view kind);
// The kinds that "inside" takes, but for keys of attributes.
bool IsStmtKind(std::string_view kind);
bool IsPosition(std::string_view word);

// The extent (`which` 1) or minimum (0) of the loop or block iterator that defines the variable;
// null if there is none.
const Expr* BoundOf(const Function& function, uint32_t variable, int which);
// The kind of the loop that defines it: "serial", ...; empty if none does.
std::string_view LoopKindOf(const Function& function, uint32_t variable);

}  // namespace irate::rewrite
