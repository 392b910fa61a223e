// A short loop is its body, some times over.
#include "generators/equivalent/clone.h"
#include "generators/equivalent/loops.h"
#include "generators/equivalent/rewrite_list.h"
#include "ir/builder.h"

namespace irate {
namespace {

class UnrollLoop : public StmtRewrite {
 public:
  std::string_view Name() const override { return "unroll-loop"; }

 protected:
  // * A plain loop of one to eight iterations and without jumps that concern it.
  // * Its minimum may be computed again, and its body copied.
  bool IsApplicable(const Function&, const Stmt& stmt) const override {
    if (!equivalent::IsPlainLoop(stmt, /*allow_unrolled=*/true)) return false;
    const int64_t extent = equivalent::ConstantExtent(stmt).value_or(0);
    return extent >= 1 && extent <= 8 && equivalent::IsInvariant(stmt.args(0)) &&
           !equivalent::HasJump(stmt, equivalent::Jumps::kAny) &&
           equivalent::MayCopyBody(stmt, static_cast<int>(extent));
  }

  // The body for each value of the variable, bound to it, one after the other.
  void Apply(Function* function, StmtList* list, int index, ChoiceSource&) const override {
    const Stmt loop = list->Get(index);
    StmtList result;
    for (int i = 0; i < index; ++i) *result.Add() = list->Get(i);
    for (int64_t k = 0; k < loop.args(1).int_value(); ++k) {
      StmtList iteration;
      *iteration.Add() = build::Bind(
          loop.id(), build::Binary(ADD, loop.args(0), equivalent::LoopConstant(loop, k)));
      iteration.MergeFrom(loop.body());
      result.MergeFrom(equivalent::CloneWithFreshDefinitions(function, iteration));
    }
    for (int i = index + 1; i < list->size(); ++i) *result.Add() = list->Get(i);
    list->Swap(&result);
  }
};

}  // namespace

std::unique_ptr<Rewrite> MakeUnrollLoop() { return std::make_unique<UnrollLoop>(); }

}  // namespace irate
