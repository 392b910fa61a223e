// a < b is b > a.
#include "generators/equivalent/rewrite_list.h"

namespace irate {
namespace {

Op Mirrored(Op comparison) {
  switch (comparison) {
    case LT:
      return GT;
    case LE:
      return GE;
    case GT:
      return LT;
    default:
      return LE;
  }
}

class MirrorComparison : public ExprRewrite {
 public:
  std::string_view Name() const override { return "mirror-comparison"; }

 protected:
  // * An order comparison of numbers; NaN makes both sides false.
  bool IsApplicable(const Expr& expr) const override { return expr.op() >= LT && expr.op() <= GE; }

  // The operands change places, and the operator is mirrored.
  void Apply(Function*, Expr* expr, ChoiceSource&) const override {
    expr->mutable_args()->SwapElements(0, 1);
    expr->set_op(Mirrored(expr->op()));
  }
};

}  // namespace

std::unique_ptr<Rewrite> MakeMirrorComparison() { return std::make_unique<MirrorComparison>(); }

}  // namespace irate
