#include "ir/rewrite/place.h"

#include <algorithm>
#include <array>

#include "ir/visit.h"

namespace irate::rewrite {
namespace {

constexpr auto kLoopKinds =
    std::to_array<std::string_view>({"serial", "parallel", "vectorized", "unrolled", "bind"});
constexpr auto kOtherKinds =
    std::to_array<std::string_view>({"for", "while", "if", "block", "attr"});
constexpr auto kPositions = std::to_array<std::string_view>(
    {"index", "value", "condition", "bounds", "predicate", "binding", "call", "let", "alias"});

}  // namespace

bool IsKind(const Stmt& stmt, std::string_view kind) {
  if (kind == "for") return stmt.kind() == FOR;
  if (kind == "while") return stmt.kind() == WHILE;
  if (kind == "if") return stmt.kind() == IF;
  if (kind == "block") return stmt.kind() == BLOCK;
  if (kind == "attr") return stmt.kind() == ATTR;
  if (kind.starts_with('"')) return stmt.kind() == ATTR && stmt.name() == kind.substr(1);
  const auto found = std::ranges::find(kLoopKinds, kind);
  return stmt.kind() == FOR && found != kLoopKinds.end() &&
         stmt.loop_kind() == static_cast<LoopKind>(found - kLoopKinds.begin());
}

bool IsStmtKind(std::string_view kind) {
  return std::ranges::find(kLoopKinds, kind) != kLoopKinds.end() ||
         std::ranges::find(kOtherKinds, kind) != kOtherKinds.end();
}

bool IsPosition(std::string_view word) {
  return std::ranges::find(kPositions, word) != kPositions.end();
}

const Expr* BoundOf(const Function& function, uint32_t variable, int which) {
  const Expr* found = nullptr;
  VisitStmts(function, [&](const Stmt& stmt) {
    if (stmt.kind() == FOR && stmt.id() == variable && found == nullptr) found = &stmt.args(which);
    for (const BlockIter& iter : stmt.block().iters()) {
      if (iter.variable() == variable && found == nullptr) {
        found = which == 0 ? &iter.domain().min() : &iter.domain().extent();
      }
    }
  });
  return found;
}

std::string_view LoopKindOf(const Function& function, uint32_t variable) {
  std::string_view found;
  VisitStmts(function, [&](const Stmt& stmt) {
    if (stmt.kind() == FOR && stmt.id() == variable && found.empty()) {
      found = kLoopKinds[static_cast<size_t>(stmt.loop_kind())];
    }
  });
  return found;
}

}  // namespace irate::rewrite
