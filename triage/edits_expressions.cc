// Edits of expressions: to a constant, to an operand, to an index, to a smaller constant.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "ir/types.h"
#include "triage/edit_kinds.h"
#include "triage/edit_places.h"

namespace irate::edits {

int64_t FloatWeight(double value) {
  if (value == 0) return 0;
  if (value == 1) return 1;
  if (value != std::trunc(value)) return 40;
  return 2 + static_cast<int64_t>(std::min(30.0, std::log2(std::abs(value))));
}

namespace {

bool IsLeafConstant(const Expr& expr) { return expr.op() == CONST || expr.op() == STRING; }

Expr Constant(const Expr& like, int64_t value) {
  Expr scalar = IntConst(like.type(), value);
  if (IsFloat(like.type())) {
    scalar.clear_int_value();
    scalar.set_float_value(static_cast<double>(value));
  }
  if (like.lanes() == 0) return scalar;
  Expr vector;
  vector.set_op(BROADCAST);
  vector.set_type(like.type());
  vector.set_lanes(like.lanes());
  *vector.add_args() = std::move(scalar);
  return vector;
}

}  // namespace

bool ToConstant(Expr* expr, int variant) {
  const bool has_constants =
      IsFloat(expr->type()) || IsInteger(expr->type()) || expr->type() == BOOL;
  if (IsLeafConstant(*expr) || !has_constants) return false;
  *expr = Constant(*expr, variant);
  return true;
}

// An expression gives way to an operand of its type; a let to its body with the value put in.
bool ToOperand(Expr* expr, int variant) {
  if (expr->op() == LET) {
    if (variant != 0) return false;
    Expr body = expr->args(1);
    Substitute(&body, expr->id(), expr->args(0));
    *expr = std::move(body);
    return true;
  }
  if (expr->op() == LOAD || variant >= expr->args_size()) return false;
  const Expr operand = expr->args(variant);
  if (operand.type() != expr->type() || operand.lanes() != expr->lanes()) return false;
  *expr = operand;
  return true;
}

// A load gives way to one of its indices, cast to its type: what matters is then in the value, and
// the buffer can go.
bool LoadToIndex(Expr* expr, int variant) {
  if (expr->op() != LOAD || variant >= expr->args_size()) return false;
  if (!IsFloat(expr->type()) && !IsInteger(expr->type())) return false;
  const Expr index = expr->args(variant);
  if (index.lanes() != expr->lanes()) return false;
  if (index.type() == expr->type()) {
    *expr = index;
    return true;
  }
  Expr cast;
  cast.set_op(CAST);
  cast.set_type(expr->type());
  cast.set_lanes(expr->lanes());
  *cast.add_args() = index;
  *expr = std::move(cast);
  return true;
}

bool ShrinkConstant(Expr* expr, int variant) {
  if (expr->op() != CONST) return false;
  if (IsFloat(expr->type())) {
    const double value = expr->float_value();
    const std::array<double, 4> sizes = {0, 1, std::trunc(value), std::trunc(value / 2)};
    const double size = sizes[static_cast<size_t>(variant)];
    if (!std::isfinite(value) || FloatWeight(size) >= FloatWeight(value)) return false;
    expr->set_float_value(size);
    return true;
  }
  const int64_t value = expr->int_value();
  const std::array<int64_t, 4> sizes = {0, 1, 2, value / 2};
  const int64_t size = sizes[static_cast<size_t>(variant)];
  if (std::abs(size) >= std::abs(value)) return false;
  expr->set_int_value(size);
  return true;
}

}  // namespace irate::edits
