// Two nested loops are one.
#include "generators/equivalent/expressions.h"
#include "generators/equivalent/loops.h"
#include "generators/equivalent/rewrite_list.h"
#include "ir/builder.h"

namespace irate {
namespace {

class FuseLoops : public StmtRewrite {
 public:
  std::string_view Name() const override { return "fuse-loops"; }

 protected:
  // * A plain loop around nothing but a plain loop, both of one type, with constant extents of at
  //   least 1 and a product of at most 2^20.
  // * The minimum of the inner loop does not depend on the outer variable.
  // * No break leaves the inner loop.
  bool IsApplicable(const Function&, const Stmt& stmt) const override {
    if (!equivalent::IsPlainLoop(stmt) || stmt.body_size() != 1) return false;
    const Stmt& inner = stmt.body(0);
    if (!equivalent::IsPlainLoop(inner) || inner.args(0).type() != stmt.args(0).type())
      return false;
    if (equivalent::HasJump(inner, equivalent::Jumps::kBreak)) return false;
    const std::optional<int64_t> n = equivalent::ConstantExtent(stmt);
    const std::optional<int64_t> m = equivalent::ConstantExtent(inner);
    return n.value_or(0) >= 1 && m.value_or(0) >= 1 && *n * *m <= (int64_t{1} << 20) &&
           equivalent::IsInvariant(stmt.args(0)) && equivalent::IsInvariant(inner.args(0)) &&
           !equivalent::UsesVariable(inner.args(0), stmt.id());
  }

  // for i in [a, a + n), for j in [b, b + m) becomes one loop over f in [0, n * m), with i bound to
  // a + floordiv(f, m) and j to b + floormod(f, m).
  void Apply(Function* function, StmtList* list, int index, ChoiceSource&) const override {
    const Stmt outer = list->Get(index);
    const Stmt& inner = outer.body(0);
    const ScalarType type = outer.args(0).type();
    const uint32_t fused = build::AddVariable(function, "fused", type);
    const Expr position = build::Var(*function, fused);
    const Expr& width = inner.args(1);
    std::vector<Stmt> body = {
        build::Bind(outer.id(),
                    build::Binary(ADD, outer.args(0), build::Binary(FLOOR_DIV, position, width))),
        build::Bind(inner.id(),
                    build::Binary(ADD, inner.args(0), build::Binary(FLOOR_MOD, position, width)))};
    body.insert(body.end(), inner.body().begin(), inner.body().end());
    const int64_t total = outer.args(1).int_value() * width.int_value();
    *list->Mutable(index) =
        build::For(fused, build::Int(type, 0), build::Int(type, total), SERIAL, std::move(body));
  }
};

}  // namespace

std::unique_ptr<Rewrite> MakeFuseLoops() { return std::make_unique<FuseLoops>(); }

}  // namespace irate
