#include "generators/equivalent/rewrite.h"

#include "generators/equivalent/expressions.h"

namespace irate {
namespace {

// `f` on each expression that an ExprRewrite may change, outside in. F returns false to stop.
template <typename E, typename F>
bool WalkValue(E& expr, F& f) {
  if (equivalent::IsFixed(expr)) return true;
  if (!f(expr)) return false;
  const int last = expr.op() == RAMP ? 1 : expr.args_size();  // a stride stays a constant
  for (int i = 0; i < last; ++i) {
    if constexpr (std::is_const_v<E>) {
      if (!WalkValue(expr.args(i), f)) return false;
    } else {
      if (!WalkValue(*expr.mutable_args(i), f)) return false;
    }
  }
  return true;
}

// Places are numbered by one counter over all functions, in the order of VisitStmts.
template <typename F>
void WalkConst(const Module& module, F&& f) {
  for (const Function& function : module.functions()) {
    VisitStmts(function, [&](const Stmt& stmt) {
      if (!equivalent::HasValues(stmt)) return;
      for (const Expr& arg : stmt.args()) WalkValue(arg, f);
    });
  }
}

}  // namespace

int ExprRewrite::CountSites(const Module& module) const {
  int count = 0;
  WalkConst(module, [&](const Expr& expr) {
    count += IsApplicable(expr) ? 1 : 0;
    return true;
  });
  return count;
}

void ExprRewrite::ApplyAt(Module* module, int site, ChoiceSource& choices) const {
  Expr* found = nullptr;
  for (Function& function : *module->mutable_functions()) {
    VisitStmts(&function, [&](Stmt& stmt) {
      if (found != nullptr || !equivalent::HasValues(stmt)) return;
      const auto visit = [&](Expr& expr) {
        if (IsApplicable(expr) && site-- == 0) found = &expr;
        return found == nullptr;
      };
      for (Expr& arg : *stmt.mutable_args()) {
        if (!WalkValue(arg, visit)) return;
      }
    });
    if (found != nullptr) return Apply(&function, found, choices);
  }
}

int StmtRewrite::CountSites(const Module& module) const {
  int count = 0;
  for (const Function& function : module.functions()) {
    VisitStmts(function, [&](const Stmt& stmt) { count += IsApplicable(function, stmt) ? 1 : 0; });
  }
  return count;
}

namespace {

// Finds the list that holds `wanted`, which is a statement of it or of one nested in it.
std::pair<StmtList*, int> FindList(StmtList* list, const Stmt* wanted) {
  for (int i = 0; i < list->size(); ++i) {
    if (&list->Get(i) == wanted) return {list, i};
    std::pair<StmtList*, int> found = {nullptr, 0};
    ForEachChildList(*list->Mutable(i), [&](StmtList& nested) {
      if (found.first == nullptr) found = FindList(&nested, wanted);
    });
    if (found.first != nullptr) return found;
  }
  return {nullptr, 0};
}

}  // namespace

void StmtRewrite::ApplyAt(Module* module, int site, ChoiceSource& choices) const {
  for (Function& function : *module->mutable_functions()) {
    const Stmt* found = nullptr;
    VisitStmts(std::as_const(function), [&](const Stmt& stmt) {
      if (found == nullptr && IsApplicable(function, stmt) && site-- == 0) found = &stmt;
    });
    if (found == nullptr) continue;
    const auto [list, index] = FindList(function.mutable_body(), found);
    return Apply(&function, list, index, choices);
  }
}

}  // namespace irate
