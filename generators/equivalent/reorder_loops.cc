// Loops whose iterations do not depend on each other across both may change places.
#include "generators/equivalent/dependence.h"
#include "generators/equivalent/loops.h"
#include "generators/equivalent/rewrite_list.h"

namespace irate {
namespace {

class ReorderLoops : public StmtRewrite {
 public:
  std::string_view Name() const override { return "reorder-loops"; }

 protected:
  // * A plain loop around nothing but a plain loop, without jumps that concern either.
  // * The bounds of the inner loop are constants.
  // * Iterations conflict only within one value of the outer or of the inner variable
  //   (dependence.h).
  bool IsApplicable(const Function& function, const Stmt& stmt) const override {
    if (!equivalent::IsPlainLoop(stmt) || stmt.body_size() != 1) return false;
    const Stmt& inner = stmt.body(0);
    if (!equivalent::IsPlainLoop(inner)) return false;
    if (inner.args(0).op() != CONST || inner.args(1).op() != CONST) return false;
    return equivalent::IsInvariant(stmt.args(0)) && equivalent::IsInvariant(stmt.args(1)) &&
           !equivalent::HasJump(inner, equivalent::Jumps::kAny) &&
           equivalent::MayInterchange(function, stmt);
  }

  // The loops change places.
  void Apply(Function*, StmtList* list, int index, ChoiceSource&) const override {
    Stmt* stmt = list->Mutable(index);
    Stmt inner = stmt->body(0);
    Stmt outer = *stmt;
    outer.mutable_body()->Swap(inner.mutable_body());
    *inner.mutable_body(0) = std::move(outer);
    *stmt = std::move(inner);
  }
};

}  // namespace

std::unique_ptr<Rewrite> MakeReorderLoops() { return std::make_unique<ReorderLoops>(); }

}  // namespace irate
