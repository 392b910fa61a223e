// x is x + 0.
#include "generators/equivalent/expressions.h"
#include "generators/equivalent/rewrite_list.h"
#include "ir/builder.h"

namespace irate {
namespace {

class AddZero : public ExprRewrite {
 public:
  std::string_view Name() const override { return "add-zero"; }

 protected:
  // * The value is an integer or a float; a zero's sign counts for nothing.
  bool IsApplicable(const Expr& expr) const override { return equivalent::IsNumber(expr); }

  // x becomes x + 0, 0 + x or x - 0.
  void Apply(Function*, Expr* expr, ChoiceSource& choices) const override {
    Expr value = *expr;
    Expr zero = equivalent::ConstantLike(value, 0);
    switch (choices.Range(0, 2)) {
      case 0:
        *expr = build::Binary(ADD, std::move(value), std::move(zero));
        break;
      case 1:
        *expr = build::Binary(ADD, std::move(zero), std::move(value));
        break;
      default:
        *expr = build::Binary(SUB, std::move(value), std::move(zero));
    }
  }
};

}  // namespace

std::unique_ptr<Rewrite> MakeAddZero() { return std::make_unique<AddZero>(); }

}  // namespace irate
