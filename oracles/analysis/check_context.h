// What the checks of one question share. Internal to check*.cc.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "oracles/analysis/check.h"
#include "oracles/analysis/evaluate.h"
#include "oracles/analysis/points.h"

namespace irate::analysis {

class AskCheck {
 public:
  AskCheck(const AnalysisQuestion& question, const AnalysisAsk& ask, const AnalysisAnswer& answer,
           const AnalysisAnswers& answers, const Points& points, Evaluator* evaluator,
           CheckStats* stats);

  std::optional<Mismatch> Check();

 private:
  // Evaluates what was asked; false if it is defined nowhere or not modelled.
  bool EvaluateAsked();
  void Require(const Column& column, bool must_hold);
  // The answer's expressions, all or none.
  bool EvaluateAnswer();

  std::optional<Mismatch> CheckError();
  std::optional<Mismatch> CheckEqual();
  std::optional<Mismatch> CheckConstBound();
  std::optional<Mismatch> CheckModularSet();
  std::optional<Mismatch> CheckIntSet();
  std::optional<Mismatch> CheckProof();
  std::optional<Mismatch> CheckComparison();
  std::optional<Mismatch> CheckLinear();
  std::optional<Mismatch> CheckClip();
  std::optional<Mismatch> CheckDeduced();
  std::optional<Mismatch> CheckInjective();
  std::optional<Mismatch> CheckInverse();
  std::optional<Mismatch> CheckSubspace();
  std::optional<Mismatch> CheckRegion();
  // A variable of `ids` in `expr`, which must not have any.
  std::optional<Mismatch> CheckWithout(const Expr& expr,
                                       const google::protobuf::RepeatedField<uint32_t>& ids);

  Mismatch At(size_t entry, std::string kind, std::string expectation) const;
  // Whether an answer's entry can be compared; a definite undefined value is a mismatch.
  bool Usable(const Column& column, size_t entry) const { return column.states[entry] == kOk; }
  std::string Text(const Expr& expr) const { return ToText(expr, question_, &answers_); }

  const AnalysisQuestion& question_;
  const AnalysisAsk& ask_;
  const AnalysisAnswer& answer_;
  const AnalysisAnswers& answers_;
  const Points& points_;
  Evaluator& evaluator_;
  CheckStats& stats_;
  std::vector<Column> asked_;
  std::vector<Column> answered_;
  std::vector<uint8_t> judged_;  // entries at which the question is defined
  size_t judged_count_ = 0;
};

}  // namespace irate::analysis
