// A serial loop is left, or goes on with its next iteration, under a condition.
#include "generators/mutate/material.h"
#include "generators/mutate/mutator_list.h"
#include "generators/mutate/places.h"
#include "generators/mutate/statements.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using namespace mutate;  // NOLINT(google-build-using-namespace)

class InsertJump : public Mutator {
 public:
  std::string_view Name() const override { return "insert-jump"; }
  int Weight() const override { return 4; }

  bool Mutate(Case* test_case, const MutationContext&, ChoiceSource& choices) const override {
    Function* function = PickFunction(test_case->mutable_module(), choices);
    Places places = FindPlaces(function);
    StmtPlace* place = Pick(places.statements, choices, [](const StmtPlace& p) {
      return !p.scope->loops.empty() && p.scope->loops.back()->kind() == FOR &&
             p.scope->loops.back()->loop_kind() == SERIAL;
    });
    if (place == nullptr) return false;
    const Material material = {*function, *place->scope};
    Expr condition = MakeCondition(material, choices);
    Stmt jump = choices.Chance(1, 2) ? build::Break() : build::Continue();
    InsertStatement(place->list, place->index + PickIndex(2, choices),
                    build::If(std::move(condition), {std::move(jump)}));
    return true;
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeInsertJump() { return std::make_unique<InsertJump>(); }

}  // namespace irate
