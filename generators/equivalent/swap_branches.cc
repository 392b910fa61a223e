// The branches of a condition are the opposite ones of the opposite condition.
#include "generators/equivalent/expressions.h"
#include "generators/equivalent/rewrite_list.h"

namespace irate {
namespace {

class SwapBranches : public StmtRewrite {
 public:
  std::string_view Name() const override { return "swap-branches"; }

 protected:
  // * An IF with both branches.
  bool IsApplicable(const Function&, const Stmt& stmt) const override {
    return stmt.kind() == IF && !stmt.body().empty() && !stmt.orelse().empty();
  }

  // The branches change places and the condition is negated.
  void Apply(Function*, StmtList* list, int index, ChoiceSource&) const override {
    Stmt* stmt = list->Mutable(index);
    *stmt->mutable_args(0) = equivalent::Negated(stmt->args(0));
    stmt->mutable_body()->Swap(stmt->mutable_orelse());
  }
};

}  // namespace

std::unique_ptr<Rewrite> MakeSwapBranches() { return std::make_unique<SwapBranches>(); }

}  // namespace irate
