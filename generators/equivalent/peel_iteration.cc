// A loop is its first iteration and a loop over the others.
#include "generators/equivalent/clone.h"
#include "generators/equivalent/loops.h"
#include "generators/equivalent/rewrite_list.h"
#include "ir/builder.h"

namespace irate {
namespace {

class PeelIteration : public StmtRewrite {
 public:
  std::string_view Name() const override { return "peel-iteration"; }

 protected:
  // * A plain loop of at least one iteration and without jumps that concern it.
  // * Its minimum may be computed again, and its body copied.
  bool IsApplicable(const Function&, const Stmt& stmt) const override {
    return equivalent::IsPlainLoop(stmt) && equivalent::ConstantExtent(stmt).value_or(0) >= 1 &&
           equivalent::IsInvariant(stmt.args(0)) &&
           !equivalent::HasJump(stmt, equivalent::Jumps::kAny) && equivalent::MayCopyBody(stmt, 2);
  }

  // The body with the variable bound to the minimum stands before the loop, which starts one later.
  void Apply(Function* function, StmtList* list, int index, ChoiceSource&) const override {
    Stmt* loop = list->Mutable(index);
    StmtList result;
    for (int i = 0; i < index; ++i) *result.Add() = list->Get(i);
    StmtList iteration;
    *iteration.Add() = build::Bind(loop->id(), Expr(loop->args(0)));
    iteration.MergeFrom(loop->body());
    result.MergeFrom(equivalent::CloneWithFreshDefinitions(function, iteration));
    *loop->mutable_args(0) =
        build::Binary(ADD, Expr(loop->args(0)), equivalent::LoopConstant(*loop, 1));
    *loop->mutable_args(1) = equivalent::LoopConstant(*loop, loop->args(1).int_value() - 1);
    for (int i = index; i < list->size(); ++i) *result.Add() = list->Get(i);
    list->Swap(&result);
  }
};

}  // namespace

std::unique_ptr<Rewrite> MakePeelIteration() { return std::make_unique<PeelIteration>(); }

}  // namespace irate
