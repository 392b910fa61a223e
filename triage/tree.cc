#include "triage/tree.h"

#include <utility>

namespace irate {
namespace {

void AppendExpressions(Expr& expr, std::vector<Expr*>* result) {
  result->push_back(&expr);
  for (Expr& arg : *expr.mutable_args()) AppendExpressions(arg, result);
}

// Uses are leaves, so replacing one leaves the other places alone.
void SubstituteIn(const std::vector<Expr*>& expressions, uint32_t variable, const Expr& value) {
  const Expr copy = value;
  for (Expr* expr : expressions) {
    if (expr->op() == VAR && expr->id() == variable) *expr = copy;
  }
}

}  // namespace

std::vector<StmtPlace> StatementsIn(StmtList* list) {
  std::vector<StmtPlace> result;
  const auto append = [&result](StmtList& nested, const auto& self) -> void {
    for (int i = 0; i < nested.size(); ++i) {
      result.push_back({&nested, i});
      ForEachChildList(*nested.Mutable(i), [&self](StmtList& child) { self(child, self); });
    }
  };
  append(*list, append);
  return result;
}

std::vector<Expr*> ExpressionsIn(StmtList* list) {
  std::vector<Expr*> result;
  VisitStmts(*list, [&result](Stmt& stmt) {
    ForEachRootExpr(stmt, [&result](Expr& expr) { AppendExpressions(expr, &result); });
  });
  return result;
}

void Substitute(Expr* expr, uint32_t variable, const Expr& value) {
  std::vector<Expr*> expressions;
  AppendExpressions(*expr, &expressions);
  SubstituteIn(expressions, variable, value);
}

void Substitute(StmtList* list, uint32_t variable, const Expr& value) {
  SubstituteIn(ExpressionsIn(list), variable, value);
}

void Splice(StmtList* list, int index, const StmtList& replacement) {
  StmtList result;
  for (int i = 0; i < index; ++i) result.Add()->Swap(list->Mutable(i));
  for (const Stmt& stmt : replacement) *result.Add() = stmt;
  for (int i = index + 1; i < list->size(); ++i) result.Add()->Swap(list->Mutable(i));
  list->Swap(&result);
}

}  // namespace irate
