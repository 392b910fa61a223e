// A guard by two conditions is two guards.
#include "generators/equivalent/rewrite_list.h"
#include "ir/builder.h"

namespace irate {
namespace {

class NestConditions : public StmtRewrite {
 public:
  std::string_view Name() const override { return "nest-conditions"; }

 protected:
  // * An IF by an AND, without an else branch.
  bool IsApplicable(const Function&, const Stmt& stmt) const override {
    return stmt.kind() == IF && stmt.orelse().empty() && stmt.args(0).op() == AND;
  }

  // if (a && b) S becomes if (a) if (b) S.
  void Apply(Function*, StmtList* list, int index, ChoiceSource&) const override {
    Stmt* stmt = list->Mutable(index);
    Stmt inner = *stmt;
    *inner.mutable_args(0) = stmt->args(0).args(1);
    *stmt = build::If(Expr(stmt->args(0).args(0)), {std::move(inner)});
  }
};

}  // namespace

std::unique_ptr<Rewrite> MakeNestConditions() { return std::make_unique<NestConditions>(); }

}  // namespace irate
