// A loop is two nested loops.
#include "generators/equivalent/loops.h"
#include "generators/equivalent/rewrite_list.h"
#include "ir/builder.h"

namespace irate {
namespace {

class SplitLoop : public StmtRewrite {
 public:
  std::string_view Name() const override { return "split-loop"; }

 protected:
  // * A plain loop without a break that leaves it.
  // * Its bounds may be computed again in the body.
  bool IsApplicable(const Function&, const Stmt& stmt) const override {
    return equivalent::IsPlainLoop(stmt, /*allow_unrolled=*/true) &&
           !equivalent::HasJump(stmt, equivalent::Jumps::kBreak) &&
           equivalent::IsInvariant(stmt.args(0)) && equivalent::IsInvariant(stmt.args(1));
  }

  // for i in [m, m + n) becomes a loop over o, of as many steps as it takes, around a loop over
  // t in [0, f), with i bound to m + (o * f + t) and, unless n is a multiple of f, the body guarded
  // by o * f + t < n.
  void Apply(Function* function, StmtList* list, int index, ChoiceSource& choices) const override {
    Stmt loop = list->Get(index);
    const int64_t factor = choices.Range(2, 5);
    const ScalarType type = loop.args(0).type();
    const std::string name = function->variables(static_cast<int>(loop.id())).name();
    const uint32_t outer = build::AddVariable(function, name + "_outer", type);
    const uint32_t inner = build::AddVariable(function, name + "_inner", type);
    const Expr position = build::Binary(
        ADD, build::Binary(MUL, build::Var(*function, outer), build::Int(type, factor)),
        build::Var(*function, inner));
    std::vector<Stmt> body = {build::Bind(loop.id(), build::Binary(ADD, loop.args(0), position))};
    body.insert(body.end(), loop.body().begin(), loop.body().end());

    const std::optional<int64_t> extent = equivalent::ConstantExtent(loop);
    Expr steps;
    if (extent.has_value()) {
      steps = build::Int(type, (*extent + factor - 1) / factor);
    } else {
      steps =
          build::Binary(FLOOR_DIV, build::Binary(ADD, loop.args(1), build::Int(type, factor - 1)),
                        build::Int(type, factor));
    }
    if (!extent.has_value() || *extent % factor != 0) {
      body = {build::If(build::Binary(LT, position, loop.args(1)), std::move(body))};
    }
    Stmt nested = build::For(inner, build::Int(type, 0), build::Int(type, factor), loop.loop_kind(),
                             std::move(body));
    *list->Mutable(index) = build::For(outer, build::Int(type, 0), std::move(steps),
                                       loop.loop_kind(), {std::move(nested)});
  }
};

}  // namespace

std::unique_ptr<Rewrite> MakeSplitLoop() { return std::make_unique<SplitLoop>(); }

}  // namespace irate
