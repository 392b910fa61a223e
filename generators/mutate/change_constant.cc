// A constant moves to an edge or by a little.
#include "generators/mutate/material.h"
#include "generators/mutate/mutator_list.h"
#include "generators/mutate/places.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using namespace mutate;  // NOLINT(google-build-using-namespace)

class ChangeConstant : public Mutator {
 public:
  std::string_view Name() const override { return "change-constant"; }
  int Weight() const override { return 14; }

  bool Mutate(Case* test_case, const MutationContext&, ChoiceSource& choices) const override {
    Function* function = PickFunction(test_case->mutable_module(), choices);
    Places places = FindPlaces(function);
    const ExprPlace* place = Pick(places.expressions, choices, [](const ExprPlace& p) {
      return p.expr->op() == CONST && p.role != Role::kBound && IsValueType(p.expr->type());
    });
    if (place == nullptr) return false;
    Expr& constant = *place->expr;
    const ScalarType type = constant.type();
    Expr changed = EdgeConstant(type, choices);
    if (IsInteger(type) && choices.Chance(1, 2)) {
      const int64_t value = constant.int_value();
      const int64_t step = choices.Chance(1, 2) ? 1 : -1;
      const bool fits = step > 0 ? value < MaxValue(type) : value > MinValue(type);
      if (fits && type != U64) changed = build::Int(type, value + step);
    }
    const bool same = changed.SerializeAsString() == constant.SerializeAsString();
    constant = std::move(changed);
    return !same;
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeChangeConstant() { return std::make_unique<ChangeConstant>(); }

}  // namespace irate
