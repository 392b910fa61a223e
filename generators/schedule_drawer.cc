#include "generators/schedule_drawer.h"

#include <algorithm>
#include <utility>

namespace irate {

int64_t ScheduleDrawer::OneOf(std::initializer_list<int64_t> values) {
  return values.begin()[Int(0, static_cast<int64_t>(values.size()) - 1)];
}

std::string_view ScheduleDrawer::OneOf(std::initializer_list<std::string_view> values) {
  return values.begin()[Int(0, static_cast<int64_t>(values.size()) - 1)];
}

std::string_view ScheduleDrawer::Scope() { return Percent(55) ? "global" : "local"; }

int ScheduleDrawer::PickBlock(const std::function<bool(const ModelBlock&)>& fits) {
  std::vector<int> found;
  for (size_t i = 0; i < model_.blocks.size(); ++i) {
    if (fits(model_.blocks[i])) found.push_back(static_cast<int>(i));
  }
  if (found.empty()) return -1;
  return found[static_cast<size_t>(Int(0, static_cast<int64_t>(found.size()) - 1))];
}

int ScheduleDrawer::PickLoop(int of, const std::function<bool(const ModelLoop&)>& fits) {
  std::vector<int> found;
  const std::vector<int>& loops = block(of).loops;
  for (size_t i = 0; i < loops.size(); ++i) {
    if (fits(loop(loops[i]))) found.push_back(static_cast<int>(i));
  }
  if (found.empty()) return -1;
  return found[static_cast<size_t>(Int(0, static_cast<int64_t>(found.size()) - 1))];
}

bool ScheduleDrawer::AnyLoop(const ModelBlock& of,
                             const std::function<bool(const ModelLoop&)>& fits) const {
  return std::ranges::any_of(
      of.loops, [&](int index) { return fits(model_.loops[static_cast<size_t>(index)]); });
}

int ScheduleDrawer::WriterOf(int buffer) const {
  int writer = -1;
  for (size_t i = 0; i < model_.blocks.size(); ++i) {
    if (std::ranges::find(model_.blocks[i].writes, buffer) == model_.blocks[i].writes.end()) {
      continue;
    }
    if (writer >= 0) return -1;
    writer = static_cast<int>(i);
  }
  return writer;
}

int ScheduleDrawer::PickReaderOf(int buffer) {
  return PickBlock([buffer](const ModelBlock& reader) {
    return std::ranges::find(reader.reads, buffer) != reader.reads.end();
  });
}

int ScheduleDrawer::ReaderCount(int buffer) const {
  return static_cast<int>(std::ranges::count_if(model_.blocks, [buffer](const ModelBlock& block) {
    return std::ranges::find(block.reads, buffer) != block.reads.end();
  }));
}

// Inner loops are counted from the inside: that number survives a split of an outer one.
void ScheduleDrawer::AddLoop(int of, int place, ScheduleStep* step) {
  const int count = static_cast<int>(block(of).loops.size());
  *step->add_args() = StepText(block(of).name);
  *step->add_args() = StepInt(place * 2 >= count && place > 0 ? place - count : place);
}

ScheduleStep ScheduleDrawer::Step(std::string_view primitive) {
  ScheduleStep step;
  step.set_primitive(std::string(primitive));
  return step;
}

void ScheduleDrawer::ReplaceLoop(int old, const std::vector<int>& loops) {
  for (ModelBlock& changed : model_.blocks) {
    const auto at = std::ranges::find(changed.loops, old);
    if (at == changed.loops.end()) continue;
    const auto place = changed.loops.erase(at);
    changed.loops.insert(place, loops.begin(), loops.end());
  }
}

int ScheduleDrawer::AddLoopOf(int64_t extent, bool reduction) {
  ModelLoop added;
  added.extent = extent;
  added.reduction = reduction;
  model_.loops.push_back(added);
  return static_cast<int>(model_.loops.size()) - 1;
}

ModelBlock ScheduleDrawer::CopyBlock(std::string name, int from, int to) {
  ModelBlock copy;
  copy.name = std::move(name);
  // Extents of what is copied: the buffer's, or less.
  const std::vector<int64_t> shape = buffer(from).shape;
  for (const int64_t extent : shape) {
    copy.loops.push_back(AddLoopOf(extent, false));
    copy.reduction_iters.push_back(false);
    copy.domains.push_back(extent);
  }
  copy.reads = {from};
  copy.writes = {to};
  copy.exact = true;
  copy.single_store = true;
  copy.elementwise = true;
  return copy;
}

int ScheduleDrawer::AddBuffer(std::string name, ScalarType type, std::vector<int64_t> shape) {
  ModelBuffer added;
  added.name = std::move(name);
  added.type = type;
  added.shape = std::move(shape);
  added.local = true;
  model_.buffers.push_back(std::move(added));
  return static_cast<int>(model_.buffers.size()) - 1;
}

void ScheduleDrawer::RemoveBlock(int index) { model_.blocks.erase(model_.blocks.begin() + index); }

}  // namespace irate
