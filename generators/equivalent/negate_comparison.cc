// a < b is not a >= b.
#include "generators/equivalent/expressions.h"
#include "generators/equivalent/rewrite_list.h"
#include "ir/ops.h"
#include "ir/types.h"

namespace irate {
namespace {

class NegateComparison : public ExprRewrite {
 public:
  std::string_view Name() const override { return "negate-comparison"; }

 protected:
  // * A comparison of integers or BOOLs: with floats, NaN would make a difference.
  bool IsApplicable(const Expr& expr) const override {
    return expr.op() >= EQ && expr.op() <= GE && !IsFloat(expr.args(0).type()) &&
           expr.args(0).type() != HANDLE;
  }

  // The comparison becomes the negation of its opposite.
  void Apply(Function*, Expr* expr, ChoiceSource&) const override {
    expr->set_op(NegatedComparison(expr->op()));
    *expr = equivalent::Negated(Expr(*expr));
  }
};

}  // namespace

std::unique_ptr<Rewrite> MakeNegateComparison() { return std::make_unique<NegateComparison>(); }

}  // namespace irate
