#include "oracles/analysis/evaluate.h"

#include <algorithm>
#include <utility>

#include "ir/ops.h"
#include "ir/types.h"

namespace irate::analysis {
namespace {

// Each operator in a loop of its own over the points.
template <Op kOp>
void ApplyAll(const Column& a, const Column& b, Column* result) {
  for (size_t i = 0; i < result->values.size(); ++i) {
    const uint8_t operands = std::max(a.states[i], b.states[i]);
    const State state = ApplyOperator(kOp, a.values[i], b.values[i], &result->values[i]);
    result->states[i] = operands != kOk ? operands : state;
  }
}

template <Op... kOps>
bool Dispatch(Op op, const Column& a, const Column& b, Column* result) {
  return ((op == kOps ? (ApplyAll<kOps>(a, b, result), true) : false) || ...);
}

bool IsInfinity(const Variable& variable) {
  return variable.name() == "pos_inf" || variable.name() == "neg_inf";
}

}  // namespace

Evaluator::Evaluator(const Points& points,
                     const google::protobuf::RepeatedPtrField<Variable>& variables, uint32_t lanes)
    : lanes_(Lanes(lanes)), size_(points.count * Lanes(lanes)) {
  variables_.resize(static_cast<size_t>(variables.size()));
  for (size_t v = 0; v < variables_.size(); ++v) {
    Column& column = variables_[v];
    const Variable& variable = variables[static_cast<int>(v)];
    if (v < points.values.size()) {
      column.values.resize(size_);
      for (size_t i = 0; i < size_; ++i) column.values[i] = points.values[v][i / lanes_];
      column.states.assign(size_, kOk);
    } else if (IsInfinity(variable)) {
      column.values.assign(size_, variable.name() == "pos_inf" ? kPosInf : kNegInf);
      column.states.assign(size_, kOk);
    }
  }
}

void Evaluator::SetVariable(uint32_t id, Column column) { variables_.at(id) = std::move(column); }

bool Evaluator::Evaluate(const Expr& expr, Reading reading, Column* result,
                         std::string* unsupported) {
  reading_ = reading;
  unsupported_.clear();
  if (Visit(expr, result)) return true;
  *unsupported = unsupported_;
  return false;
}

bool Evaluator::Fail(const Expr& expr) {
  unsupported_ = expr.op() == CALL ? expr.name() : std::string(OpName(expr.op()));
  return false;
}

bool Evaluator::Visit(const Expr& expr, Column* result) {
  if (IsFloat(expr.type()) || IsUnsigned(expr.type()) || expr.type() == HANDLE) return Fail(expr);
  if (expr.lanes() > 1 && expr.lanes() != lanes_) return Fail(expr);
  switch (expr.op()) {
    case CONST:
      result->values.assign(size_, expr.int_value());
      result->states.assign(size_, kOk);
      return true;
    case VAR:
      if (expr.id() >= variables_.size() || variables_[expr.id()].values.empty()) return Fail(expr);
      *result = variables_[expr.id()];
      return true;
    case SELECT:
    case IF_THEN_ELSE:
      return VisitChoice(expr, result);
    case AND:
    case OR:
      return VisitLogic(expr, result);
    case NOT:
    case BIT_NOT: {
      if (!Visit(expr.args(0), result)) return false;
      for (int64_t& value : result->values) {
        value = expr.op() == NOT ? static_cast<int64_t>(value == 0) : ~value;
      }
      return true;
    }
    case CAST:
      return VisitCast(expr, result);
    case RAMP:
      return VisitRamp(expr, result);
    case BROADCAST:
      return Visit(expr.args(0), result);
    case LET:
      return VisitLet(expr, result);
    case CALL:
      // What tells the analyser that a condition is expected to hold has its value.
      if (expr.name() == "likely" && expr.args_size() == 1) return Visit(expr.args(0), result);
      return Fail(expr);
    default:
      return VisitBinary(expr, result);
  }
}

void Evaluator::CheckRange(ScalarType type, Column* column) const {
  if (type == BOOL || reading_ == Reading::kAnswer || BitWidth(type) >= 64) return;
  const int64_t low = MinValue(type);
  const int64_t high = MaxValue(type);
  for (size_t i = 0; i < size_; ++i) {
    const int64_t value = column->values[i];
    if (column->states[i] == kOk && (value < low || value > high)) column->states[i] = kOverflow;
  }
}

bool Evaluator::VisitBinary(const Expr& expr, Column* result) {
  if (expr.args_size() != 2) return Fail(expr);
  Column a;
  Column b;
  if (!Visit(expr.args(0), &a) || !Visit(expr.args(1), &b)) return false;
  result->values.resize(size_);
  result->states.resize(size_);
  if (!Dispatch<ADD, SUB, MUL, TRUNC_DIV, TRUNC_MOD, FLOOR_DIV, FLOOR_MOD, MIN, MAX, EQ, NE, LT, LE,
                GT, GE, BIT_AND, BIT_OR, BIT_XOR, SHL, SHR>(expr.op(), a, b, result)) {
    return Fail(expr);
  }
  CheckRange(expr.type(), result);
  return true;
}

bool Evaluator::VisitChoice(const Expr& expr, Column* result) {
  Column condition;
  Column other;
  if (!Visit(expr.args(0), &condition) || !Visit(expr.args(1), result) ||
      !Visit(expr.args(2), &other)) {
    return false;
  }
  for (size_t i = 0; i < size_; ++i) {
    const uint8_t both = std::max(result->states[i], other.states[i]);
    if (condition.values[i] == 0) {
      result->values[i] = other.values[i];
      result->states[i] = other.states[i];
    }
    if (reading_ == Reading::kQuestion) result->states[i] = both;
    if (condition.states[i] != kOk) result->states[i] = condition.states[i];
  }
  return true;
}

bool Evaluator::VisitLogic(const Expr& expr, Column* result) {
  Column b;
  if (!Visit(expr.args(0), result) || !Visit(expr.args(1), &b)) return false;
  const bool is_and = expr.op() == AND;
  for (size_t i = 0; i < size_; ++i) {
    // The value that decides alone.
    const bool a_decides = (result->values[i] != 0) != is_and && result->states[i] == kOk;
    const bool b_decides = (b.values[i] != 0) != is_and && b.states[i] == kOk;
    const uint8_t both = std::max(result->states[i], b.states[i]);
    result->states[i] =
        reading_ == Reading::kAnswer && (a_decides || b_decides) ? uint8_t{kOk} : both;
    result->values[i] =
        static_cast<int64_t>(is_and ? !(a_decides || b_decides) : (a_decides || b_decides));
  }
  return true;
}

bool Evaluator::VisitRamp(const Expr& expr, Column* result) {
  Column stride;
  if (!Visit(expr.args(0), result) || !Visit(expr.args(1), &stride)) return false;
  for (size_t i = 0; i < size_; ++i) {
    const auto lane = static_cast<int64_t>(i % lanes_);
    int64_t offset = 0;
    State state = ApplyOperator(MUL, lane, stride.values[i], &offset);
    if (state == kOk) state = ApplyOperator(ADD, result->values[i], offset, &result->values[i]);
    result->states[i] =
        std::max({result->states[i], stride.states[i], static_cast<uint8_t>(state)});
  }
  CheckRange(expr.type(), result);
  return true;
}

bool Evaluator::VisitLet(const Expr& expr, Column* result) {
  Column value;
  if (expr.id() >= variables_.size() || !Visit(expr.args(0), &value)) return Fail(expr);
  const std::vector<uint8_t> states = value.states;
  Column outer = std::exchange(variables_[expr.id()], std::move(value));
  const bool visited = Visit(expr.args(1), result);
  variables_[expr.id()] = std::move(outer);
  if (visited && reading_ == Reading::kQuestion) {
    for (size_t i = 0; i < size_; ++i) result->states[i] = std::max(result->states[i], states[i]);
  }
  return visited;
}

bool Evaluator::VisitCast(const Expr& expr, Column* result) {
  if (!Visit(expr.args(0), result)) return false;
  if (expr.type() == BOOL) {
    for (int64_t& value : result->values) value = static_cast<int64_t>(value != 0);
    return true;
  }
  if (reading_ == Reading::kQuestion) {
    CheckRange(expr.type(), result);
    return true;
  }
  // What an answer casts has the bits that are kept.
  const int unused = 64 - BitWidth(expr.type());
  for (int64_t& value : result->values) {
    value = static_cast<int64_t>(static_cast<uint64_t>(value) << unused) >> unused;
  }
  return true;
}

}  // namespace irate::analysis
