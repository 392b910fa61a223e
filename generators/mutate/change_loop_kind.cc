// A loop runs in another manner.
#include <array>

#include "generators/mutate/material.h"
#include "generators/mutate/mutator_list.h"
#include "generators/mutate/places.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using namespace mutate;  // NOLINT(google-build-using-namespace)

class ChangeLoopKind : public Mutator {
 public:
  std::string_view Name() const override { return "change-loop-kind"; }
  int Weight() const override { return 14; }

  bool Mutate(Case* test_case, const MutationContext&, ChoiceSource& choices) const override {
    Function* function = PickFunction(test_case->mutable_module(), choices);
    Places places = FindPlaces(function);
    const StmtPlace* place = Pick(places.statements, choices, [](const StmtPlace& p) {
      return p.stmt().kind() == FOR && p.stmt().loop_kind() != THREAD_BINDING;
    });
    if (place == nullptr) return false;
    Stmt& loop = place->stmt();
    constexpr auto kKinds = std::to_array<LoopKind>({SERIAL, PARALLEL, VECTORIZED, UNROLLED});
    const LoopKind kind = kKinds[static_cast<size_t>(PickIndex(kKinds.size(), choices))];
    if (kind == loop.loop_kind()) return false;
    // TVM asks for constant extents of vectorized and unrolled loops.
    if ((kind == VECTORIZED || kind == UNROLLED) && loop.args(1).op() != CONST) return false;
    if (kind == VECTORIZED && loop.args(1).int_value() < 1) return false;
    loop.set_loop_kind(kind);
    return true;
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeChangeLoopKind() { return std::make_unique<ChangeLoopKind>(); }

}  // namespace irate
