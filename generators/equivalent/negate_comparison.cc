// a < b is not a >= b.
#include "generators/equivalent/expressions.h"
#include "generators/equivalent/rewrite_list.h"
#include "ir/types.h"

namespace irate {
namespace {

Op Opposite(Op comparison) {
  switch (comparison) {
    case EQ:
      return NE;
    case NE:
      return EQ;
    case LT:
      return GE;
    case LE:
      return GT;
    case GT:
      return LE;
    default:
      return LT;
  }
}

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
    expr->set_op(Opposite(expr->op()));
    *expr = equivalent::Negated(Expr(*expr));
  }
};

}  // namespace

std::unique_ptr<Rewrite> MakeNegateComparison() { return std::make_unique<NegateComparison>(); }

}  // namespace irate
