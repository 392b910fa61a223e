// A loop around several statements becomes two loops, each around a part of them.
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

// How many statements at the start of the body define nothing for those behind them; not all.
int LastCut(const Stmt& loop) {
  int count = 0;
  while (count < loop.body_size() - 1 && !Defines(loop.body(count))) ++count;
  return count;
}

class SplitBody : public Mutator {
 public:
  std::string_view Name() const override { return "split-body"; }
  int Weight() const override { return 8; }

  bool Mutate(Case* test_case, const MutationContext&, ChoiceSource& choices) const override {
    Function* function = PickFunction(test_case->mutable_module(), choices);
    Places places = FindPlaces(function);
    const StmtPlace* place = Pick(places.statements, choices, [](const StmtPlace& p) {
      return p.stmt().kind() == FOR && p.stmt().body_size() >= 2 && LastCut(p.stmt()) >= 1;
    });
    if (place == nullptr) return false;
    Stmt first = place->stmt();
    const int size = first.body_size();
    const int cut = static_cast<int>(choices.Range(1, LastCut(first)));
    Stmt second = first;
    first.mutable_body()->DeleteSubrange(cut, size - cut);
    second.mutable_body()->DeleteSubrange(0, cut);
    // Two loops, two variables.
    StmtList rest;
    *rest.Add() = std::move(second);
    StmtList replacement;
    *replacement.Add() = std::move(first);
    *replacement.Add() = equivalent::CloneWithFreshDefinitions(function, rest).Get(0);
    ReplaceStatement(place->list, place->index, replacement);
    return true;
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeSplitBody() { return std::make_unique<SplitBody>(); }

}  // namespace irate
