// A value is stored to a local buffer first and loaded from there.
#include <array>

#include "generators/mutate/material.h"
#include "generators/mutate/mutator_list.h"
#include "generators/mutate/places.h"
#include "generators/mutate/statements.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using namespace mutate;  // NOLINT(google-build-using-namespace)

class SpillToLocal : public Mutator {
 public:
  std::string_view Name() const override { return "spill-to-local"; }
  int Weight() const override { return 8; }

  bool Mutate(Case* test_case, const MutationContext&, ChoiceSource& choices) const override {
    Function* function = PickFunction(test_case->mutable_module(), choices);
    Places places = FindPlaces(function);
    const StmtPlace* place = Pick(places.statements, choices, [](const StmtPlace& p) {
      const Stmt& stmt = p.stmt();
      return (stmt.kind() == STORE || stmt.kind() == BIND) && stmt.args(0).lanes() == 0 &&
             IsValueType(stmt.args(0).type());
    });
    if (place == nullptr) return false;
    Stmt stmt = place->stmt();
    const ScalarType type = stmt.args(0).type();
    const int64_t extent = choices.Range(1, 3);
    const int64_t at = choices.Range(0, extent - 1);
    constexpr auto kScopes = std::to_array<std::string_view>({"local", "global", ""});
    const uint32_t buffer =
        build::AddBuffer(function, "spill", type, {build::I32Const(extent)},
                         kScopes[static_cast<size_t>(PickIndex(kScopes.size(), choices))]);
    Stmt store = build::Store(buffer, stmt.args(0), {build::I32Const(at)});
    *stmt.mutable_args(0) = build::Load(*function, buffer, {build::I32Const(at)});
    StmtList replacement;
    *replacement.Add() = build::Alloc(buffer);
    *replacement.Add() = std::move(store);
    *replacement.Add() = std::move(stmt);
    ReplaceStatement(place->list, place->index, replacement);
    return true;
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeSpillToLocal() { return std::make_unique<SpillToLocal>(); }

}  // namespace irate
