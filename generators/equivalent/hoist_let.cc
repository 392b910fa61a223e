// A name in an expression is a name before the statement.
#include "generators/equivalent/expressions.h"
#include "generators/equivalent/rewrite_list.h"
#include "ir/builder.h"

namespace irate {
namespace {

// The outermost LET that no other decides over and no choice leaves out, nullptr if there is none.
// Its value may use no variable of the expression, as it is not inside another LET.
const Expr* FirstLet(const Expr& expr) {
  if (equivalent::IsFixed(expr)) return nullptr;
  if (expr.op() == LET) return equivalent::IsPure(expr.args(0)) ? &expr : nullptr;
  const int evaluated = expr.op() == IF_THEN_ELSE ? 1 : expr.args_size();
  for (int i = 0; i < evaluated; ++i) {
    if (const Expr* found = FirstLet(expr.args(i))) return found;
  }
  return nullptr;
}

const Expr* FirstLet(const google::protobuf::RepeatedPtrField<Expr>& args) {
  for (const Expr& arg : args) {
    if (const Expr* found = FirstLet(arg)) return found;
  }
  return nullptr;
}

class HoistLet : public StmtRewrite {
 public:
  std::string_view Name() const override { return "hoist-let"; }

 protected:
  // * STORE, BIND or IF with a LET that is evaluated whenever the statement is.
  bool IsApplicable(const Function&, const Stmt& stmt) const override {
    if (stmt.kind() != STORE && stmt.kind() != BIND && stmt.kind() != IF) return false;
    return FirstLet(stmt.args()) != nullptr;
  }

  // The LET becomes a BIND before the statement, and its body stands for it.
  void Apply(Function*, StmtList* list, int index, ChoiceSource&) const override {
    Stmt* stmt = list->Mutable(index);
    Expr* let = const_cast<Expr*>(FirstLet(stmt->args()));
    Stmt bind = build::Bind(let->id(), Expr(let->args(0)));
    *let = Expr(let->args(1));
    *list->Add() = std::move(bind);
    for (int i = list->size() - 1; i > index; --i) list->SwapElements(i, i - 1);
  }
};

}  // namespace

std::unique_ptr<Rewrite> MakeHoistLet() { return std::make_unique<HoistLet>(); }

}  // namespace irate
