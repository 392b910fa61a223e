#include "generators/schedule.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "generators/schedule_drawer.h"
#include "generators/schedule_model.h"
#include "ir/schedule_validity.h"

namespace irate {
namespace {

using enum Feature;

struct DrawEntry {
  Feature feature;
  DrawPrimitive draw;
};

// The one table. How often: the weight of the feature.
constexpr auto kEntries = std::to_array<DrawEntry>({
    {kScheduleMerge, DrawMerge},
    {kScheduleFuse, DrawFuse},
    {kScheduleSplit, DrawSplit},
    {kScheduleLoopPartition, DrawLoopPartition},
    {kScheduleReorder, DrawReorder},
    {kScheduleReorderBlockIterVar, DrawReorderBlockIterVar},
    {kScheduleAddUnitLoop, DrawAddUnitLoop},
    {kScheduleParallel, DrawParallel},
    {kScheduleVectorize, DrawVectorize},
    {kScheduleBind, DrawBind},
    {kScheduleUnroll, DrawUnroll},
    {kScheduleCacheRead, DrawCacheRead},
    {kScheduleCacheWrite, DrawCacheWrite},
    {kScheduleReindexCacheRead, DrawReindexCacheRead},
    {kScheduleReindexCacheWrite, DrawReindexCacheWrite},
    {kScheduleCacheInplace, DrawCacheInplace},
    {kScheduleCacheIndex, DrawCacheIndex},
    {kScheduleReindex, DrawReindex},
    {kScheduleReadAt, DrawReadAt},
    {kScheduleWriteAt, DrawWriteAt},
    {kScheduleComputeAt, DrawComputeAt},
    {kScheduleReverseComputeAt, DrawReverseComputeAt},
    {kScheduleComputeInline, DrawComputeInline},
    {kScheduleReverseComputeInline, DrawReverseComputeInline},
    {kScheduleFuseReductionEpilogue, DrawFuseReductionEpilogue},
    {kScheduleDecomposeReduction, DrawDecomposeReduction},
    {kScheduleRfactor, DrawRfactor},
    {kScheduleStorageAlign, DrawStorageAlign},
    {kScheduleSetScope, DrawSetScope},
    {kScheduleUnsafeSetDtype, DrawUnsafeSetDtype},
    {kScheduleBlockize, DrawBlockize},
    {kSchedulePragma, DrawAnnotatePragma},
    {kSchedulePipeline, DrawAnnotatePipeline},
    {kScheduleDoubleBuffer, DrawAnnotateDoubleBuffer},
    {kScheduleUnannotate, DrawUnannotate},
    {kScheduleTransformLayout, DrawTransformLayout},
    {kScheduleTransformBlockLayout, DrawTransformBlockLayout},
    {kScheduleDecomposePadding, DrawDecomposePadding},
    {kSchedulePadEinsum, DrawPadEinsum},
    {kScheduleRollingBuffer, DrawRollingBuffer},
    {kScheduleAnnotateBufferAccess, DrawAnnotateBufferAccess},
    {kScheduleUnsafeHideBufferAccess, DrawUnsafeHideBufferAccess},
});

// Steps of other primitives that come with one (compute_at before rolling_buffer) count as well.
bool AllAllowed(const std::vector<ScheduleStep>& steps, size_t first, const FeatureSet& allowed) {
  Schedule added;
  for (size_t i = first; i < steps.size(); ++i) *added.add_steps() = steps[i];
  return (ScheduleFeatures(added) & ~allowed).none();
}

bool HasText(const ScheduleStep& step, std::string_view key) {
  return std::ranges::any_of(step.args(), [key](const Expr& arg) {
    return arg.op() == STRING && std::string_view(arg.name()).starts_with(key);
  });
}

std::optional<Feature> StepFeature(const ScheduleStep& step) {
  if (step.primitive() == "annotate") {
    if (HasText(step, "pragma_")) return kSchedulePragma;
    if (HasText(step, "software_pipeline")) return kSchedulePipeline;
    if (HasText(step, "double_buffer")) return kScheduleDoubleBuffer;
    return std::nullopt;
  }
  return FindFeature("schedule." + step.primitive());
}

}  // namespace

Schedule DrawSchedule(ChoiceSource& choices, const Case& test_case, const FeatureSet& allowed) {
  Schedule schedule;
  if (!NotSchedulable(test_case.module(), test_case.inputs()).empty()) return schedule;
  std::optional<ScheduleModel> model = ModelOf(test_case.module().functions(0));
  if (!model.has_value()) return schedule;
  std::vector<int> weights;
  for (const DrawEntry& entry : kEntries) {
    weights.push_back(irate::Has(allowed, entry.feature) ? Info(entry.feature).weight : 0);
  }
  if (std::ranges::all_of(weights, [](int weight) { return weight == 0; })) return schedule;
  ScheduleDrawer drawer(choices, *std::move(model));
  const int64_t wanted = choices.Chance(70, 100) ? choices.Range(1, 5) : choices.Range(4, 12);
  for (int64_t i = 0; i < wanted; ++i) {
    // A primitive without a place in this program gives way to another.
    for (int tries = 0; tries < 6 && !drawer.model().blocks.empty(); ++tries) {
      const ScheduleDrawer before = drawer;
      if (kEntries[choices.Weighted(weights)].draw(drawer) &&
          AllAllowed(drawer.steps(), before.steps().size(), allowed)) {
        break;
      }
      drawer.Restore(before);
    }
  }
  for (const ScheduleStep& step : drawer.steps()) *schedule.add_steps() = step;
  return schedule;
}

FeatureSet ScheduleFeatures(const Schedule& schedule) {
  FeatureSet found;
  if (schedule.steps_size() != 0) Include(found, kSchedule);
  for (const ScheduleStep& step : schedule.steps()) {
    if (const std::optional<Feature> feature = StepFeature(step)) Include(found, *feature);
  }
  return found;
}

}  // namespace irate
