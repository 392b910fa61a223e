// The expressions of a question. Internal to generators/analysis*.cc.
#pragma once

#include <cstdint>
#include <vector>

#include "generators/choice.h"
#include "ir/analysis.pb.h"
#include "ir/irate.pb.h"

namespace irate {

class AnalysisExprs {
 public:
  AnalysisExprs(ChoiceSource& choice, AnalysisQuestion* question);

  // A variable and its range; the id.
  uint32_t AddVariable();
  uint32_t AddIterator(int64_t extent);

  Expr Integer(int depth);
  Expr Condition(int depth);
  // Of `lanes` lanes.
  Expr VectorInteger(int depth, uint32_t lanes);
  Expr VectorCondition(int depth, uint32_t lanes);

  Expr Variable(uint32_t id) const;
  Expr Const(int64_t value) const;
  // From the constants of the question; positive, and at least 2.
  int64_t Factor();
  int64_t Constant();
  ScalarType type() const { return type_; }

  static Expr Binary(Op op, Expr a, Expr b);

 private:
  Expr Leaf();
  Expr Divisor(int depth);
  Expr Operator(int depth);
  Expr Comparison(int depth);

  ChoiceSource& choice_;
  AnalysisQuestion& question_;
  ScalarType type_ = I32;
  std::vector<uint32_t> named_;  // variables that are known everywhere: not those of a Let
  std::vector<int64_t> factors_;
  std::vector<Expr> used_;        // integer sub-expressions to use again
  std::vector<Expr> conditions_;  // comparisons to use again
};

}  // namespace irate
