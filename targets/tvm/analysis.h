// Questions to TVM's integer analyser, the functions "sym.*" of the wheel.
#pragma once

#include "execution/api/target.h"
#include "ir/analysis.pb.h"

namespace irate::tvm_target {

// Asks each question of one sym.Analyzer to which the ranges of the question's variables are bound
// (functions without an analyser get the ranges as maps). `progress` has the question's index as
// step and the function's name as pass. Never throws: an error of TVM is a FAILED answer, an answer
// that has no Case IR is UNREADABLE.
AnalysisBatchAnswers AskAnalyzer(const AnalysisBatch& batch, Progress* progress);

// "sym.AnalyzerRewriteSimplify": the registered function behind an Ask.
const char* AnalysisFunctionName(AnalysisFunction function);

}  // namespace irate::tvm_target
