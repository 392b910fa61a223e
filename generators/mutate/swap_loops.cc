// Two loops, one right inside of the other, change places, whatever that does to the meaning.
#include "generators/mutate/material.h"
#include "generators/mutate/mutator_list.h"
#include "generators/mutate/places.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using namespace mutate;  // NOLINT(google-build-using-namespace)

class SwapLoops : public Mutator {
 public:
  std::string_view Name() const override { return "swap-loops"; }
  int Weight() const override { return 8; }

  bool Mutate(Case* test_case, const MutationContext&, ChoiceSource& choices) const override {
    Function* function = PickFunction(test_case->mutable_module(), choices);
    Places places = FindPlaces(function);
    const StmtPlace* place = Pick(places.statements, choices, [](const StmtPlace& p) {
      const Stmt& stmt = p.stmt();
      return stmt.kind() == FOR && stmt.body_size() == 1 && stmt.body(0).kind() == FOR;
    });
    if (place == nullptr) return false;
    Stmt outer = place->stmt();
    Stmt inner = outer.body(0);
    outer.mutable_body()->Swap(inner.mutable_body());
    *inner.mutable_body(0) = std::move(outer);
    place->stmt() = std::move(inner);
    return true;
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeSwapLoops() { return std::make_unique<SwapLoops>(); }

}  // namespace irate
