// a + b is b + a.
#include "generators/equivalent/rewrite_list.h"
#include "google/protobuf/util/message_differencer.h"

namespace irate {
namespace {

bool IsCommutative(Op op) {
  switch (op) {
    case ADD:
    case MUL:
    case MIN:
    case MAX:
    case EQ:
    case NE:
    case AND:
    case OR:
    case BIT_AND:
    case BIT_OR:
    case BIT_XOR:
      return true;
    default:
      return false;
  }
}

class Commute : public ExprRewrite {
 public:
  std::string_view Name() const override { return "commute"; }

 protected:
  // * The operator is commutative. Of MIN and MAX on floats the order of NaN is not judged.
  // * The operands differ.
  bool IsApplicable(const Expr& expr) const override {
    return IsCommutative(expr.op()) &&
           !google::protobuf::util::MessageDifferencer::Equals(expr.args(0), expr.args(1));
  }

  // The operands change places.
  void Apply(Function*, Expr* expr, ChoiceSource&) const override {
    expr->mutable_args()->SwapElements(0, 1);
  }
};

}  // namespace

std::unique_ptr<Rewrite> MakeCommute() { return std::make_unique<Commute>(); }

}  // namespace irate
