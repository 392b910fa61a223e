// A loop may count from elsewhere.
#include "generators/equivalent/loops.h"
#include "generators/equivalent/rewrite_list.h"
#include "ir/builder.h"

namespace irate {
namespace {

class ShiftLoop : public StmtRewrite {
 public:
  std::string_view Name() const override { return "shift-loop"; }

 protected:
  // * A plain loop whose minimum is a constant below 2^20.
  bool IsApplicable(const Function&, const Stmt& stmt) const override {
    return equivalent::IsPlainLoop(stmt, /*allow_unrolled=*/true) && stmt.args(0).op() == CONST &&
           stmt.args(0).int_value() < (int64_t{1} << 20);
  }

  // for i in [m, m + n) becomes for s in [m + c, m + c + n), with i bound to s - c.
  void Apply(Function* function, StmtList* list, int index, ChoiceSource& choices) const override {
    Stmt* loop = list->Mutable(index);
    const ScalarType type = loop->args(0).type();
    const int64_t shift = choices.Range(1, 5);
    const uint32_t shifted = build::AddVariable(function, "shifted", type);
    std::vector<Stmt> body = {build::Bind(
        loop->id(), build::Binary(SUB, build::Var(*function, shifted), build::Int(type, shift)))};
    body.insert(body.end(), loop->body().begin(), loop->body().end());
    *loop = build::For(shifted, build::Int(type, loop->args(0).int_value() + shift),
                       Expr(loop->args(1)), loop->loop_kind(), std::move(body));
  }
};

}  // namespace

std::unique_ptr<Rewrite> MakeShiftLoop() { return std::make_unique<ShiftLoop>(); }

}  // namespace irate
