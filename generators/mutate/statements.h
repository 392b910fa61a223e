// What the mutators of statements have in common.
#pragma once

#include "ir/irate.pb.h"
#include "ir/visit.h"

namespace irate::mutate {

// list[index] gives way to `replacement`.
void ReplaceStatement(StmtList* list, int index, const StmtList& replacement);
void InsertStatement(StmtList* list, int index, Stmt stmt);

// What is defined by it is used by statements behind it: BIND, ALLOC, DECL_BUFFER.
bool Defines(const Stmt& stmt);
// Whether a list stays well formed when the statement gets one around it: it defines nothing for
// those behind it and is no jump.
bool MayWrap(const StmtList& list, int index);
// Copies of a match-buffer cannot be made (generators/equivalent/clone.h).
bool HasMatchBuffers(const Stmt& stmt);
int CountStatements(const Stmt& stmt);

}  // namespace irate::mutate
