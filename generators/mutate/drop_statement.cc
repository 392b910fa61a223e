// A statement goes.
#include "generators/mutate/material.h"
#include "generators/mutate/mutator_list.h"
#include "generators/mutate/places.h"
#include "generators/mutate/statements.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using namespace mutate;  // NOLINT(google-build-using-namespace)

class DropStatement : public Mutator {
 public:
  std::string_view Name() const override { return "drop-statement"; }
  int Weight() const override { return 4; }

  bool Mutate(Case* test_case, const MutationContext&, ChoiceSource& choices) const override {
    Function* function = PickFunction(test_case->mutable_module(), choices);
    Places places = FindPlaces(function);
    // A function that does nothing tests nothing.
    if (places.statements.size() < 3) return false;
    StmtPlace* place = Pick(places.statements, choices, [](const StmtPlace& p) {
      return !Defines(p.stmt()) && (p.list->size() > 1 || p.stmt().kind() == IF);
    });
    if (place == nullptr) return false;
    place->list->DeleteSubrange(place->index, 1);
    return true;
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeDropStatement() { return std::make_unique<DropStatement>(); }

}  // namespace irate
