#include "generators/mutate/statements.h"

#include <utility>

namespace irate::mutate {

void ReplaceStatement(StmtList* list, int index, const StmtList& replacement) {
  StmtList result;
  for (int i = 0; i < index; ++i) result.Add()->Swap(list->Mutable(i));
  for (const Stmt& stmt : replacement) *result.Add() = stmt;
  for (int i = index + 1; i < list->size(); ++i) result.Add()->Swap(list->Mutable(i));
  list->Swap(&result);
}

void InsertStatement(StmtList* list, int index, Stmt stmt) {
  *list->Add() = std::move(stmt);
  for (int i = list->size() - 1; i > index; --i) list->SwapElements(i, i - 1);
}

bool Defines(const Stmt& stmt) {
  return stmt.kind() == BIND || stmt.kind() == ALLOC || stmt.kind() == DECL_BUFFER;
}

bool MayWrap(const StmtList& list, int index) {
  const Stmt& stmt = list.Get(index);
  return !Defines(stmt) && stmt.kind() != BREAK && stmt.kind() != CONTINUE && stmt.kind() != RETURN;
}

bool HasMatchBuffers(const Stmt& stmt) {
  bool found = stmt.block().match_buffers_size() > 0;
  ForEachChildList(stmt, [&found](const StmtList& list) {
    VisitStmts(list,
               [&found](const Stmt& nested) { found |= nested.block().match_buffers_size() > 0; });
  });
  return found;
}

int CountStatements(const Stmt& stmt) {
  int count = 1;
  ForEachChildList(stmt, [&count](const StmtList& list) {
    VisitStmts(list, [&count](const Stmt&) { ++count; });
  });
  return count;
}

}  // namespace irate::mutate
