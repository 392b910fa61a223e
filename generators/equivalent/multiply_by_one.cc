// x is x * 1.
#include "generators/equivalent/expressions.h"
#include "generators/equivalent/rewrite_list.h"
#include "ir/builder.h"

namespace irate {
namespace {

class MultiplyByOne : public ExprRewrite {
 public:
  std::string_view Name() const override { return "multiply-by-one"; }

 protected:
  // * The value is an integer or a float.
  bool IsApplicable(const Expr& expr) const override { return equivalent::IsNumber(expr); }

  // x becomes x * 1.
  void Apply(Function*, Expr* expr, ChoiceSource&) const override {
    Expr value = *expr;
    Expr one = equivalent::ConstantLike(value, 1);
    *expr = build::Binary(MUL, std::move(value), std::move(one));
  }
};

}  // namespace

std::unique_ptr<Rewrite> MakeMultiplyByOne() { return std::make_unique<MultiplyByOne>(); }

}  // namespace irate
