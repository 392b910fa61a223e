// Places in a program that an edit may change, numbered in pre-order; on top of ir/visit.h.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/irate.pb.h"
#include "ir/visit.h"

namespace irate {

struct StmtPlace {
  StmtList* list = nullptr;
  int index = 0;
  Stmt* operator->() const { return list->Mutable(index); }
};

// Every statement below `list`, outside in. The places hold until the first change of a list.
std::vector<StmtPlace> StatementsIn(StmtList* list);
// Every expression of the statements below `list`, outside in, under the same condition.
std::vector<Expr*> ExpressionsIn(StmtList* list);

// Every use of the variable becomes a copy of `value`.
void Substitute(StmtList* list, uint32_t variable, const Expr& value);
void Substitute(Expr* expr, uint32_t variable, const Expr& value);

// list[index] gives way to the statements of `replacement`.
void Splice(StmtList* list, int index, const StmtList& replacement);

}  // namespace irate
