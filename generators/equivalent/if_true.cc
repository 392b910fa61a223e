// What is guarded by true is not guarded.
#include "generators/equivalent/rewrite_list.h"
#include "ir/builder.h"

namespace irate {
namespace {

class IfTrue : public StmtRewrite {
 public:
  std::string_view Name() const override { return "if-true"; }

 protected:
  // * The statement defines nothing that later ones see.
  bool IsApplicable(const Function&, const Stmt& stmt) const override {
    return stmt.kind() == STORE || stmt.kind() == FOR || stmt.kind() == WHILE ||
           stmt.kind() == IF || stmt.kind() == EVALUATE;
  }

  // S becomes if (true) S.
  void Apply(Function*, StmtList* list, int index, ChoiceSource&) const override {
    Stmt* stmt = list->Mutable(index);
    *stmt = build::If(build::BoolConst(true), {Stmt(*stmt)});
  }
};

}  // namespace

std::unique_ptr<Rewrite> MakeIfTrue() { return std::make_unique<IfTrue>(); }

}  // namespace irate
