// A constant in the program becomes a scalar parameter with that one value, or one near it, so that
// the compiler no longer knows it.
#include "generators/mutate/material.h"
#include "generators/mutate/mutator_list.h"
#include "generators/mutate/places.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using namespace mutate;  // NOLINT(google-build-using-namespace)

class NameConstant : public Mutator {
 public:
  std::string_view Name() const override { return "name-constant"; }
  int Weight() const override { return 6; }

  bool Mutate(Case* test_case, const MutationContext&, ChoiceSource& choices) const override {
    Function* entry = test_case->mutable_module()->mutable_functions(0);
    Places places = FindPlaces(entry);
    const ExprPlace* place = Pick(places.expressions, choices, [](const ExprPlace& p) {
      const Expr& expr = *p.expr;
      return expr.op() == CONST && IsInteger(expr.type()) && expr.type() != U64 &&
             p.role != Role::kIndex;
    });
    if (place == nullptr) return false;
    const int64_t value = place->expr->int_value();
    if (value == 0 && IsUnsigned(place->expr->type())) return false;
    const uint32_t variable = build::AddVariable(entry, "n", place->expr->type());
    *place->expr = build::Var(*entry, variable);
    build::AddScalarParam(entry, variable);
    // Both 0 would ask for the type's default range.
    ParamInput* input = test_case->mutable_inputs()->add_params();
    input->set_param(static_cast<uint32_t>(entry->params_size() - 1));
    input->set_min(value == 0 ? -1 : value);
    input->set_max(value);
    return true;
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeNameConstant() { return std::make_unique<NameConstant>(); }

}  // namespace irate
