// The makers of all rules, for the one list in rewrites.cc.
#pragma once

#include <memory>

#include "generators/equivalent/rewrite.h"

namespace irate {

std::unique_ptr<Rewrite> MakeCommute();
std::unique_ptr<Rewrite> MakeReassociate();
std::unique_ptr<Rewrite> MakeAddZero();
std::unique_ptr<Rewrite> MakeMultiplyByOne();
std::unique_ptr<Rewrite> MakeDistribute();
std::unique_ptr<Rewrite> MakeDoubleNegation();
std::unique_ptr<Rewrite> MakeSwapArms();
std::unique_ptr<Rewrite> MakeNegateComparison();
std::unique_ptr<Rewrite> MakeMirrorComparison();
std::unique_ptr<Rewrite> MakeFloorToTruncated();
std::unique_ptr<Rewrite> MakeMinimumToSelect();
std::unique_ptr<Rewrite> MakeInsertLet();
std::unique_ptr<Rewrite> MakeComputeWider();
std::unique_ptr<Rewrite> MakeShiftToMultiply();
std::unique_ptr<Rewrite> MakeIfTrue();
std::unique_ptr<Rewrite> MakeSwapBranches();
std::unique_ptr<Rewrite> MakeNestConditions();
std::unique_ptr<Rewrite> MakeSplitLoop();
std::unique_ptr<Rewrite> MakeFuseLoops();
std::unique_ptr<Rewrite> MakeUnrollLoop();
std::unique_ptr<Rewrite> MakePeelIteration();
std::unique_ptr<Rewrite> MakeShiftLoop();
std::unique_ptr<Rewrite> MakeReorderLoops();
std::unique_ptr<Rewrite> MakeHoistLet();
std::unique_ptr<Rewrite> MakeBindSubexpression();
std::unique_ptr<Rewrite> MakeRename();

}  // namespace irate
