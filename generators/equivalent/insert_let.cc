// A name for a value changes nothing.
#include "generators/equivalent/expressions.h"
#include "generators/equivalent/rewrite_list.h"
#include "ir/builder.h"

namespace irate {
namespace {

class InsertLet : public ExprRewrite {
 public:
  std::string_view Name() const override { return "insert-let"; }

 protected:
  // * Any number or BOOL.
  bool IsApplicable(const Expr& expr) const override {
    return expr.type() == BOOL || equivalent::IsNumber(expr);
  }

  // x becomes (let v = x in v).
  void Apply(Function* function, Expr* expr, ChoiceSource&) const override {
    Expr value = *expr;
    const uint32_t v = build::AddVariable(function, "v", value.type(), value.lanes());
    *expr = build::Let(v, std::move(value), build::Var(*function, v));
  }
};

}  // namespace

std::unique_ptr<Rewrite> MakeInsertLet() { return std::make_unique<InsertLet>(); }

}  // namespace irate
