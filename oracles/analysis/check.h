// Whether an analyser's answers hold.
//
// Judged at every point of the ranges (points.h) at which the question is defined and its
// constraint and predicate hold, by the promise of TVM's headers (include/tvm/sym/ of its source,
// arith/ before 0.27; the wheel's tvm/sym/*.py says the same):
//
//   REWRITE_SIMPLIFY, CANONICAL_SIMPLIFY, SIMPLIFY
//       The result equals the expression and has its type (analyzer.h).
//   CONST_INT_BOUND
//       min_value <= e <= max_value (analyzer.h, ConstIntBoundNode: "inclusive").
//   MODULAR_SET
//       e is in { coeff * x + base | x in Z } (analyzer.h, ModularSetNode).
//   INT_SET
//       min <= e <= max, without the relaxed variables (int_set.h, EvalSet: "can cover all the
//       possible values of e"). Not judged where truncated divisions occur: int_set.cc states that
//       it assumes their dividends to be non-negative.
//   CAN_PROVE, CAN_PROVE_EQUAL, TRY_COMPARE
//       What is proven is true; the outcome is among those said to be possible (analyzer.h).
//   LINEAR_EQUATION
//       e = sum of coefficient * variable + constant, these without the variables (pattern.h).
//   CLIP_BOUND
//       The condition holds exactly where all bounds do (pattern.h, DetectClipBound).
//   DEDUCE_BOUND
//       The condition holds wherever the target lies within the bounds, which do not depend on
//       relaxed variables (bound.h: "an integer set that always satisfies the condition").
//   ITER_MAP_DETECT, ITER_MAP_SIMPLIFY, ITER_SUM
//       Equal to the indices; a map said to be bijective takes no two points to one
//       (iter_affine_map.h).
//   ITER_MAP_INVERSE
//       Applied to the indices it gives the iterators (InverseAffineIterMap).
//   SUBSPACE_DIVIDE
//       index = outer * extent + inner + constant, the outer without inner iterators and the other
//       way round (SubspaceDivide).
//   REGION_*_BOUND
//       The upper bound covers all that is touched, the lower bound nothing else, the strict one is
//       both (int_set.h, EstimateRegion...Bound).
//
// An internal error on a question that is defined at some point is a finding; a diagnostic is not.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/analysis.pb.h"
#include "ir/observation.pb.h"

namespace irate::analysis {

struct Mismatch {
  int ask = 0;
  // "value", "bound", "undefined", "type", "error: <message>", "variable", "not injective"
  std::string kind;
  std::string detail;          // the point, what is expected there and what was answered
  std::vector<int64_t> point;  // of the question's variables; empty if it is not about a point
};

struct CheckStats {
  uint64_t asks = 0;
  uint64_t points = 0;       // at which an answer was judged
  uint64_t nothing = 0;      // answers that say nothing
  uint64_t refused = 0;      // with a diagnostic
  uint64_t not_defined = 0;  // asks whose question is defined nowhere
  uint64_t unreadable = 0;   // answers with a construct that is not modelled
};

// At most this many points of a question are looked at.
inline constexpr size_t kMaxPoints = 512;

// The first mismatch of each ask. `stats` may be null.
std::vector<Mismatch> CheckAnswers(const AnalysisQuestion& question, const AnalysisAnswers& answers,
                                   CheckStats* stats);

// "x // 4 + 1", with variables by name; for people.
std::string ToText(const Expr& expr, const AnalysisQuestion& question,
                   const AnalysisAnswers* answers = nullptr);

}  // namespace irate::analysis
