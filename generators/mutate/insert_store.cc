// A new store to a buffer in scope, with an index that stays in bounds.
#include "generators/mutate/material.h"
#include "generators/mutate/mutator_list.h"
#include "generators/mutate/places.h"
#include "generators/mutate/statements.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using namespace mutate;  // NOLINT(google-build-using-namespace)

class InsertStore : public Mutator {
 public:
  std::string_view Name() const override { return "insert-store"; }
  int Weight() const override { return 12; }

  bool Mutate(Case* test_case, const MutationContext&, ChoiceSource& choices) const override {
    Function* function = PickFunction(test_case->mutable_module(), choices);
    Places places = FindPlaces(function);
    StmtPlace* place = Pick(places.statements, choices);
    if (place == nullptr) return false;
    std::vector<uint32_t> buffers = place->scope->buffers;
    const uint32_t* buffer = Pick(buffers, choices, [function](uint32_t id) {
      const Buffer& candidate = function->buffers(static_cast<int>(id));
      return candidate.lanes() == 0 && IsValueType(candidate.type());
    });
    if (buffer == nullptr) return false;
    const Material material = {*function, *place->scope};
    const Buffer& target = function->buffers(static_cast<int>(*buffer));
    std::vector<Expr> indices = MakeIndices(material, target, choices);
    Expr value = MakeValue(material, target.type(), 0, 2, choices);
    if (choices.Chance(1, 3)) {
      value = build::Binary(PickOperator(target.type(), choices),
                            build::Load(*function, *buffer, indices), std::move(value));
    }
    InsertStatement(place->list, place->index + PickIndex(2, choices),
                    build::Store(*buffer, std::move(value), std::move(indices)));
    return true;
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeInsertStore() { return std::make_unique<InsertStore>(); }

}  // namespace irate
