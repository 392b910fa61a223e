// The program of another Case runs behind, before or within this one.
#include <algorithm>

#include "generators/mutate/import.h"
#include "generators/mutate/mutator_list.h"
#include "generators/mutate/places.h"
#include "generators/mutate/statements.h"

namespace irate {
namespace {

using namespace mutate;  // NOLINT(google-build-using-namespace)

constexpr int kMostParams = 10;

bool EndsEarly(const Function& function) {
  bool found = false;
  VisitStmts(function, [&found](const Stmt& stmt) { found |= stmt.kind() == RETURN; });
  return found;
}

class SplicePrograms : public Mutator {
 public:
  std::string_view Name() const override { return "splice-programs"; }
  int Weight() const override { return 8; }

  bool Mutate(Case* test_case, const MutationContext& context,
              ChoiceSource& choices) const override {
    if (context.donor == nullptr) return false;
    const Case& donor = *context.donor;
    // Functions that the other program calls would have to come along.
    if (donor.module().functions_size() != 1) return false;
    const Function& other = donor.module().functions(0);
    Function* entry = test_case->mutable_module()->mutable_functions(0);
    if (other.result() != entry->result() || EndsEarly(other) || EndsEarly(*entry)) return false;
    if (other.params_size() + entry->params_size() > kMostParams) return false;
    Places places = FindPlaces(entry);
    StmtPlace* place = Pick(places.statements, choices);
    StmtList* list = entry->mutable_body();
    int at = choices.Chance(1, 2) ? 0 : list->size();
    // Within a loop of this program it would run several times, which most programs bear.
    if (place != nullptr && choices.Chance(1, 3)) {
      list = place->list;
      at = place->index;
    }
    Import import(test_case, donor);
    std::vector<Stmt> body = import.Body();
    for (size_t i = 0; i < body.size(); ++i) {
      InsertStatement(list, at + static_cast<int>(i), std::move(body[i]));
    }
    return true;
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeSplicePrograms() { return std::make_unique<SplicePrograms>(); }

}  // namespace irate
