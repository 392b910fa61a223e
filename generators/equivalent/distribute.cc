// a * (b + c) is a * b + a * c.
#include "generators/equivalent/expressions.h"
#include "generators/equivalent/rewrite_list.h"
#include "ir/builder.h"

namespace irate {
namespace {

class Distribute : public ExprRewrite {
 public:
  std::string_view Name() const override { return "distribute"; }

 protected:
  // * A product with a sum or a difference as its second operand.
  // * The first operand may be evaluated twice and is small, so that programs stay small.
  bool IsApplicable(const Expr& expr) const override {
    return expr.op() == MUL && (expr.args(1).op() == ADD || expr.args(1).op() == SUB) &&
           equivalent::MayRepeat(expr.args(0)) && equivalent::Size(expr.args(0)) <= 8;
  }

  // a * (b + c) becomes a * b + a * c, the same with a difference.
  void Apply(Function*, Expr* expr, ChoiceSource&) const override {
    Expr factor = expr->args(0);
    Expr sum = expr->args(1);
    *expr = build::Binary(sum.op(), build::Binary(MUL, factor, sum.args(0)),
                          build::Binary(MUL, factor, sum.args(1)));
  }
};

}  // namespace

std::unique_ptr<Rewrite> MakeDistribute() { return std::make_unique<Distribute>(); }

}  // namespace irate
