// Statements run under a condition, perhaps with another version of them otherwise.
#include "generators/equivalent/clone.h"
#include "generators/mutate/material.h"
#include "generators/mutate/mutator_list.h"
#include "generators/mutate/places.h"
#include "generators/mutate/statements.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using namespace mutate;  // NOLINT(google-build-using-namespace)

class WrapInGuard : public Mutator {
 public:
  std::string_view Name() const override { return "wrap-in-guard"; }
  int Weight() const override { return 12; }

  bool Mutate(Case* test_case, const MutationContext&, ChoiceSource& choices) const override {
    Function* function = PickFunction(test_case->mutable_module(), choices);
    Places places = FindPlaces(function);
    const StmtPlace* place = Pick(places.statements, choices,
                                  [](const StmtPlace& p) { return MayWrap(*p.list, p.index); });
    if (place == nullptr) return false;
    const Material material = {*function, *place->scope};
    Expr condition = MakeCondition(material, choices);
    if (choices.Chance(1, 8)) condition = build::Call("likely", BOOL, {std::move(condition)});
    std::vector<Stmt> body = {place->stmt()};
    std::vector<Stmt> orelse;
    if (choices.Chance(1, 3)) {
      StmtList original;
      *original.Add() = place->stmt();
      for (Stmt& stmt : equivalent::CloneWithFreshDefinitions(function, original)) {
        orelse.push_back(std::move(stmt));
      }
      if (orelse[0].kind() == STORE && orelse[0].args(0).lanes() == 0) {
        const ScalarType type = orelse[0].args(0).type();
        const Material again = {*function, *place->scope};
        if (IsValueType(type)) *orelse[0].mutable_args(0) = MakeValue(again, type, 0, 1, choices);
      }
    }
    *place->list->Mutable(place->index) =
        build::If(std::move(condition), std::move(body), std::move(orelse));
    return true;
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeWrapInGuard() { return std::make_unique<WrapInGuard>(); }

}  // namespace irate
