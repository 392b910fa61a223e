// The single edits, one declaration each; edits.cc has the list with their names and order.
#pragma once

#include <cstdint>

#include "ir/irate.pb.h"
#include "triage/edits.h"
#include "triage/tree.h"

namespace irate::edits {

// edits_statements.cc
bool DropStmtAt(StmtList* list, int index, int variant);
bool UnwrapAt(StmtList* list, int index, int variant);
bool InlineBindAt(StmtList* list, int index, int variant);
bool ShrinkLoopAt(StmtList* list, int index, int variant);
bool MakeSerialAt(StmtList* list, int index, int variant);
bool DropStmtExtrasAt(StmtList* list, int index, int variant);

// edits_blocks.cc
bool DropBlockIterAt(StmtList* list, int index, int variant);
bool DropBlockMemoryAt(StmtList* list, int index, int variant);
EditResult MakeBufferCompact(Case* test_case, int position, int variant);

// edits_expressions.cc
bool ToConstant(Expr* expr, int variant);
bool ToOperand(Expr* expr, int variant);
bool LoadToIndex(Expr* expr, int variant);
bool ShrinkConstant(Expr* expr, int variant);
// How far a float constant is from 0 and 1, for Weight.
int64_t FloatWeight(double value);

// edits_tables.cc
EditResult DropParam(Case* test_case, int position, int variant);
EditResult FixDimension(Case* test_case, int position, int variant);
EditResult ShrinkDimension(Case* test_case, int position, int variant);
EditResult DropDimension(Case* test_case, int position, int variant);
EditResult DropFunctionAttr(Case* test_case, int position, int variant);
EditResult DropFunction(Case* test_case, int position, int variant);

// edits_joint.cc: one step in many places at once.
EditResult Retype(Case* test_case, int position, int variant);
EditResult ShrinkEqualConstants(Case* test_case, int position, int variant);

// edits_environment.cc: what is around the program.
EditResult DropPass(Case* test_case, int position, int variant);
EditResult DropPassRun(Case* test_case, int position, int variant);
EditResult DropConfig(Case* test_case, int position, int variant);
EditResult DropTargetOption(Case* test_case, int position, int variant);
EditResult SimplifySeed(Case* test_case, int position, int variant);
EditResult SimplifyInput(Case* test_case, int position, int variant);
EditResult ShrinkDimValue(Case* test_case, int position, int variant);

// edits_schedule.cc
EditResult DropScheduleSteps(Case* test_case, int position, int variant);
EditResult ShrinkScheduleNumber(Case* test_case, int position, int variant);

}  // namespace irate::edits
