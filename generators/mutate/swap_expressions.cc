// Two subexpressions of one type, neither inside of the other, change places.
#include "generators/mutate/material.h"
#include "generators/mutate/mutator_list.h"
#include "generators/mutate/places.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using namespace mutate;  // NOLINT(google-build-using-namespace)

// Itself included.
bool Contains(const Expr& root, const Expr* wanted) {
  bool found = false;
  VisitExpr(root, [&](const Expr& part) { found |= &part == wanted; });
  return found;
}

class SwapExpressions : public Mutator {
 public:
  std::string_view Name() const override { return "swap-expressions"; }
  int Weight() const override { return 6; }

  bool Mutate(Case* test_case, const MutationContext&, ChoiceSource& choices) const override {
    Function* function = PickFunction(test_case->mutable_module(), choices);
    Places places = FindPlaces(function);
    const ExprPlace* first = Pick(places.expressions, choices, [](const ExprPlace& p) {
      return p.role != Role::kInIndex && p.role != Role::kBound && p.expr->op() != CONST;
    });
    if (first == nullptr) return false;
    const ExprPlace* second = Pick(places.expressions, choices, [&](const ExprPlace& p) {
      return p.role == first->role && p.expr->type() == first->expr->type() &&
             p.expr->lanes() == first->expr->lanes() && !Contains(*first->expr, p.expr) &&
             !Contains(*p.expr, first->expr) && IsInScope(*p.expr, *first->scope) &&
             IsInScope(*first->expr, *p.scope);
    });
    if (second == nullptr) return false;
    const bool same = first->expr->SerializeAsString() == second->expr->SerializeAsString();
    first->expr->Swap(second->expr);
    return !same;
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeSwapExpressions() { return std::make_unique<SwapExpressions>(); }

}  // namespace irate
