// Primitives that put a buffer between a block and what it reads or writes.
#include <algorithm>
#include <utility>

#include "generators/schedule_drawer.h"
#include "ir/index_map.h"

namespace irate {
namespace {

// What the block does not write itself: it would go on reading what was there before. (Where it
// does, there is cache_inplace.) Places in the list of reads.
std::vector<int> ForeignReads(const ModelBlock& block) {
  std::vector<int> places;
  for (size_t i = 0; i < block.reads.size(); ++i) {
    if (std::ranges::find(block.writes, block.reads[i]) == block.writes.end()) {
      places.push_back(static_cast<int>(i));
    }
  }
  return places;
}
bool Reads(const ModelBlock& block) { return !ForeignReads(block).empty(); }
// What it leaves out would be copied back with whatever is in the cache.
bool WritesExactly(const ModelBlock& block) { return block.exact && !block.writes.empty(); }

int Draw(ScheduleDrawer& drawer, const std::vector<int>& list) {
  return static_cast<int>(drawer.Int(0, static_cast<int64_t>(list.size()) - 1));
}

int DrawRead(ScheduleDrawer& drawer, const ModelBlock& block) {
  const std::vector<int> places = ForeignReads(block);
  return places[static_cast<size_t>(Draw(drawer, places))];
}

// The block's iterators in another order; of those that are spatial, for what is written.
IndexMap PermutedIters(ScheduleDrawer& drawer, const ModelBlock& block, bool only_spatial) {
  IndexMap map;
  map.inputs = static_cast<int>(block.reduction_iters.size());
  for (int i = 0; i < map.inputs; ++i) {
    if (only_spatial && block.reduction_iters[static_cast<size_t>(i)]) continue;
    map.outputs.push_back({{.input = i}});
  }
  for (size_t i = map.outputs.size(); i > 1; --i) {
    const auto other = static_cast<size_t>(drawer.Int(0, static_cast<int64_t>(i) - 1));
    std::swap(map.outputs[i - 1], map.outputs[other]);
  }
  return map;
}

void InsertBefore(ScheduleDrawer& drawer, int block, ModelBlock copy) {
  std::vector<ModelBlock>& blocks = drawer.model().blocks;
  blocks.insert(blocks.begin() + block, std::move(copy));
}

void InsertAfter(ScheduleDrawer& drawer, int block, ModelBlock copy) {
  std::vector<ModelBlock>& blocks = drawer.model().blocks;
  blocks.insert(blocks.begin() + block + 1, std::move(copy));
}

bool DrawReadCache(ScheduleDrawer& drawer, bool reindexed) {
  const int picked = drawer.PickBlock(Reads);
  if (picked < 0) return false;
  const int place = DrawRead(drawer, drawer.block(picked));
  const int from = drawer.block(picked).reads[static_cast<size_t>(place)];
  const std::string scope(drawer.Scope());
  ScheduleStep step = ScheduleDrawer::Step(reindexed ? "reindex_cache_read" : "cache_read");
  *step.add_args() = StepText(drawer.block(picked).name);
  *step.add_args() = StepInt(place);
  *step.add_args() = StepText(scope);
  std::vector<int64_t> shape = drawer.buffer(from).shape;
  if (reindexed) {
    const IndexMap map = PermutedIters(drawer, drawer.block(picked), false);
    if (map.outputs.empty()) return false;
    *step.add_args() = StepText(PrintIndexMap(map));
    shape.clear();
    for (const auto& output : map.outputs) {
      shape.push_back(drawer.block(picked).domains[static_cast<size_t>(output[0].input)]);
    }
  } else if (drawer.Percent(15)) {
    *step.add_args() = StepText(drawer.block(picked).name);
  }
  drawer.Add(std::move(step));
  const std::string name = drawer.buffer(from).name + "_" + scope;
  const int to = drawer.AddBuffer(name, drawer.buffer(from).type, shape);
  std::ranges::replace(drawer.block(picked).reads, from, to);
  InsertBefore(drawer, picked, drawer.CopyBlock(name, from, to));
  return true;
}

bool DrawWriteCache(ScheduleDrawer& drawer, bool reindexed) {
  const int picked = drawer.PickBlock(WritesExactly);
  if (picked < 0) return false;
  const int place = Draw(drawer, drawer.block(picked).writes);
  const int to = drawer.block(picked).writes[static_cast<size_t>(place)];
  const std::string scope(drawer.Scope());
  ScheduleStep step = ScheduleDrawer::Step(reindexed ? "reindex_cache_write" : "cache_write");
  *step.add_args() = StepText(drawer.block(picked).name);
  *step.add_args() = StepInt(place);
  *step.add_args() = StepText(scope);
  std::vector<int64_t> shape = drawer.buffer(to).shape;
  if (reindexed) {
    const IndexMap map = PermutedIters(drawer, drawer.block(picked), true);
    if (map.outputs.empty()) return false;
    *step.add_args() = StepText(PrintIndexMap(map));
    shape.clear();
    for (const auto& output : map.outputs) {
      shape.push_back(drawer.block(picked).domains[static_cast<size_t>(output[0].input)]);
    }
  }
  drawer.Add(std::move(step));
  const std::string name = drawer.buffer(to).name + "_" + scope;
  const int from = drawer.AddBuffer(name, drawer.buffer(to).type, shape);
  std::ranges::replace(drawer.block(picked).writes, to, from);
  InsertAfter(drawer, picked, drawer.CopyBlock(name, from, to));
  return true;
}

}  // namespace

bool DrawCacheRead(ScheduleDrawer& drawer) { return DrawReadCache(drawer, false); }
bool DrawReindexCacheRead(ScheduleDrawer& drawer) { return DrawReadCache(drawer, true); }
bool DrawCacheWrite(ScheduleDrawer& drawer) { return DrawWriteCache(drawer, false); }
bool DrawReindexCacheWrite(ScheduleDrawer& drawer) { return DrawWriteCache(drawer, true); }

// A block that reads what it writes.
bool DrawCacheInplace(ScheduleDrawer& drawer) {
  const auto shared = [](const ModelBlock& block) {
    for (size_t i = 0; i < block.reads.size(); ++i) {
      if (std::ranges::find(block.writes, block.reads[i]) != block.writes.end()) {
        return static_cast<int>(i);
      }
    }
    return -1;
  };
  const int picked = drawer.PickBlock([&](const ModelBlock& b) { return shared(b) >= 0; });
  if (picked < 0) return false;
  ScheduleStep step = ScheduleDrawer::Step("cache_inplace");
  *step.add_args() = StepText(drawer.block(picked).name);
  *step.add_args() = StepInt(shared(drawer.block(picked)));
  *step.add_args() = StepText(drawer.Scope());
  drawer.Add(std::move(step));
  return true;
}

bool DrawCacheIndex(ScheduleDrawer& drawer) {
  const int picked = drawer.PickBlock([](const ModelBlock& b) { return b.index_expressions; });
  if (picked < 0) return false;
  ScheduleStep step = ScheduleDrawer::Step("cache_index");
  *step.add_args() = StepText(drawer.block(picked).name);
  *step.add_args() = StepText(drawer.Scope());
  *step.add_args() = StepInt(drawer.Int(0, 2));
  drawer.Add(std::move(step));
  return true;
}

bool DrawReindex(ScheduleDrawer& drawer) {
  const int picked =
      drawer.PickBlock([](const ModelBlock& b) { return Reads(b) || WritesExactly(b); });
  if (picked < 0) return false;
  const bool can_write = WritesExactly(drawer.block(picked));
  const bool reads = Reads(drawer.block(picked)) && (!can_write || drawer.Percent(60));
  const std::vector<int>& list = reads ? drawer.block(picked).reads : drawer.block(picked).writes;
  const int place = reads ? DrawRead(drawer, drawer.block(picked)) : Draw(drawer, list);
  const int old = list[static_cast<size_t>(place)];
  ScheduleStep step = ScheduleDrawer::Step("reindex");
  *step.add_args() = StepText(drawer.block(picked).name);
  *step.add_args() = StepText(reads ? "read" : "write");
  *step.add_args() = StepInt(place);
  drawer.Add(std::move(step));
  const std::string name = drawer.buffer(old).name + "_reindex";
  const int added = drawer.AddBuffer(name, drawer.buffer(old).type, drawer.block(picked).domains);
  std::ranges::replace(reads ? drawer.block(picked).reads : drawer.block(picked).writes, old,
                       added);
  if (reads) {
    InsertBefore(drawer, picked, drawer.CopyBlock(name, old, added));
  } else {
    InsertAfter(drawer, picked, drawer.CopyBlock(name, added, old));
  }
  return true;
}

namespace {

bool DrawAt(ScheduleDrawer& drawer, bool reads) {
  const int picked = drawer.PickBlock([&](const ModelBlock& b) {
    return !b.loops.empty() && (reads ? Reads(b) : WritesExactly(b));
  });
  if (picked < 0) return false;
  const int loop = drawer.PickLoop(picked, [](const ModelLoop&) { return true; });
  const std::vector<int>& list = reads ? drawer.block(picked).reads : drawer.block(picked).writes;
  ScheduleStep step = ScheduleDrawer::Step(reads ? "read_at" : "write_at");
  drawer.AddLoop(picked, loop, &step);
  *step.add_args() = StepText(drawer.block(picked).name);
  *step.add_args() = StepInt(reads ? DrawRead(drawer, drawer.block(picked)) : Draw(drawer, list));
  *step.add_args() = StepText(drawer.Scope());
  drawer.Add(std::move(step));
  return true;
}

}  // namespace

bool DrawReadAt(ScheduleDrawer& drawer) { return DrawAt(drawer, true); }
bool DrawWriteAt(ScheduleDrawer& drawer) { return DrawAt(drawer, false); }

}  // namespace irate
