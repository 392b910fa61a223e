// One schedule being drawn: the choices, the model of the program, the steps so far. What each
// primitive needs is in the files schedule_*.cc, one group of primitives each; the table of all is
// in schedule.cc.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generators/choice.h"
#include "generators/schedule_model.h"
#include "ir/irate.pb.h"
#include "ir/schedule.h"

namespace irate {

class ScheduleDrawer {
 public:
  ScheduleDrawer(ChoiceSource& choices, ScheduleModel model)
      : model_(std::move(model)), choices_(choices) {}

  // Takes the model and the steps of an earlier copy.
  void Restore(const ScheduleDrawer& copy) {
    model_ = copy.model_;
    steps_ = copy.steps_;
  }

  ScheduleModel& model() { return model_; }
  ModelBlock& block(int index) { return model_.blocks[static_cast<size_t>(index)]; }
  ModelLoop& loop(int index) { return model_.loops[static_cast<size_t>(index)]; }
  ModelBuffer& buffer(int index) { return model_.buffers[static_cast<size_t>(index)]; }
  const std::vector<ScheduleStep>& steps() const { return steps_; }

  bool Percent(int percent) { return choices_.Chance(percent, 100); }
  int64_t Int(int64_t lo, int64_t hi) { return choices_.Range(lo, hi); }
  int64_t OneOf(std::initializer_list<int64_t> values);
  std::string_view OneOf(std::initializer_list<std::string_view> values);
  // A storage scope for a buffer between blocks.
  std::string_view Scope();

  // A block with the property, -1 if there is none.
  int PickBlock(const std::function<bool(const ModelBlock&)>& fits);
  // A place in the block's list of loops, -1 if there is none.
  int PickLoop(int block, const std::function<bool(const ModelLoop&)>& fits);
  bool AnyLoop(const ModelBlock& block, const std::function<bool(const ModelLoop&)>& fits) const;
  // The one block that writes the buffer, -1 if there is none or several.
  int WriterOf(int buffer) const;
  // A block that reads it, -1 if there is none.
  int PickReaderOf(int buffer);
  int ReaderCount(int buffer) const;

  // The two arguments that name a loop.
  void AddLoop(int block, int place, ScheduleStep* step);
  void Add(ScheduleStep step) { steps_.push_back(std::move(step)); }
  static ScheduleStep Step(std::string_view primitive);

  // ---- Changes of the model.
  // In every block below `old` the loop gives way to `loops`.
  void ReplaceLoop(int old, const std::vector<int>& loops);
  int AddLoopOf(int64_t extent, bool reduction);
  // A block that copies: loops over the buffer's extents, in front of or behind another block.
  ModelBlock CopyBlock(std::string name, int from, int to);
  int AddBuffer(std::string name, ScalarType type, std::vector<int64_t> shape);
  void RemoveBlock(int index);

 private:
  ScheduleModel model_;
  ChoiceSource& choices_;
  std::vector<ScheduleStep> steps_;
};

// Each draws one step (or two that belong together) and brings the model up to date; false if the
// program has no place for it.
using DrawPrimitive = bool (*)(ScheduleDrawer& drawer);

// schedule_loops.cc
bool DrawMerge(ScheduleDrawer& drawer);
bool DrawFuse(ScheduleDrawer& drawer);
bool DrawSplit(ScheduleDrawer& drawer);
bool DrawLoopPartition(ScheduleDrawer& drawer);
bool DrawReorder(ScheduleDrawer& drawer);
bool DrawAddUnitLoop(ScheduleDrawer& drawer);
bool DrawParallel(ScheduleDrawer& drawer);
bool DrawVectorize(ScheduleDrawer& drawer);
bool DrawUnroll(ScheduleDrawer& drawer);
bool DrawBind(ScheduleDrawer& drawer);
// schedule_caches.cc
bool DrawCacheRead(ScheduleDrawer& drawer);
bool DrawCacheWrite(ScheduleDrawer& drawer);
bool DrawReindexCacheRead(ScheduleDrawer& drawer);
bool DrawReindexCacheWrite(ScheduleDrawer& drawer);
bool DrawCacheInplace(ScheduleDrawer& drawer);
bool DrawCacheIndex(ScheduleDrawer& drawer);
bool DrawReindex(ScheduleDrawer& drawer);
bool DrawReadAt(ScheduleDrawer& drawer);
bool DrawWriteAt(ScheduleDrawer& drawer);
// schedule_compute.cc
bool DrawComputeAt(ScheduleDrawer& drawer);
bool DrawReverseComputeAt(ScheduleDrawer& drawer);
bool DrawComputeInline(ScheduleDrawer& drawer);
bool DrawReverseComputeInline(ScheduleDrawer& drawer);
bool DrawFuseReductionEpilogue(ScheduleDrawer& drawer);
bool DrawDecomposeReduction(ScheduleDrawer& drawer);
bool DrawRfactor(ScheduleDrawer& drawer);
bool DrawDecomposePadding(ScheduleDrawer& drawer);
bool DrawPadEinsum(ScheduleDrawer& drawer);
bool DrawRollingBuffer(ScheduleDrawer& drawer);
// schedule_blocks.cc
bool DrawReorderBlockIterVar(ScheduleDrawer& drawer);
bool DrawStorageAlign(ScheduleDrawer& drawer);
bool DrawSetScope(ScheduleDrawer& drawer);
bool DrawUnsafeSetDtype(ScheduleDrawer& drawer);
bool DrawBlockize(ScheduleDrawer& drawer);
bool DrawTransformLayout(ScheduleDrawer& drawer);
bool DrawTransformBlockLayout(ScheduleDrawer& drawer);
bool DrawUnsafeHideBufferAccess(ScheduleDrawer& drawer);
// schedule_annotations.cc
bool DrawAnnotatePragma(ScheduleDrawer& drawer);
bool DrawAnnotatePipeline(ScheduleDrawer& drawer);
bool DrawAnnotateDoubleBuffer(ScheduleDrawer& drawer);
bool DrawUnannotate(ScheduleDrawer& drawer);
bool DrawAnnotateBufferAccess(ScheduleDrawer& drawer);

}  // namespace irate
