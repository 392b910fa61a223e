// The one list of mutators.
#include "generators/mutate/mutator.h"

#include <array>
#include <vector>

#include "generators/equivalent/rewrite.h"
#include "generators/mutate/mutator_list.h"

namespace irate {
namespace {

using List = std::vector<std::unique_ptr<Mutator>>;

List MakeAll() {
  constexpr auto kMakers = std::to_array<std::unique_ptr<Mutator> (*)()>({
      MakeReplaceExpression, MakeChangeOperator,   MakeChangeConstant,  MakePromoteOperand,
      MakeExtendExpression,  MakeCastThereAndBack, MakeSwapExpressions, MakeSpillToLocal,
      MakeWrapInLoop,        MakeWrapInGuard,      MakeChangeLoopKind,  MakeChangeLoopBounds,
      MakeSwapLoops,         MakeSplitBody,        MakeMoveStatement,   MakeCopyStatement,
      MakeDropStatement,     MakeInsertStore,      MakeInsertJump,      MakeRetypeBuffer,
      MakeRetypeEverything,  MakeChangeExtent,     MakeChangeLayout,    MakeChangeInputs,
      MakeChangeAttributes,  MakeNameConstant,     MakeChangeSchedule,  MakeChangePasses,
      MakeChangePassConfig,  MakeSplicePrograms,   MakeGraftExpression, MakeAdoptParts,
  });
  List list;
  for (const auto make : kMakers) list.push_back(make());
  for (const std::unique_ptr<Rewrite>& rewrite : Rewrites()) {
    list.push_back(MakeSameMeaning(rewrite.get()));
  }
  return list;
}

}  // namespace

std::span<const std::unique_ptr<Mutator>> Mutators() {
  static const auto* const kMutators = new List(MakeAll());
  return *kMutators;
}

const Mutator* FindMutator(std::string_view name) {
  for (const std::unique_ptr<Mutator>& mutator : Mutators()) {
    if (mutator->Name() == name) return mutator.get();
  }
  return nullptr;
}

}  // namespace irate
