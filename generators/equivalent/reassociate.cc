// (a + b) + c is a + (b + c).
#include "generators/equivalent/rewrite_list.h"
#include "ir/builder.h"

namespace irate {
namespace {

bool IsAssociative(Op op) {
  switch (op) {
    case ADD:
    case MUL:
    case MIN:
    case MAX:
    case AND:
    case OR:
    case BIT_AND:
    case BIT_OR:
    case BIT_XOR:
      return true;
    default:
      return false;
  }
}

class Reassociate : public ExprRewrite {
 public:
  std::string_view Name() const override { return "reassociate"; }

 protected:
  // * The operator is associative: on wrapping integers, or on floats within their bounds.
  // * The first or the second operand has the same operator.
  bool IsApplicable(const Expr& expr) const override {
    return IsAssociative(expr.op()) &&
           (expr.args(0).op() == expr.op() || expr.args(1).op() == expr.op());
  }

  // (a + b) + c becomes a + (b + c), or the other way round.
  void Apply(Function*, Expr* expr, ChoiceSource&) const override {
    const bool to_right = expr->args(0).op() == expr->op();
    Expr nested = expr->args(to_right ? 0 : 1);
    Expr other = expr->args(to_right ? 1 : 0);
    const Op op = expr->op();
    *expr = to_right ? build::Binary(op, nested.args(0), build::Binary(op, nested.args(1), other))
                     : build::Binary(op, build::Binary(op, other, nested.args(0)), nested.args(1));
  }
};

}  // namespace

std::unique_ptr<Rewrite> MakeReassociate() { return std::make_unique<Reassociate>(); }

}  // namespace irate
