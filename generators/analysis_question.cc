#include "generators/analysis_question.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "generators/analysis_expr.h"
#include "ir/has_let.h"

namespace irate {
namespace {

constexpr int kDepth = 3;

AnalysisAsk* AddAsk(AnalysisFunction function, AnalysisQuestion* question) {
  AnalysisAsk* ask = question->add_asks();
  ask->set_function(function);
  return ask;
}

class QuestionMaker {
 public:
  explicit QuestionMaker(ChoiceSource& choice) : choice_(choice), exprs_(choice, &question_) {}

  AnalysisQuestion Make() {
    constexpr auto kWeights = std::to_array<int>({14, 4, 2});
    switch (choice_.Weighted(kWeights)) {
      case 0:
        Scalar();
        break;
      case 1:
        Iterators();
        break;
      default:
        Vector();
        break;
    }
    return std::move(question_);
  }

 private:
  // ---- Scalars ---------------------------------------------------------------------------------

  void Scalar() {
    const int64_t variables = choice_.Range(1, 3);
    for (int64_t i = 0; i < variables; ++i) exprs_.AddVariable();
    named_ = question_.variables_size();
    if (choice_.Chance(1, 3)) *question_.mutable_constraint() = exprs_.Condition(1);
    if (choice_.Chance(1, 6)) question_.set_extensions(static_cast<uint32_t>(choice_.Range(1, 15)));
    const int64_t asks = choice_.Range(2, 4);
    if (choice_.Chance(2, 5)) {
      const Expr condition = exprs_.Condition(2);
      for (int64_t i = 0; i < asks; ++i) AskCondition(condition);
    } else {
      const Expr value = exprs_.Integer(kDepth);
      for (int64_t i = 0; i < asks; ++i) AskInteger(value);
    }
    if (question_.has_constraint() && choice_.Chance(1, 4)) {
      AnalysisAsk again = question_.asks(0);
      again.set_outside(true);
      *question_.add_asks() = std::move(again);
    }
  }

  void AskInteger(const Expr& value) {
    constexpr auto kFunctions = std::to_array<AnalysisFunction>(
        {REWRITE_SIMPLIFY, CANONICAL_SIMPLIFY, SIMPLIFY, CONST_INT_BOUND, MODULAR_SET, INT_SET,
         CAN_PROVE_EQUAL, TRY_COMPARE, LINEAR_EQUATION, ITER_SUM});
    constexpr auto kWeights = std::to_array<int>({8, 8, 3, 6, 5, 5, 3, 3, 3, 2});
    AnalysisAsk* ask = AddAsk(kFunctions[choice_.Weighted(kWeights)], &question_);
    *ask->add_exprs() = value;
    switch (ask->function()) {
      case SIMPLIFY:
        ask->set_option(static_cast<int>(choice_.Range(1, 4)));
        break;
      case INT_SET:
      case LINEAR_EQUATION:
        ChooseVariables(/*bound=*/ask->function() == INT_SET, ask);
        break;
      case CAN_PROVE_EQUAL:
      case TRY_COMPARE:
        *ask->add_exprs() = choice_.Chance(1, 2) ? Similar(value) : exprs_.Integer(kDepth);
        ask->set_option(static_cast<int>(choice_.Range(0, 1)));
        break;
      default:
        break;
    }
  }

  void AskCondition(const Expr& condition) {
    constexpr auto kFunctions = std::to_array<AnalysisFunction>(
        {REWRITE_SIMPLIFY, CANONICAL_SIMPLIFY, SIMPLIFY, CAN_PROVE, DEDUCE_BOUND, CLIP_BOUND});
    constexpr auto kWeights = std::to_array<int>({6, 5, 3, 5, 5, 3});
    AnalysisAsk* ask = AddAsk(kFunctions[choice_.Weighted(kWeights)], &question_);
    *ask->add_exprs() = condition;
    switch (ask->function()) {
      case SIMPLIFY:
        ask->set_option(static_cast<int>(choice_.Range(1, 4)));
        break;
      case CAN_PROVE:
        ask->set_option(choice_.Chance(1, 4) ? 1 : 0);
        break;
      case CLIP_BOUND:
        ChooseVariables(/*bound=*/false, ask);
        break;
      case DEDUCE_BOUND:
        ask->add_variables(static_cast<uint32_t>(choice_.Range(0, named_ - 1)));
        for (int i = 0; i < named_; ++i) {
          const auto id = static_cast<uint32_t>(i);
          if (id != ask->variables(0) && question_.ranges(i).bound() && choice_.Chance(1, 2)) {
            ask->add_variables(id);
          }
        }
        break;
      default:
        break;
    }
  }

  // At least one, unless none is bound.
  void ChooseVariables(bool bound, AnalysisAsk* ask) {
    const auto all = static_cast<uint32_t>(choice_.Range(1, (1 << named_) - 1));
    for (int i = 0; i < named_; ++i) {
      if ((all >> i & 1) != 0 && (!bound || question_.ranges(i).bound())) {
        ask->add_variables(static_cast<uint32_t>(i));
      }
    }
  }

  // With one constant or one commutation of difference.
  Expr Similar(Expr expr) {
    if (HasLet(expr)) return expr;
    Expr* node = &expr;
    while (node->args_size() != 0 && choice_.Chance(3, 4)) {
      node = node->mutable_args(static_cast<int>(choice_.Range(0, node->args_size() - 1)));
    }
    if (node->op() == CONST && node->type() == exprs_.type()) {
      node->set_int_value(exprs_.Constant());
      // A divisor stays one.
      if (node->int_value() == 0) node->set_int_value(1);
    } else if (node->op() == ADD || node->op() == MUL || node->op() == MIN || node->op() == MAX) {
      node->mutable_args()->SwapElements(0, 1);
    } else if (node->type() == exprs_.type() && node->op() != VAR) {
      *node = AnalysisExprs::Binary(ADD, *node, exprs_.Const(choice_.Range(0, 1)));
    }
    return expr;
  }

  // ---- Iterator maps ---------------------------------------------------------------------------

  void Iterators() {
    const int64_t count = choice_.Range(1, 3);
    for (int64_t i = 0; i < count; ++i) {
      int64_t extent = choice_.Chance(2, 3) ? exprs_.Factor() : choice_.Range(1, 12);
      if (count < 3 && choice_.Chance(1, 3)) extent *= choice_.Range(2, 4);
      exprs_.AddIterator(std::min<int64_t>(extent, 64));
    }
    if (choice_.Chance(1, 8)) question_.mutable_ranges(0)->set_min(choice_.Range(-4, 6));
    named_ = question_.variables_size();
    std::vector<Expr> indices;
    const int64_t dimensions = choice_.Range(1, 3);
    for (int64_t i = 0; i < dimensions; ++i) indices.push_back(Index());
    Expr predicate;
    if (choice_.Chance(1, 3)) {
      predicate = AnalysisExprs::Binary(choice_.Chance(3, 4) ? LT : GE, Index(),
                                        exprs_.Const(choice_.Range(1, 40)));
    }
    const int64_t asks = choice_.Range(2, 3);
    for (int64_t i = 0; i < asks; ++i) AskIterators(indices, predicate);
  }

  // A sum of iterators with the strides of a fusion, split at a factor in most cases.
  Expr Index() {
    Expr sum;
    int64_t stride = choice_.Chance(1, 6) ? exprs_.Factor() : 1;
    for (int i = named_ - 1; i >= 0; --i) {
      if (sum.op() != OP_INVALID && choice_.Chance(1, 4)) continue;
      Expr term = exprs_.Variable(static_cast<uint32_t>(i));
      if (choice_.Chance(1, 12)) term = AnalysisExprs::Binary(SUB, exprs_.Const(0), term);
      if (stride != 1) term = AnalysisExprs::Binary(MUL, std::move(term), exprs_.Const(stride));
      sum = sum.op() == OP_INVALID ? std::move(term)
                                   : AnalysisExprs::Binary(ADD, std::move(term), std::move(sum));
      stride *= choice_.Chance(7, 8) ? question_.ranges(i).extent() : exprs_.Factor();
    }
    if (choice_.Chance(1, 4)) {
      sum = AnalysisExprs::Binary(ADD, std::move(sum), exprs_.Const(choice_.Range(-6, 8)));
    }
    const int64_t splits = choice_.Range(0, 2);
    for (int64_t i = 0; i < splits; ++i) {
      const Op op = choice_.Chance(1, 2) ? FLOOR_DIV : FLOOR_MOD;
      sum = AnalysisExprs::Binary(op, std::move(sum), exprs_.Const(exprs_.Factor()));
    }
    if (choice_.Chance(1, 8)) {
      sum = AnalysisExprs::Binary(choice_.Chance(1, 2) ? ADD : SUB, std::move(sum),
                                  exprs_.Integer(1));
    }
    return sum;
  }

  void AskIterators(const std::vector<Expr>& indices, const Expr& predicate) {
    constexpr auto kFunctions = std::to_array<AnalysisFunction>(
        {ITER_MAP_DETECT, ITER_MAP_SIMPLIFY, ITER_SUM, ITER_MAP_INVERSE, SUBSPACE_DIVIDE,
         REGION_LOWER_BOUND, REGION_STRICT_BOUND, REGION_UPPER_BOUND});
    constexpr auto kWeights = std::to_array<int>({5, 6, 3, 3, 4, 2, 2, 3});
    constexpr auto kLevels = std::to_array<int>({0, 1, 3});
    AnalysisAsk* ask = AddAsk(kFunctions[choice_.Weighted(kWeights)], &question_);
    const int level = kLevels[static_cast<size_t>(choice_.Range(0, 2))];
    if (ask->function() == ITER_SUM) {
      *ask->add_exprs() = indices[0];
      return;
    }
    const bool is_region = ask->function() >= REGION_LOWER_BOUND;
    for (const Expr& index : indices) {
      *ask->add_exprs() = index;
      if (is_region) {
        *ask->add_exprs() = exprs_.Const(choice_.Chance(2, 3) ? 1 : choice_.Range(1, 4));
      }
    }
    if (ask->function() == ITER_MAP_INVERSE) return;
    if (predicate.op() != OP_INVALID) *ask->mutable_predicate() = predicate;
    if (!is_region) ask->set_option(level);
    if (ask->function() == SUBSPACE_DIVIDE) ChooseVariables(/*bound=*/true, ask);
  }

  // ---- Vectors ---------------------------------------------------------------------------------

  void Vector() {
    const int64_t variables = choice_.Range(1, 2);
    for (int64_t i = 0; i < variables; ++i) exprs_.AddVariable();
    named_ = question_.variables_size();
    const uint32_t lanes = choice_.Chance(1, 2) ? 4 : static_cast<uint32_t>(choice_.Range(2, 8));
    const bool is_condition = choice_.Chance(1, 3);
    const Expr value =
        is_condition ? exprs_.VectorCondition(2, lanes) : exprs_.VectorInteger(2, lanes);
    const int64_t asks = choice_.Range(1, 3);
    for (int64_t i = 0; i < asks; ++i) {
      constexpr auto kFunctions = std::to_array<AnalysisFunction>(
          {REWRITE_SIMPLIFY, CANONICAL_SIMPLIFY, SIMPLIFY, CONST_INT_BOUND, MODULAR_SET});
      constexpr auto kWeights = std::to_array<int>({6, 5, 2, 3, 0});
      const size_t function =
          is_condition ? static_cast<size_t>(choice_.Range(0, 2)) : choice_.Weighted(kWeights);
      AnalysisAsk* ask = AddAsk(kFunctions[function], &question_);
      *ask->add_exprs() = value;
      if (ask->function() == SIMPLIFY) ask->set_option(static_cast<int>(choice_.Range(1, 4)));
    }
  }

  ChoiceSource& choice_;
  AnalysisQuestion question_;
  AnalysisExprs exprs_;
  int named_ = 0;  // variables that are not of a Let
};

}  // namespace

AnalysisQuestion GenerateAnalysisQuestion(ChoiceSource& choice) {
  return QuestionMaker(choice).Make();
}

}  // namespace irate
