// A subexpression gives way to another of its type: one from elsewhere in the function or a new
// one. An index stays within its extent.
#include "generators/equivalent/expressions.h"
#include "generators/mutate/material.h"
#include "generators/mutate/mutator_list.h"
#include "generators/mutate/places.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using namespace mutate;  // NOLINT(google-build-using-namespace)

bool Replace(Expr* expr, Expr replacement) {
  if (expr->SerializeAsString() == replacement.SerializeAsString()) return false;
  *expr = std::move(replacement);
  return true;
}

class ReplaceExpression : public Mutator {
 public:
  std::string_view Name() const override { return "replace-expression"; }
  int Weight() const override { return 16; }

  bool Mutate(Case* test_case, const MutationContext&, ChoiceSource& choices) const override {
    Function* function = PickFunction(test_case->mutable_module(), choices);
    Places places = FindPlaces(function);
    const ExprPlace* place = Pick(places.expressions, choices, [](const ExprPlace& p) {
      return IsValueType(p.expr->type()) && p.role != Role::kInIndex;
    });
    if (place == nullptr) return false;
    const Material material = {*function, *place->scope};
    if (place->role == Role::kIndex) {
      if (place->expr->lanes() != 0) return false;
      const Buffer& buffer = function->buffers(static_cast<int>(place->buffer));
      return Replace(place->expr, MakeIndex(material, buffer, place->dimension, choices));
    }
    if (place->role == Role::kBound) return false;  // change-loop-bounds does it
    const ScalarType type = place->expr->type();
    const uint32_t lanes = place->expr->lanes();
    // Copies of what the program has: the same subexpression twice is what optimisers look for.
    const ExprPlace* source = Pick(places.expressions, choices, [&](const ExprPlace& p) {
      return p.expr != place->expr && p.expr->type() == type && p.expr->lanes() == lanes &&
             p.expr->op() != CONST && equivalent::MayRepeat(*p.expr) &&
             IsInScope(*p.expr, *place->scope);
    });
    Expr replacement = source != nullptr && choices.Chance(1, 2)
                           ? *source->expr
                           : MakeValue(material, type, lanes, 2, choices);
    return Replace(place->expr, std::move(replacement));
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeReplaceExpression() { return std::make_unique<ReplaceExpression>(); }

}  // namespace irate
