#include "ir/visit.h"

namespace irate {

int64_t CountNodes(const Module& module) {
  int64_t count = 0;
  for (const Function& function : module.functions()) {
    VisitExprs(function, [&](const Expr&) { ++count; });
    VisitStmts(function, [&](const Stmt&) { ++count; });
  }
  return count;
}

}  // namespace irate
