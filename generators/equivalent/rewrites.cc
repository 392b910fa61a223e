// The one list of rules.
#include <algorithm>
#include <array>

#include "generators/equivalent/rewrite_list.h"

namespace irate {

std::span<const std::unique_ptr<Rewrite>> Rewrites() {
  static const auto& rules = *new auto(std::to_array<std::unique_ptr<Rewrite>>({
      MakeCommute(),           MakeReassociate(),      MakeAddZero(),
      MakeMultiplyByOne(),     MakeDistribute(),       MakeDoubleNegation(),
      MakeSwapArms(),          MakeNegateComparison(), MakeMirrorComparison(),
      MakeFloorToTruncated(),  MakeMinimumToSelect(),  MakeInsertLet(),
      MakeComputeWider(),      MakeShiftToMultiply(),  MakeIfTrue(),
      MakeSwapBranches(),      MakeNestConditions(),   MakeSplitLoop(),
      MakeFuseLoops(),         MakeUnrollLoop(),       MakePeelIteration(),
      MakeShiftLoop(),         MakeReorderLoops(),     MakeHoistLet(),
      MakeBindSubexpression(), MakeRename(),
  }));
  return rules;
}

const Rewrite* FindRewrite(std::string_view name) {
  const auto found = std::ranges::find(Rewrites(), name, &Rewrite::Name);
  return found == Rewrites().end() ? nullptr : found->get();
}

}  // namespace irate
