// min(a, b) is a where a < b, else b.
#include "generators/equivalent/expressions.h"
#include "generators/equivalent/rewrite_list.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

class MinimumToSelect : public ExprRewrite {
 public:
  std::string_view Name() const override { return "minimum-to-select"; }

 protected:
  // * MIN or MAX of integers: of floats, NaN and the sign of zero would make a difference.
  // * Both operands may be evaluated twice and are small.
  bool IsApplicable(const Expr& expr) const override {
    if (expr.op() != MIN && expr.op() != MAX) return false;
    return IsInteger(expr.type()) && equivalent::MayRepeat(expr) && equivalent::Size(expr) <= 16;
  }

  // min(a, b) becomes select(a < b, a, b); max with a > b.
  void Apply(Function*, Expr* expr, ChoiceSource&) const override {
    const Expr a = expr->args(0);
    const Expr b = expr->args(1);
    *expr = build::Select(build::Binary(expr->op() == MIN ? LT : GT, a, b), a, b);
  }
};

}  // namespace

std::unique_ptr<Rewrite> MakeMinimumToSelect() { return std::make_unique<MinimumToSelect>(); }

}  // namespace irate
