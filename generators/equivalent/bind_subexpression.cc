// A part of a value may be computed before the statement.
#include <vector>
#include "generators/equivalent/expressions.h"
#include "generators/equivalent/rewrite_list.h"
#include "ir/builder.h"

namespace irate {
namespace {

void Collect(const Expr& expr, std::vector<const Expr*>* found) {
  if (equivalent::IsFixed(expr)) return;
  const bool is_form = expr.op() == RAMP || expr.op() == BROADCAST;  // compilers look for these
  if (!expr.args().empty() && !is_form && equivalent::IsPure(expr)) found->push_back(&expr);
  if (expr.op() == LET || is_form) return;
  const int evaluated = expr.op() == IF_THEN_ELSE ? 1 : expr.args_size();
  for (int i = 0; i < evaluated; ++i) Collect(expr.args(i), found);
}

std::vector<const Expr*> Candidates(const Stmt& stmt) {
  std::vector<const Expr*> found;
  for (const Expr& arg : stmt.args()) Collect(arg, &found);
  return found;
}

class BindSubexpression : public StmtRewrite {
 public:
  std::string_view Name() const override { return "bind-subexpression"; }

 protected:
  // * STORE, BIND or IF with an operand that is evaluated whenever the statement is, outside of
  // LETs.
  bool IsApplicable(const Function&, const Stmt& stmt) const override {
    if (stmt.kind() != STORE && stmt.kind() != BIND && stmt.kind() != IF) return false;
    return !Candidates(stmt).empty();
  }

  // One such operand becomes a BIND before the statement, and its variable stands for it.
  void Apply(Function* function, StmtList* list, int index, ChoiceSource& choices) const override {
    Stmt* stmt = list->Mutable(index);
    const std::vector<const Expr*> candidates = Candidates(*stmt);
    const auto chosen =
        static_cast<size_t>(choices.Range(0, static_cast<int64_t>(candidates.size()) - 1));
    Expr* part = const_cast<Expr*>(candidates[chosen]);
    const uint32_t variable = build::AddVariable(function, "part", part->type(), part->lanes());
    Stmt bind = build::Bind(variable, Expr(*part));
    *part = build::Var(*function, variable);
    *list->Add() = std::move(bind);
    for (int i = list->size() - 1; i > index; --i) list->SwapElements(i, i - 1);
  }
};

}  // namespace

std::unique_ptr<Rewrite> MakeBindSubexpression() { return std::make_unique<BindSubexpression>(); }

}  // namespace irate
