// An expression gives way to one of its operands.
#include <algorithm>

#include "generators/mutate/material.h"
#include "generators/mutate/mutator_list.h"
#include "generators/mutate/places.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using namespace mutate;  // NOLINT(google-build-using-namespace)

class PromoteOperand : public Mutator {
 public:
  std::string_view Name() const override { return "promote-operand"; }
  int Weight() const override { return 4; }

  bool Mutate(Case* test_case, const MutationContext&, ChoiceSource& choices) const override {
    Function* function = PickFunction(test_case->mutable_module(), choices);
    Places places = FindPlaces(function);
    const auto fits = [](const Expr& expr, const Expr& operand) {
      return operand.type() == expr.type() && operand.lanes() == expr.lanes();
    };
    const ExprPlace* place = Pick(places.expressions, choices, [&](const ExprPlace& p) {
      if (p.expr->op() == LOAD || p.expr->op() == LET) return false;
      return std::ranges::any_of(p.expr->args(),
                                 [&](const Expr& operand) { return fits(*p.expr, operand); });
    });
    if (place == nullptr) return false;
    std::vector<Expr> operands(place->expr->args().begin(), place->expr->args().end());
    Expr* operand =
        Pick(operands, choices, [&](const Expr& one) { return fits(*place->expr, one); });
    Expr taken = std::move(*operand);
    *place->expr = std::move(taken);
    return true;
  }
};

}  // namespace

std::unique_ptr<Mutator> MakePromoteOperand() { return std::make_unique<PromoteOperand>(); }

}  // namespace irate
