// Questions made by hand.
#pragma once

#include <cstdint>
#include <string>

#include "ir/analysis.pb.h"
#include "ir/irate.pb.h"

namespace irate::analysis {

class QuestionBuilder {
 public:
  Expr Var(const std::string& name, int64_t min, int64_t extent, ScalarType type = I32) {
    Expr expr;
    expr.set_op(VAR);
    expr.set_type(type);
    expr.set_id(static_cast<uint32_t>(question.variables_size()));
    Variable* variable = question.add_variables();
    variable->set_name(name);
    variable->set_type(type);
    VariableRange* range = question.add_ranges();
    range->set_bound(true);
    range->set_min(min);
    range->set_extent(extent);
    return expr;
  }
  Expr Free(const std::string& name) {
    Expr expr = Var(name, 0, 1);
    question.mutable_ranges()->rbegin()->Clear();
    return expr;
  }
  AnalysisAsk* Ask(AnalysisFunction function, const Expr& expr) {
    AnalysisAsk* ask = question.add_asks();
    ask->set_function(function);
    *ask->add_exprs() = expr;
    return ask;
  }

  AnalysisQuestion question;
};

inline Expr Const(int64_t value, ScalarType type = I32) {
  Expr expr;
  expr.set_op(CONST);
  expr.set_type(type);
  expr.set_int_value(value);
  return expr;
}

inline Expr Binary(Op op, const Expr& a, const Expr& b) {
  Expr expr;
  expr.set_op(op);
  expr.set_type((op >= EQ && op <= GE) || op == AND || op == OR ? BOOL : a.type());
  expr.set_lanes(a.lanes());
  *expr.add_args() = a;
  *expr.add_args() = b;
  return expr;
}

inline AnalysisAnswers Answer(const std::vector<Expr>& exprs,
                              const std::vector<int64_t>& numbers = {}) {
  AnalysisAnswers answers;
  AnalysisAnswer* answer = answers.add_answers();
  answer->set_status(AnalysisAnswer::ANSWERED);
  for (const Expr& expr : exprs) *answer->add_exprs() = expr;
  for (const int64_t number : numbers) answer->add_numbers(number);
  return answers;
}

}  // namespace irate::analysis
