// An expression of another Case takes the place of one of the same type; what it names there
// becomes something of that type here.
#include "generators/equivalent/expressions.h"
#include "generators/mutate/material.h"
#include "generators/mutate/mutator_list.h"
#include "generators/mutate/places.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using namespace mutate;  // NOLINT(google-build-using-namespace)

// Outside in: the indices of a load that is replaced need not be looked at.
void Adapt(const Material& material, Expr* expr, ChoiceSource& choices) {
  if (expr->op() == VAR || expr->op() == LOAD) {
    const ScalarType type = expr->type();
    const uint32_t lanes = expr->lanes();
    *expr = MakeLeaf(material, type, lanes, choices);
    return;
  }
  for (Expr& arg : *expr->mutable_args()) Adapt(material, &arg, choices);
}

class GraftExpression : public Mutator {
 public:
  std::string_view Name() const override { return "graft-expression"; }
  int Weight() const override { return 12; }

  bool Mutate(Case* test_case, const MutationContext& context,
              ChoiceSource& choices) const override {
    if (context.donor == nullptr) return false;
    Function* function = PickFunction(test_case->mutable_module(), choices);
    Places places = FindPlaces(function);
    const ExprPlace* place = Pick(places.expressions, choices, [](const ExprPlace& p) {
      return IsValueType(p.expr->type()) && (p.role == Role::kValue || p.role == Role::kCondition);
    });
    if (place == nullptr) return false;
    Case donor = *context.donor;
    std::vector<Expr> candidates;
    for (Function& other : *donor.mutable_module()->mutable_functions()) {
      for (const ExprPlace& p : FindPlaces(&other).expressions) {
        if (p.role == Role::kValue && p.expr->type() == place->expr->type() &&
            p.expr->lanes() == place->expr->lanes() && p.expr->args_size() > 0 &&
            p.expr->op() != LOAD && equivalent::MayRepeat(*p.expr)) {
          candidates.push_back(*p.expr);
        }
      }
    }
    const Expr* graft = Pick(candidates, choices);
    if (graft == nullptr) return false;
    const Material material = {*function, *place->scope};
    Expr adapted = *graft;
    Adapt(material, &adapted, choices);
    *place->expr = std::move(adapted);
    return true;
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeGraftExpression() { return std::make_unique<GraftExpression>(); }

}  // namespace irate
