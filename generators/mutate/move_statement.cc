// A statement moves to another place where all that it uses is in scope: in its list, out of the
// loop or condition around it, or into another one.
#include <algorithm>
#include <vector>

#include "generators/mutate/mutator_list.h"
#include "generators/mutate/places.h"
#include "generators/mutate/statements.h"

namespace irate {
namespace {

using namespace mutate;  // NOLINT(google-build-using-namespace)

// The lists inside of a statement.
std::vector<const StmtList*> ListsIn(const Stmt& stmt) {
  std::vector<const StmtList*> result;
  ForEachChildList(stmt, [&result](const StmtList& list) {
    result.push_back(&list);
    for (const Stmt& nested : list) {
      for (const StmtList* inner : ListsIn(nested)) result.push_back(inner);
    }
  });
  return result;
}

// Whether the place's list is in a statement of `list`.
bool IsBelow(const StmtPlace& place, const StmtList* list) {
  return std::ranges::any_of(*list, [&place](const Stmt& stmt) {
    return std::ranges::count(ListsIn(stmt), place.list) != 0;
  });
}

class MoveStatement : public Mutator {
 public:
  std::string_view Name() const override { return "move-statement"; }
  int Weight() const override { return 10; }

  bool Mutate(Case* test_case, const MutationContext&, ChoiceSource& choices) const override {
    Function* function = PickFunction(test_case->mutable_module(), choices);
    Places places = FindPlaces(function);
    const StmtPlace* place = Pick(places.statements, choices, [](const StmtPlace& p) {
      return !Defines(p.stmt()) && p.stmt().kind() != BREAK && p.stmt().kind() != CONTINUE;
    });
    if (place == nullptr) return false;
    Stmt moved = place->stmt();
    const std::vector<const StmtList*> own = ListsIn(place->stmt());
    const StmtPlace* target = Pick(places.statements, choices, [&](const StmtPlace& p) {
      const bool stays =
          p.list == place->list && (p.index == place->index || p.index == place->index + 1);
      return !stays && std::ranges::count(own, p.list) == 0 && IsInScope(moved, *p.scope);
    });
    if (target == nullptr) return false;
    // First the change further in or further back, so that the other place still holds.
    const bool same_list = target->list == place->list;
    if (same_list ? target->index > place->index : IsBelow(*target, place->list)) {
      InsertStatement(target->list, target->index, std::move(moved));
      place->list->DeleteSubrange(place->index, 1);
    } else {
      place->list->DeleteSubrange(place->index, 1);
      InsertStatement(target->list, target->index, std::move(moved));
    }
    return true;
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeMoveStatement() { return std::make_unique<MoveStatement>(); }

}  // namespace irate
