// Twice the opposite is the value itself.
#include "generators/equivalent/expressions.h"
#include "generators/equivalent/rewrite_list.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

class DoubleNegation : public ExprRewrite {
 public:
  std::string_view Name() const override { return "double-negation"; }

 protected:
  // * Any number or BOOL.
  bool IsApplicable(const Expr& expr) const override {
    return expr.type() == BOOL || equivalent::IsNumber(expr);
  }

  // A BOOL becomes NOT NOT x; an integer ~~x or 0 - (0 - x); a float 0 - (0 - x).
  void Apply(Function*, Expr* expr, ChoiceSource& choices) const override {
    Expr value = *expr;
    if (value.type() == BOOL) {
      *expr = equivalent::Negated(equivalent::Negated(std::move(value)));
    } else if (IsInteger(value.type()) && choices.Chance(1, 2)) {
      *expr = build::Unary(BIT_NOT, build::Unary(BIT_NOT, std::move(value)));
    } else {
      const Expr zero = equivalent::ConstantLike(value, 0);
      *expr = build::Binary(SUB, zero, build::Binary(SUB, zero, std::move(value)));
    }
  }
};

}  // namespace

std::unique_ptr<Rewrite> MakeDoubleNegation() { return std::make_unique<DoubleNegation>(); }

}  // namespace irate
