// A loop starts elsewhere, runs more or fewer iterations, or gets a step.
#include "generators/mutate/material.h"
#include "generators/mutate/mutator_list.h"
#include "generators/mutate/places.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using namespace mutate;  // NOLINT(google-build-using-namespace)

// The loop ends at a loop variable around it, where that is not beyond its end.
bool MakeTriangular(const Function& function, const Scope& scope, Stmt* loop,
                    ChoiceSource& choices) {
  if (loop->loop_kind() == VECTORIZED || loop->loop_kind() == UNROLLED) return false;
  const LoopRange inner = *ConstantRange(*loop);
  const ScalarType type = loop->args(0).type();
  std::vector<const Stmt*> loops = scope.loops;
  const Stmt** outer = Pick(loops, choices, [&](const Stmt* candidate) {
    const std::optional<LoopRange> range = ConstantRange(*candidate);
    return range.has_value() && range->min >= 0 && candidate->args(0).type() == type;
  });
  if (outer == nullptr) return false;
  Expr extent = build::Var(function, (*outer)->id());
  if (choices.Chance(1, 2)) extent = build::Binary(ADD, std::move(extent), build::Int(type, 1));
  if (ConstantRange(**outer)->min + ConstantRange(**outer)->extent > inner.extent) {
    extent = build::Binary(MIN, std::move(extent), build::Int(type, inner.extent));
  }
  *loop->mutable_args(1) = std::move(extent);
  return true;
}

class ChangeLoopBounds : public Mutator {
 public:
  std::string_view Name() const override { return "change-loop-bounds"; }
  int Weight() const override { return 10; }

  bool Mutate(Case* test_case, const MutationContext&, ChoiceSource& choices) const override {
    Function* function = PickFunction(test_case->mutable_module(), choices);
    Places places = FindPlaces(function);
    const StmtPlace* place = Pick(places.statements, choices, [](const StmtPlace& p) {
      return p.stmt().kind() == FOR && ConstantRange(p.stmt()).has_value() &&
             p.stmt().loop_kind() != THREAD_BINDING;
    });
    if (place == nullptr) return false;
    Stmt& loop = place->stmt();
    const LoopRange range = *ConstantRange(loop);
    const ScalarType type = loop.args(0).type();
    switch (choices.Range(0, 4)) {
      case 0:  // a part of the iterations: in bounds where all were
      case 1: {
        if (range.extent < 2) return false;
        const int64_t extent = choices.Range(1, range.extent - 1);
        const int64_t skipped = choices.Range(0, range.extent - extent);
        *loop.mutable_args(0) = build::Int(type, range.min + skipped);
        *loop.mutable_args(1) = build::Int(type, extent);
        return true;
      }
      case 2:  // a triangle below an outer loop
        return MakeTriangular(*function, *place->scope, &loop, choices);
      case 3: {
        if (range.extent < 2 || loop.loop_kind() != SERIAL) return false;
        *loop.add_args() = build::Int(type, choices.Range(2, 3));
        return true;
      }
      default: {
        const int64_t extent = range.extent + choices.Range(1, 4);
        *loop.mutable_args(1) = build::Int(type, extent);
        return true;
      }
    }
  }
};

}  // namespace

std::unique_ptr<Mutator> MakeChangeLoopBounds() { return std::make_unique<ChangeLoopBounds>(); }

}  // namespace irate
