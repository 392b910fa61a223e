// Findings of an analyser.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/analysis.pb.h"
#include "ir/observation.pb.h"
#include "oracles/analysis/check.h"
#include "triage/analysis/session.h"

namespace irate::analysis {

// What is wrong with one ask. `ask` is -1 where it is not known which: the worker was lost.
struct Wrong {
  int ask = 0;
  std::string function;  // "sym.AnalyzerRewriteSimplify"
  std::string kind;      // Mismatch::kind, "SIGSEGV", "hang", "slow", "out of memory"
  std::string detail;
  std::vector<int64_t> point;

  bool IsSameAs(const Wrong& other) const {
    return function == other.function && kind == other.kind;
  }
};

// An ask that takes longer is "slow": rules that rewrite each other's results, or exponential work.
inline constexpr double kSlowMilliseconds = 500;

std::vector<Wrong> Judge(const AnalysisQuestion& question, const Asked& asked, CheckStats* stats);

// "analyzer" finding with its signature: function, kind and, for wrong values, the skeleton of what
// was asked: operators, with "c" for constants and "x", "y"... for variables.
Finding MakeFinding(const AnalysisQuestion& question, const Wrong& wrong);

// The registered function behind an ask, as targets/tvm names it.
std::string FunctionName(AnalysisFunction function);

}  // namespace irate::analysis
