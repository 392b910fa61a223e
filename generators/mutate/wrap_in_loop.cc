// Statements run in a new loop around them.
#include "generators/mutate/material.h"
#include "generators/mutate/mutator_list.h"
#include "generators/mutate/places.h"
#include "generators/mutate/statements.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using namespace mutate;  // NOLINT(google-build-using-namespace)

class WrapInLoop : public Mutator {
 public:
  std::string_view Name() const override { return "wrap-in-loop"; }
  int Weight() const override { return 10; }

  bool Mutate(Case* test_case, const MutationContext&, ChoiceSource& choices) const override {
    Function* function = PickFunction(test_case->mutable_module(), choices);
    Places places = FindPlaces(function);
    const StmtPlace* place = Pick(places.statements, choices,
                                  [](const StmtPlace& p) { return MayWrap(*p.list, p.index); });
    if (place == nullptr) return false;
    const ScalarType type = choices.Chance(1, 6) ? I64 : I32;
    const uint32_t variable = build::AddVariable(function, "w", type);
    // Iterations that do the same conflict unless they run one after the other.
    LoopKind kind = SERIAL;
    int64_t extent = choices.Range(1, 4);
    switch (choices.Range(0, 3)) {
      case 0:
        kind = UNROLLED;
        break;
      case 1:
        kind = choices.Chance(1, 2) ? PARALLEL : VECTORIZED;
        extent = 1;
        break;
      default:
        break;
    }
    const int64_t min = choices.Chance(1, 3) ? choices.Range(-2, 5) : 0;
    std::vector<Stmt> body = {place->stmt()};
    *place->list->Mutable(place->index) = build::For(
        variable, build::Int(type, min), build::Int(type, extent), kind, std::move(body));
    return true;
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeWrapInLoop() { return std::make_unique<WrapInLoop>(); }

}  // namespace irate
