// Edits of many places at once: a type or a constant of the whole program. Done place by place they
// would pass through programs that do not verify.
#include <algorithm>
#include <array>
#include <functional>
#include <set>

#include "ir/types.h"
#include "ir/visit.h"
#include "triage/edit_kinds.h"
#include "triage/edit_places.h"

namespace irate::edits {
namespace {

constexpr std::array kRetyped = {I64, I16, I8,   U64,      U32,    U16, U8,
                                 F64, F16, BF16, F8E4M3FN, F8E5M2, F32};

void RetypeExpr(Expr* expr, ScalarType from, ScalarType to) {
  if (expr->type() == from) {
    expr->set_type(to);
    if (expr->op() == CONST && IsFloat(from) && !IsFloat(to)) {
      expr->set_int_value(static_cast<int64_t>(std::clamp(expr->float_value(), -1e6, 1e6)));
      expr->clear_float_value();
    }
  }
  const bool converts = expr->op() == CAST || expr->op() == REINTERPRET;
  if (converts && expr->args_size() == 1 && expr->args(0).type() == expr->type() &&
      expr->args(0).lanes() == expr->lanes()) {
    const Expr operand = expr->args(0);
    *expr = operand;
  }
}

template <typename T>
bool RetypeDeclaration(T* declaration, ScalarType from, ScalarType to) {
  if (declaration->type() != from) return false;
  declaration->set_type(to);
  return true;
}

}  // namespace

// Every value of a type less common than i32 and f32 becomes one of these, constants included;
// casts between equal types go. Variants: i32, f32.
EditResult Retype(Case* test_case, int position, int variant) {
  if (position >= static_cast<int>(kRetyped.size())) return EditResult::kNoPosition;
  const ScalarType from = kRetyped[static_cast<size_t>(position)];
  const ScalarType to = variant == 0 ? I32 : F32;
  if (from == to || (IsInteger(from) && IsFloat(to))) return EditResult::kNotApplicable;
  bool found = false;
  for (Function& function : *test_case->mutable_module()->mutable_functions()) {
    for (Variable& variable : *function.mutable_variables()) {
      found |= RetypeDeclaration(&variable, from, to);
      if (variable.pointee() == from) variable.set_pointee(to);
    }
    for (Buffer& buffer : *function.mutable_buffers()) {
      found |= RetypeDeclaration(&buffer, from, to);
    }
    if (function.result() == from) function.set_result(to);
    VisitExprs(&function, [&](Expr& expr) {
      found |= expr.type() == from;
      RetypeExpr(&expr, from, to);
    });
  }
  if (!found) return EditResult::kNotApplicable;
  if (!IsFloat(to)) {
    for (ParamInput& input : *test_case->mutable_inputs()->mutable_params()) input.clear_real();
  }
  return EditResult::kApplied;
}

// All integer constants of one value, in shapes, extents and indices alike. Positions go through
// the values above 1, the largest first. Variants: 1, 2, the half, one less.
EditResult ShrinkEqualConstants(Case* test_case, int position, int variant) {
  std::set<int64_t, std::greater<>> values;
  for (const Function& function : test_case->module().functions()) {
    VisitExprs(function, [&](const Expr& expr) {
      if (expr.op() == CONST && IsInteger(expr.type()) && expr.int_value() > 1) {
        values.insert(expr.int_value());
      }
    });
  }
  if (position >= static_cast<int>(values.size())) return EditResult::kNoPosition;
  const int64_t value = *std::next(values.begin(), position);
  const std::array<int64_t, 4> sizes = {1, 2, value / 2, value - 1};
  const int64_t size = sizes[static_cast<size_t>(variant)];
  if (size < 1 || size >= value) return EditResult::kNotApplicable;
  for (Function& function : *test_case->mutable_module()->mutable_functions()) {
    VisitExprs(&function, [&](Expr& expr) {
      if (expr.op() == CONST && IsInteger(expr.type()) && expr.int_value() == value) {
        expr.set_int_value(size);
      }
    });
  }
  return EditResult::kApplied;
}

}  // namespace irate::edits
