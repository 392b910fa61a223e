// The makers of all mutators, for the one list in mutators.cc.
#pragma once

#include <memory>

#include "generators/equivalent/rewrite.h"
#include "generators/mutate/mutator.h"

namespace irate {

std::unique_ptr<Mutator> MakeReplaceExpression();
std::unique_ptr<Mutator> MakeChangeOperator();
std::unique_ptr<Mutator> MakeChangeConstant();
std::unique_ptr<Mutator> MakePromoteOperand();
std::unique_ptr<Mutator> MakeExtendExpression();
std::unique_ptr<Mutator> MakeCastThereAndBack();
std::unique_ptr<Mutator> MakeSwapExpressions();
std::unique_ptr<Mutator> MakeSpillToLocal();
std::unique_ptr<Mutator> MakeWrapInLoop();
std::unique_ptr<Mutator> MakeWrapInGuard();
std::unique_ptr<Mutator> MakeChangeLoopKind();
std::unique_ptr<Mutator> MakeChangeLoopBounds();
std::unique_ptr<Mutator> MakeSwapLoops();
std::unique_ptr<Mutator> MakeSplitBody();
std::unique_ptr<Mutator> MakeMoveStatement();
std::unique_ptr<Mutator> MakeCopyStatement();
std::unique_ptr<Mutator> MakeDropStatement();
std::unique_ptr<Mutator> MakeInsertStore();
std::unique_ptr<Mutator> MakeInsertJump();
std::unique_ptr<Mutator> MakeRetypeBuffer();
std::unique_ptr<Mutator> MakeRetypeEverything();
std::unique_ptr<Mutator> MakeChangeExtent();
std::unique_ptr<Mutator> MakeChangeLayout();
std::unique_ptr<Mutator> MakeChangeInputs();
std::unique_ptr<Mutator> MakeChangeAttributes();
std::unique_ptr<Mutator> MakeNameConstant();
std::unique_ptr<Mutator> MakeChangeSchedule();
std::unique_ptr<Mutator> MakeChangePasses();
std::unique_ptr<Mutator> MakeChangePassConfig();
std::unique_ptr<Mutator> MakeSplicePrograms();
std::unique_ptr<Mutator> MakeGraftExpression();
std::unique_ptr<Mutator> MakeAdoptParts();

// One rule of generators/equivalent, which keeps the meaning.
std::unique_ptr<Mutator> MakeSameMeaning(const Rewrite* rewrite);

}  // namespace irate
