// A value goes through another type on its way.
#include <array>

#include "generators/mutate/material.h"
#include "generators/mutate/mutator_list.h"
#include "generators/mutate/places.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using namespace mutate;  // NOLINT(google-build-using-namespace)

constexpr auto kTypes =
    std::to_array<ScalarType>({I8, I16, I32, I64, U8, U16, U32, F16, BF16, F32, F64, BOOL});

class CastThereAndBack : public Mutator {
 public:
  std::string_view Name() const override { return "cast-there-and-back"; }
  int Weight() const override { return 6; }

  bool Mutate(Case* test_case, const MutationContext&, ChoiceSource& choices) const override {
    Function* function = PickFunction(test_case->mutable_module(), choices);
    Places places = FindPlaces(function);
    const ExprPlace* place = Pick(places.expressions, choices, [](const ExprPlace& p) {
      return p.role == Role::kValue && IsValueType(p.expr->type());
    });
    if (place == nullptr) return false;
    const ScalarType type = place->expr->type();
    const ScalarType through = kTypes[static_cast<size_t>(PickIndex(kTypes.size(), choices))];
    if (through == type) return false;
    *place->expr = build::Cast(type, build::Cast(through, std::move(*place->expr)));
    return true;
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeCastThereAndBack() { return std::make_unique<CastThereAndBack>(); }

}  // namespace irate
