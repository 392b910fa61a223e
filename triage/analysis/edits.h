// Smaller questions from a question. Internal to reduce.cc.
#pragma once

#include <vector>

#include "ir/analysis.pb.h"

namespace irate::analysis {

// Every question that is one step smaller, the largest steps first. All are valid: types agree, a
// divisor that is a constant is not 0.
std::vector<AnalysisQuestion> SmallerQuestions(const AnalysisQuestion& question);

// Without the variables that nothing uses.
AnalysisQuestion WithoutUnusedVariables(const AnalysisQuestion& question);

}  // namespace irate::analysis
