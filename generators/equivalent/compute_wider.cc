// Narrow integers wrap: their sum in a wider type, cut back, is the same.
#include "generators/equivalent/rewrite_list.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

class ComputeWider : public ExprRewrite {
 public:
  std::string_view Name() const override { return "compute-wider"; }

 protected:
  // * ADD, SUB or MUL of integers of at most 32 bits.
  bool IsApplicable(const Expr& expr) const override {
    const bool is_ring_op = expr.op() == ADD || expr.op() == SUB || expr.op() == MUL;
    return is_ring_op && IsInteger(expr.type()) && BitWidth(expr.type()) <= 32;
  }

  // The operands are widened to i64 and the result is cast back.
  void Apply(Function*, Expr* expr, ChoiceSource&) const override {
    const ScalarType type = expr->type();
    *expr = build::Cast(type, build::Binary(expr->op(), build::Cast(I64, expr->args(0)),
                                            build::Cast(I64, expr->args(1))));
  }
};

}  // namespace

std::unique_ptr<Rewrite> MakeComputeWider() { return std::make_unique<ComputeWider>(); }

}  // namespace irate
