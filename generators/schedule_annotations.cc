// Annotations that passes act on.
#include <algorithm>
#include <utility>

#include "generators/schedule_drawer.h"
#include "ir/index_map.h"

namespace irate {
namespace {

bool HasLoops(const ModelBlock& block) { return !block.loops.empty(); }

// How many parts lie directly below a loop, in order.
int ChildrenOf(const ScheduleModel& model, int loop) {
  std::vector<int> children;
  int unnamed = -1;
  for (const ModelBlock& block : model.blocks) {
    const auto at = std::ranges::find(block.loops, loop);
    if (at == block.loops.end()) continue;
    const int next = at + 1 == block.loops.end() ? unnamed-- : *(at + 1);
    if (std::ranges::find(children, next) == children.end()) children.push_back(next);
  }
  return static_cast<int>(children.size());
}

}  // namespace

bool DrawAnnotatePragma(ScheduleDrawer& drawer) {
  const int picked = drawer.PickBlock(HasLoops);
  if (picked < 0) return false;
  const int place = drawer.PickLoop(picked, [](const ModelLoop&) { return true; });
  ScheduleStep step = ScheduleDrawer::Step("annotate");
  drawer.AddLoop(picked, place, &step);
  switch (drawer.Int(0, 3)) {
    case 0:
      *step.add_args() = StepText("pragma_auto_unroll_max_step");
      *step.add_args() = StepInt(drawer.OneOf({4, 16, 64, 0}));
      break;
    case 1: {
      // Means something beside a number of steps only.
      ScheduleStep limit = step;
      *limit.add_args() = StepText("pragma_auto_unroll_max_step");
      *limit.add_args() = StepInt(drawer.OneOf({8, 32}));
      drawer.Add(std::move(limit));
      *step.add_args() = StepText("pragma_unroll_explicit");
      *step.add_args() = StepInt(drawer.Int(0, 1));
      break;
    }
    default:
      *step.add_args() = StepText("pragma_loop_partition_hint");
      *step.add_args() = StepInt(1);
      break;
  }
  drawer.Add(std::move(step));
  return true;
}

// Stages that ascend over the parts of a loop, in their own order: valid whatever they depend on.
bool DrawAnnotatePipeline(ScheduleDrawer& drawer) {
  const auto is_sequence = [&](const ModelBlock& b) {
    return std::ranges::any_of(b.loops,
                               [&](int loop) { return ChildrenOf(drawer.model(), loop) >= 2; });
  };
  const int picked = drawer.PickBlock(is_sequence);
  if (picked < 0) return false;
  const std::vector<int>& loops = drawer.block(picked).loops;
  size_t place = 0;
  while (ChildrenOf(drawer.model(), loops[place]) < 2) ++place;
  const int parts = ChildrenOf(drawer.model(), loops[place]);
  ScheduleStep stages = ScheduleDrawer::Step("annotate");
  drawer.AddLoop(picked, static_cast<int>(place), &stages);
  ScheduleStep order = stages;
  *stages.add_args() = StepText("software_pipeline_stage");
  *order.add_args() = StepText("software_pipeline_order");
  int64_t stage = 0;
  for (int i = 0; i < parts; ++i) {
    if (i > 0) stage += drawer.OneOf({1, 0, 1, 2});
    *stages.add_args() = StepInt(stage);
    *order.add_args() = StepInt(i);
  }
  drawer.Add(std::move(stages));
  drawer.Add(std::move(order));
  return true;
}

bool DrawAnnotateDoubleBuffer(ScheduleDrawer& drawer) {
  const int picked = drawer.PickBlock([&](const ModelBlock& b) {
    return b.exact && b.single_store && drawer.buffer(b.writes[0]).local && !b.loops.empty();
  });
  if (picked < 0) return false;
  ScheduleStep step = ScheduleDrawer::Step("annotate");
  *step.add_args() = StepText(drawer.block(picked).name);
  *step.add_args() = StepText("double_buffer_scope");
  *step.add_args() = StepInt(0);
  drawer.Add(std::move(step));
  return true;
}

// What an earlier step has put there.
bool DrawUnannotate(ScheduleDrawer& drawer) {
  std::vector<const ScheduleStep*> annotations;
  for (const ScheduleStep& step : drawer.steps()) {
    if (step.primitive() == "annotate") annotations.push_back(&step);
  }
  if (annotations.empty()) {
    if (!DrawAnnotatePragma(drawer)) return false;
    annotations.push_back(&drawer.steps().back());
  }
  const ScheduleStep& old = *annotations[static_cast<size_t>(
      drawer.Int(0, static_cast<int64_t>(annotations.size()) - 1))];
  ScheduleStep step = ScheduleDrawer::Step("unannotate");
  *step.add_args() = old.args(0);
  *step.add_args() = old.args(1);
  if (old.args(1).op() == CONST) *step.add_args() = old.args(2);
  drawer.Add(std::move(step));
  return true;
}

// The whole buffer: true of every access.
bool DrawAnnotateBufferAccess(ScheduleDrawer& drawer) {
  const auto fits = [&](const ModelBlock& b, int buffer) {
    const std::vector<int64_t>& shape = drawer.buffer(buffer).shape;
    return !shape.empty() && shape.size() == b.domains.size() &&
           std::ranges::all_of(shape, [](int64_t extent) { return extent > 0; });
  };
  const auto place_of = [&](const ModelBlock& b, const std::vector<int>& list) {
    for (size_t i = 0; i < list.size(); ++i) {
      if (fits(b, list[i])) return static_cast<int>(i);
    }
    return -1;
  };
  const int picked = drawer.PickBlock(
      [&](const ModelBlock& b) { return place_of(b, b.reads) >= 0 || place_of(b, b.writes) >= 0; });
  if (picked < 0) return false;
  const ModelBlock& block = drawer.block(picked);
  const bool reads = place_of(block, block.reads) >= 0 &&
                     (place_of(block, block.writes) < 0 || drawer.Percent(60));
  const std::vector<int>& list = reads ? block.reads : block.writes;
  const int place = place_of(block, list);
  IndexMap map;
  map.inputs = static_cast<int>(block.domains.size());
  for (const int64_t extent : drawer.buffer(list[static_cast<size_t>(place)]).shape) {
    map.outputs.push_back({{.scale = 0}});
    map.outputs.push_back({{.scale = extent}});
  }
  ScheduleStep step = ScheduleDrawer::Step("annotate_buffer_access");
  *step.add_args() = StepText(block.name);
  *step.add_args() = StepInt(place);
  *step.add_args() = StepText(reads ? "read" : "write");
  *step.add_args() = StepText(PrintIndexMap(map));
  drawer.Add(std::move(step));
  return true;
}

}  // namespace irate
