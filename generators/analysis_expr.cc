#include "generators/analysis_expr.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "fmt/format.h"
#include "ir/has_let.h"
#include "ir/ops.h"
#include "ir/types.h"

namespace irate {
namespace {

constexpr auto kFactors = std::to_array<int64_t>({2, 3, 4, 5, 6, 7, 8, 12, 16, 32, 64});
constexpr auto kExtents = std::to_array<int64_t>({1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16});
constexpr size_t kKept = 6;

template <typename T>
const T& Pick(ChoiceSource& choice, const std::vector<T>& items) {
  return items[static_cast<size_t>(choice.Range(0, static_cast<int64_t>(items.size()) - 1))];
}

template <size_t N>
int64_t Pick(ChoiceSource& choice, const std::array<int64_t, N>& items) {
  return items[static_cast<size_t>(choice.Range(0, N - 1))];
}

// The variable of a Let is bound once in a program, so what has one is not used again.
void Keep(const Expr& expr, std::vector<Expr>* kept) {
  if (kept->size() < kKept && !HasLet(expr)) kept->push_back(expr);
}

}  // namespace

AnalysisExprs::AnalysisExprs(ChoiceSource& choice, AnalysisQuestion* question)
    : choice_(choice), question_(*question) {
  if (choice_.Chance(1, 4)) type_ = I64;
  const int64_t count = choice_.Range(1, 3);
  for (int64_t i = 0; i < count; ++i) factors_.push_back(Pick(choice_, kFactors));
}

uint32_t AnalysisExprs::AddVariable() {
  const auto id = static_cast<uint32_t>(question_.variables_size());
  irate::Variable* variable = question_.add_variables();
  variable->set_name(std::string(1, static_cast<char>('x' + static_cast<char>(id % 3))) +
                     (id < 3 ? "" : fmt::format("{}", id / 3)));
  variable->set_type(type_);
  VariableRange* range = question_.add_ranges();
  named_.push_back(id);
  if (choice_.Chance(1, 8)) return id;
  range->set_bound(true);
  range->set_extent(choice_.Chance(1, 3) ? Pick(choice_, factors_) : Pick(choice_, kExtents));
  if (choice_.Chance(1, 3)) range->set_min(choice_.Range(-12, 8));
  return id;
}

uint32_t AnalysisExprs::AddIterator(int64_t extent) {
  const auto id = static_cast<uint32_t>(question_.variables_size());
  irate::Variable* variable = question_.add_variables();
  variable->set_name(fmt::format("i{}", id));
  variable->set_type(type_);
  VariableRange* range = question_.add_ranges();
  range->set_bound(true);
  range->set_extent(extent);
  named_.push_back(id);
  return id;
}

Expr AnalysisExprs::Variable(uint32_t id) const {
  Expr expr;
  expr.set_op(VAR);
  expr.set_type(question_.variables(static_cast<int>(id)).type());
  expr.set_id(id);
  return expr;
}

Expr AnalysisExprs::Const(int64_t value) const {
  Expr expr;
  expr.set_op(CONST);
  expr.set_type(type_);
  expr.set_int_value(value);
  return expr;
}

int64_t AnalysisExprs::Factor() { return Pick(choice_, factors_); }

int64_t AnalysisExprs::Constant() {
  constexpr auto kWeights = std::to_array<int>({8, 4, 2, 2, 3, 2, 1});
  switch (choice_.Weighted(kWeights)) {
    case 0:
      return choice_.Range(-3, 8);
    case 1:
      return Factor();
    case 2:
      return Factor() * choice_.Range(2, 5);
    case 3:
      return Factor() * Factor() - choice_.Range(0, 1);
    case 4:
      return Factor() + choice_.Range(-1, 1);
    case 5:
      return -Factor();
    default:
      return choice_.Range(-200, 200);
  }
}

Expr AnalysisExprs::Binary(Op op, Expr a, Expr b) {
  Expr expr;
  expr.set_op(op);
  expr.set_type(IsComparison(op) || op == AND || op == OR ? BOOL : a.type());
  expr.set_lanes(a.lanes());
  *expr.add_args() = std::move(a);
  *expr.add_args() = std::move(b);
  return expr;
}

Expr AnalysisExprs::Leaf() {
  if (choice_.Chance(2, 3)) {
    return Variable(Pick(choice_, named_));
  }
  return Const(Constant());
}

Expr AnalysisExprs::Divisor(int depth) {
  if (depth > 0 && choice_.Chance(1, 16)) return Integer(depth - 1);
  int64_t value = Factor();
  if (choice_.Chance(1, 4)) value *= choice_.Range(2, 4);
  if (choice_.Chance(1, 12)) value = -value;
  return Const(value);
}

Expr AnalysisExprs::Operator(int depth) {
  constexpr auto kOps =
      std::to_array<Op>({ADD, SUB, MUL, FLOOR_DIV, FLOOR_MOD, TRUNC_DIV, TRUNC_MOD, MIN, MAX,
                         SELECT, CAST, SHL, SHR, BIT_AND, IF_THEN_ELSE, LET});
  constexpr auto kWeights =
      std::to_array<int>({26, 16, 18, 18, 18, 5, 5, 8, 8, 8, 2, 1, 2, 2, 2, 1});
  const Op op = kOps[choice_.Weighted(kWeights)];
  switch (op) {
    case MUL:
      if (choice_.Chance(4, 5)) return Binary(op, Integer(depth), Const(Constant()));
      return Binary(op, Integer(depth), Integer(depth));
    case FLOOR_DIV:
    case FLOOR_MOD:
    case TRUNC_DIV:
    case TRUNC_MOD: {
      Expr dividend = Integer(depth);
      return Binary(op, std::move(dividend), Divisor(depth));
    }
    case SHL:
    case SHR: {
      Expr value = Integer(depth);
      return Binary(op, std::move(value), Const(choice_.Range(0, 4)));
    }
    case SELECT:
    case IF_THEN_ELSE: {
      Expr expr;
      expr.set_op(op);
      expr.set_type(type_);
      *expr.add_args() = Condition(depth - 1);
      *expr.add_args() = Integer(depth);
      *expr.add_args() = Integer(depth);
      return expr;
    }
    case CAST: {
      // There and back again: what lies between is of the other width.
      Expr wide;
      wide.set_op(CAST);
      wide.set_type(type_ == I32 ? I64 : I32);
      *wide.add_args() = Integer(depth);
      Expr back;
      back.set_op(CAST);
      back.set_type(type_);
      *back.add_args() = std::move(wide);
      return back;
    }
    case LET: {
      const auto id = static_cast<uint32_t>(question_.variables_size());
      Expr value = Integer(depth - 1);
      // The variable is of the expression alone: nothing is bound for it.
      irate::Variable* variable = question_.add_variables();
      variable->set_name(fmt::format("t{}", id));
      variable->set_type(type_);
      question_.add_ranges()->set_local(true);
      Expr body = Binary(choice_.Chance(1, 2) ? ADD : SUB, Variable(id), Leaf());
      if (choice_.Chance(1, 2)) body = Binary(FLOOR_DIV, std::move(body), Const(Factor()));
      Expr expr;
      expr.set_op(LET);
      expr.set_type(type_);
      expr.set_id(id);
      *expr.add_args() = std::move(value);
      *expr.add_args() = std::move(body);
      return expr;
    }
    default: {
      Expr a = Integer(depth);
      return Binary(op, std::move(a), Integer(depth));
    }
  }
}

Expr AnalysisExprs::Integer(int depth) {
  if (!used_.empty() && choice_.Chance(1, 6)) return Pick(choice_, used_);
  if (depth <= 0 || choice_.Chance(1, 5)) return Leaf();
  Expr expr = Operator(depth - 1);
  Keep(expr, &used_);
  return expr;
}

Expr AnalysisExprs::Comparison(int depth) {
  constexpr auto kOps = std::to_array<Op>({EQ, NE, LT, LE, GT, GE});
  constexpr auto kWeights = std::to_array<int>({3, 2, 5, 3, 2, 3});
  const Op op = kOps[choice_.Weighted(kWeights)];
  Expr a = Integer(depth);
  Expr b = choice_.Chance(1, 2) ? Const(Constant()) : Integer(depth);
  if (choice_.Chance(1, 8)) std::swap(a, b);
  return Binary(op, std::move(a), std::move(b));
}

Expr AnalysisExprs::Condition(int depth) {
  if (!conditions_.empty() && choice_.Chance(1, 6)) return Pick(choice_, conditions_);
  constexpr auto kWeights = std::to_array<int>({12, 3, 3, 1});
  const size_t kind = depth <= 0 ? 0 : choice_.Weighted(kWeights);
  if (kind == 1 || kind == 2) {
    Expr a = Condition(depth - 1);
    return Binary(kind == 1 ? AND : OR, std::move(a), Condition(depth - 1));
  }
  if (kind == 3) {
    Expr expr;
    expr.set_op(NOT);
    expr.set_type(BOOL);
    *expr.add_args() = Condition(depth - 1);
    return expr;
  }
  Expr expr = Comparison(depth);
  Keep(expr, &conditions_);
  return expr;
}

Expr AnalysisExprs::VectorInteger(int depth, uint32_t lanes) {
  Expr expr;
  expr.set_type(type_);
  expr.set_lanes(lanes);
  constexpr auto kWeights = std::to_array<int>({5, 3, 6});
  switch (depth <= 0 ? choice_.Weighted(std::array<int, 2>{5, 3}) : choice_.Weighted(kWeights)) {
    case 0:
      expr.set_op(RAMP);
      *expr.add_args() = Integer(1);
      *expr.add_args() =
          choice_.Chance(3, 4) ? Const(choice_.Chance(1, 2) ? 1 : Constant()) : Leaf();
      return expr;
    case 1:
      expr.set_op(BROADCAST);
      *expr.add_args() = Integer(1);
      return expr;
    default:
      break;
  }
  constexpr auto kOps =
      std::to_array<Op>({ADD, SUB, MUL, FLOOR_DIV, FLOOR_MOD, TRUNC_DIV, TRUNC_MOD, MIN, MAX});
  constexpr auto kOpWeights = std::to_array<int>({8, 5, 5, 6, 6, 2, 2, 3, 3});
  const Op op = kOps[choice_.Weighted(kOpWeights)];
  Expr a = VectorInteger(depth - 1, lanes);
  if (op == FLOOR_DIV || op == FLOOR_MOD || op == TRUNC_DIV || op == TRUNC_MOD) {
    expr.set_op(BROADCAST);
    *expr.add_args() = Divisor(0);
    return Binary(op, std::move(a), std::move(expr));
  }
  return Binary(op, std::move(a), VectorInteger(depth - 1, lanes));
}

Expr AnalysisExprs::VectorCondition(int depth, uint32_t lanes) {
  constexpr auto kOps = std::to_array<Op>({EQ, NE, LT, LE, GT, GE});
  Expr a = VectorInteger(depth, lanes);
  return Binary(kOps[static_cast<size_t>(choice_.Range(0, 5))], std::move(a),
                VectorInteger(depth - 1, lanes));
}

}  // namespace irate
