// A choice by a condition is the opposite choice by the opposite condition.
#include "generators/equivalent/expressions.h"
#include "generators/equivalent/rewrite_list.h"

namespace irate {
namespace {

class SwapArms : public ExprRewrite {
 public:
  std::string_view Name() const override { return "swap-arms"; }

 protected:
  // * SELECT or IF_THEN_ELSE.
  bool IsApplicable(const Expr& expr) const override {
    return expr.op() == SELECT || expr.op() == IF_THEN_ELSE;
  }

  // The arms change places and the condition is negated.
  void Apply(Function*, Expr* expr, ChoiceSource&) const override {
    *expr->mutable_args(0) = equivalent::Negated(expr->args(0));
    expr->mutable_args()->SwapElements(1, 2);
  }
};

}  // namespace

std::unique_ptr<Rewrite> MakeSwapArms() { return std::make_unique<SwapArms>(); }

}  // namespace irate
