// Floor division by truncated division and an adjustment.
#include "generators/equivalent/expressions.h"
#include "generators/equivalent/rewrite_list.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

class FloorToTruncated : public ExprRewrite {
 public:
  std::string_view Name() const override { return "floor-to-truncated"; }

 protected:
  // * FLOOR_DIV or FLOOR_MOD.
  bool IsApplicable(const Expr& expr) const override {
    return expr.op() == FLOOR_DIV || expr.op() == FLOOR_MOD;
  }

  // With r = truncmod(x, y), let-bound: where r != 0 and the signs of r and y differ, the quotient
  // is truncdiv(x, y) - 1 and the remainder r + y, else truncdiv(x, y) and r. Unsigned types need
  // no adjustment. Nothing here leaves the type.
  void Apply(Function* function, Expr* expr, ChoiceSource&) const override {
    const bool is_quotient = expr->op() == FLOOR_DIV;
    if (IsUnsigned(expr->type())) {
      expr->set_op(is_quotient ? TRUNC_DIV : TRUNC_MOD);
      return;
    }
    const ScalarType type = expr->type();
    const uint32_t x = build::AddVariable(function, "x", type, expr->lanes());
    const uint32_t y = build::AddVariable(function, "y", type, expr->lanes());
    const uint32_t r = build::AddVariable(function, "r", type, expr->lanes());
    const Expr vx = build::Var(*function, x);
    const Expr vy = build::Var(*function, y);
    const Expr vr = build::Var(*function, r);
    const Expr zero = equivalent::ConstantLike(*expr, 0);
    Expr adjust =
        build::Binary(AND, build::Binary(NE, vr, zero),
                      build::Binary(NE, build::Binary(LT, vr, zero), build::Binary(LT, vy, zero)));
    Expr quotient = build::Binary(TRUNC_DIV, vx, vy);
    Expr plain = is_quotient ? quotient : vr;
    Expr adjusted = is_quotient ? build::Binary(SUB, quotient, equivalent::ConstantLike(*expr, 1))
                                : build::Binary(ADD, vr, vy);
    Expr value =
        build::Let(r, build::Binary(TRUNC_MOD, vx, vy),
                   build::Select(std::move(adjust), std::move(adjusted), std::move(plain)));
    *expr = build::Let(x, expr->args(0), build::Let(y, expr->args(1), std::move(value)));
  }
};

}  // namespace

std::unique_ptr<Rewrite> MakeFloorToTruncated() { return std::make_unique<FloorToTruncated>(); }

}  // namespace irate
