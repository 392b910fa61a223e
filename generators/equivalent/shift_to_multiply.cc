// A left shift by a constant is a multiplication by a power of two.
#include "generators/equivalent/expressions.h"
#include "generators/equivalent/rewrite_list.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

class ShiftToMultiply : public ExprRewrite {
 public:
  std::string_view Name() const override { return "shift-to-multiply"; }

 protected:
  // * SHL by a constant, or a BROADCAST of one, such that the power of two fits the type.
  bool IsApplicable(const Expr& expr) const override {
    if (expr.op() != SHL) return false;
    const Expr& amount = expr.args(1).op() == BROADCAST ? expr.args(1).args(0) : expr.args(1);
    return amount.op() == CONST && amount.int_value() >= 0 &&
           amount.int_value() < BitWidth(expr.type()) - 1;
  }

  // x << c becomes x * 2^c.
  void Apply(Function*, Expr* expr, ChoiceSource&) const override {
    const Expr& amount = expr->args(1).op() == BROADCAST ? expr->args(1).args(0) : expr->args(1);
    Expr power = equivalent::ConstantLike(*expr, int64_t{1} << amount.int_value());
    *expr = build::Binary(MUL, Expr(expr->args(0)), std::move(power));
  }
};

}  // namespace

std::unique_ptr<Rewrite> MakeShiftToMultiply() { return std::make_unique<ShiftToMultiply>(); }

}  // namespace irate
