// A statement is there a second time, beside the first or elsewhere in its scope.
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

class CopyStatement : public Mutator {
 public:
  std::string_view Name() const override { return "copy-statement"; }
  int Weight() const override { return 8; }

  bool Mutate(Case* test_case, const MutationContext&, ChoiceSource& choices) const override {
    Function* function = PickFunction(test_case->mutable_module(), choices);
    Places places = FindPlaces(function);
    StmtPlace* place = Pick(places.statements, choices, [](const StmtPlace& p) {
      return !Defines(p.stmt()) && CountStatements(p.stmt()) <= 12 && !HasMatchBuffers(p.stmt());
    });
    if (place == nullptr) return false;
    StmtList original;
    *original.Add() = place->stmt();
    const StmtPlace* target = Pick(places.statements, choices, [&](const StmtPlace& p) {
      return IsInScope(original.Get(0), *p.scope);
    });
    if (target == nullptr) return false;
    Stmt copy = equivalent::CloneWithFreshDefinitions(function, original).Get(0);
    InsertStatement(target->list, target->index, std::move(copy));
    return true;
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeCopyStatement() { return std::make_unique<CopyStatement>(); }

}  // namespace irate
