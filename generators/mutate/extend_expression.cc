// An expression becomes an operand of a new operator, an arm of a choice, or the argument of a
// function.
#include <array>

#include "generators/mutate/material.h"
#include "generators/mutate/mutator_list.h"
#include "generators/mutate/places.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using namespace mutate;  // NOLINT(google-build-using-namespace)

constexpr auto kFunctions = std::to_array<std::string_view>(
    {"floor", "fabs", "sqrt", "exp", "tanh", "sigmoid", "round", "trunc"});

Expr Extended(const Material& material, Expr expr, ChoiceSource& choices) {
  const ScalarType type = expr.type();
  const uint32_t lanes = expr.lanes();
  switch (choices.Range(0, 5)) {
    case 0: {
      if (lanes != 0) break;
      Expr condition = MakeCondition(material, choices);
      Expr other = MakeValue(material, type, lanes, 1, choices);
      if (choices.Chance(1, 2)) std::swap(expr, other);
      return choices.Chance(1, 2)
                 ? build::Select(std::move(condition), std::move(expr), std::move(other))
                 : build::IfThenElse(std::move(condition), std::move(expr), std::move(other));
    }
    case 1:
      if (!IsFloat(type)) break;
      return build::Call(kFunctions[static_cast<size_t>(PickIndex(kFunctions.size(), choices))],
                         type, {std::move(expr)});
    case 2: {
      if (!IsInteger(type)) break;
      constexpr auto kDivisions = std::to_array<Op>({FLOOR_DIV, FLOOR_MOD, TRUNC_DIV, TRUNC_MOD});
      const Op op = kDivisions[static_cast<size_t>(PickIndex(kDivisions.size(), choices))];
      int64_t divisor = choices.Range(1, 9);
      if (IsSigned(type) && choices.Chance(1, 3)) divisor = -divisor;
      return build::Binary(op, std::move(expr), ToLanes(build::Int(type, divisor), lanes));
    }
    case 3:
      if (!IsInteger(type)) break;
      return build::Binary(choices.Chance(1, 2) ? SHL : SHR, std::move(expr),
                           ToLanes(build::Int(type, choices.Range(0, 4)), lanes));
    case 4:
      if (type == BOOL) return build::Unary(NOT, std::move(expr));
      if (IsInteger(type)) return build::Unary(BIT_NOT, std::move(expr));
      break;
    default:
      break;
  }
  Expr other = MakeValue(material, type, lanes, 1, choices);
  const Op op = PickOperator(type, choices);
  if (choices.Chance(1, 2)) std::swap(expr, other);
  return build::Binary(op, std::move(expr), std::move(other));
}

class ExtendExpression : public Mutator {
 public:
  std::string_view Name() const override { return "extend-expression"; }
  int Weight() const override { return 14; }

  bool Mutate(Case* test_case, const MutationContext&, ChoiceSource& choices) const override {
    Function* function = PickFunction(test_case->mutable_module(), choices);
    Places places = FindPlaces(function);
    const ExprPlace* place = Pick(places.expressions, choices, [](const ExprPlace& p) {
      return (p.role == Role::kValue || p.role == Role::kCondition) && IsValueType(p.expr->type());
    });
    if (place == nullptr) return false;
    const Material material = {*function, *place->scope};
    *place->expr = Extended(material, std::move(*place->expr), choices);
    return true;
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeExtendExpression() { return std::make_unique<ExtendExpression>(); }

}  // namespace irate
