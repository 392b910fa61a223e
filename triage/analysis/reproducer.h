// The Python file that shows a wrong answer on the wheel alone.
#pragma once

#include <string>

#include "absl/status/statusor.h"
#include "ir/analysis.pb.h"
#include "triage/analysis/judge.h"

namespace irate::analysis {

// Asks the question through the wheel's registered functions and judges the answer at the points of
// the ranges, by a few lines of Python that know nothing of irate. Exits with 1 while the bug is
// there (a wrong answer, an internal error; a crash or a hang of the child that asks), 0 if it is
// gone, 2 if it cannot run.
std::string MakeReproducer(const AnalysisQuestion& question, const Wrong& wrong,
                           const std::string& version);

// The parts of the text. Internal to reproducer.cc and python.cc.
//
// The expression as calls of the wheel's constructors: "FloorMod(x, Int(3))".
std::string NativeText(const Expr& expr, const AnalysisQuestion& question);
// Evaluates nodes of the wheel at a point, and lists points.
extern const char* const kPythonPrelude;

}  // namespace irate::analysis
