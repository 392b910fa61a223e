// Primitives that change loops: their structure and their kinds.
#include <algorithm>
#include <utility>

#include "generators/schedule_drawer.h"

namespace irate {
namespace {

bool IsAny(const ModelLoop&) { return true; }
bool HasLoops(const ModelBlock& block) { return !block.loops.empty(); }

// A factor for an extent: a divisor, or one that leaves a tail, or one that is too large.
int64_t DrawFactor(ScheduleDrawer& drawer, int64_t extent) {
  if (extent > 1 && drawer.Percent(50)) {
    for (int tries = 0; tries < 4; ++tries) {
      const int64_t factor = drawer.Int(2, std::min<int64_t>(extent, 16));
      if (extent % factor == 0) return factor;
    }
  }
  // Not much larger than what it is of: guarded iterations take time as well.
  const int64_t most = extent < 0 ? 4 : std::max<int64_t>(extent + 1, 2);
  return std::min(drawer.OneOf({2, 3, 4, 5, 8, 16, 1}), most);
}

int64_t CeilDiv(int64_t a, int64_t b) { return a < 0 ? -1 : (a + b - 1) / b; }

}  // namespace

// Nests next to each other, with one block each and the same extents.
bool DrawMerge(ScheduleDrawer& drawer) {
  const int first = drawer.PickBlock(HasLoops);
  if (first < 0) return false;
  const std::vector<int> loops = drawer.block(first).loops;
  const int depth = static_cast<int>(drawer.Int(0, static_cast<int64_t>(loops.size()) - 1));
  const auto fits = [&](const ModelBlock& other) {
    if (&other == &drawer.block(first) || static_cast<int>(other.loops.size()) <= depth) {
      return false;
    }
    for (int d = 0; d <= depth; ++d) {
      const auto place = static_cast<size_t>(d);
      if (other.loops[place] == loops[place]) return false;
      const int64_t extent = drawer.loop(loops[place]).extent;
      if (extent < 0 || drawer.loop(other.loops[place]).extent != extent) return false;
    }
    return true;
  };
  const int second = drawer.PickBlock(fits);
  if (second < 0) return false;
  ScheduleStep step = ScheduleDrawer::Step("merge");
  drawer.AddLoop(std::min(first, second), depth, &step);
  drawer.AddLoop(std::max(first, second), depth, &step);
  drawer.Add(std::move(step));
  std::vector<int>& merged = drawer.block(second).loops;
  std::copy(loops.begin(), loops.begin() + depth + 1, merged.begin());
  return true;
}

bool DrawFuse(ScheduleDrawer& drawer) {
  const int picked = drawer.PickBlock([](const ModelBlock& b) { return b.loops.size() >= 2; });
  if (picked < 0) return false;
  const std::vector<int> loops = drawer.block(picked).loops;
  const auto count = static_cast<int64_t>(loops.size());
  const int64_t first = drawer.Int(0, count - 2);
  const int64_t last = std::min(count - 1, first + (drawer.Percent(75) ? 1 : 2));
  ScheduleStep step = ScheduleDrawer::Step("fuse");
  int64_t extent = 1;
  bool reduction = false;
  bool spatial = false;
  for (int64_t i = first; i <= last; ++i) {
    drawer.AddLoop(picked, static_cast<int>(i), &step);
    const ModelLoop& fused = drawer.loop(loops[static_cast<size_t>(i)]);
    extent = extent < 0 || fused.extent < 0 ? -1 : extent * fused.extent;
    reduction |= fused.reduction;
    spatial |= !fused.reduction || fused.mixed;
  }
  *step.add_args() = StepBool(drawer.Percent(70));
  drawer.Add(std::move(step));
  const int fused = drawer.AddLoopOf(extent, reduction);
  drawer.loop(fused).mixed = reduction && spatial;
  for (int64_t i = last; i >= first; --i) {
    drawer.ReplaceLoop(loops[static_cast<size_t>(i)],
                       i == first ? std::vector<int>{fused} : std::vector<int>{});
  }
  return true;
}

bool DrawSplit(ScheduleDrawer& drawer) {
  const int picked = drawer.PickBlock(HasLoops);
  if (picked < 0) return false;
  const int place = drawer.PickLoop(picked, IsAny);
  const int old = drawer.block(picked).loops[static_cast<size_t>(place)];
  const int64_t extent = drawer.loop(old).extent;
  ScheduleStep step = ScheduleDrawer::Step("split");
  drawer.AddLoop(picked, place, &step);
  // One factor is left to be inferred, almost always: given all, they have to cover the extent.
  const int64_t parts = drawer.Percent(75) ? 2 : 3;
  const int64_t inferred = drawer.Int(0, parts - 1);
  std::vector<int64_t> factors;
  int64_t product = 1;
  for (int64_t i = 0; i < parts; ++i) {
    factors.push_back(i == inferred ? 0 : DrawFactor(drawer, extent));
    if (i != inferred) product *= factors.back();
  }
  const int64_t rest = CeilDiv(extent, product);
  const bool reduction = drawer.loop(old).reduction;
  std::vector<int> loops;
  for (const int64_t factor : factors) {
    *step.add_args() = StepInt(factor == 0 && rest > 0 && drawer.Percent(10) ? rest : factor);
    loops.push_back(drawer.AddLoopOf(factor == 0 ? rest : factor, reduction));
  }
  *step.add_args() = StepBool(drawer.Percent(70));
  // Without a predicate it is right only for exact factors, as its documentation says.
  *step.add_args() = StepBool(extent > 0 && extent % product == 0 && drawer.Percent(20));
  drawer.Add(std::move(step));
  drawer.ReplaceLoop(old, loops);
  return true;
}

// Every part becomes a nest of its own, with blocks of new names.
bool DrawLoopPartition(ScheduleDrawer& drawer) {
  const auto fits = [](const ModelLoop& l) { return l.extent >= 3 && l.starts_at_zero; };
  const int picked = drawer.PickBlock([&](const ModelBlock& b) { return drawer.AnyLoop(b, fits); });
  if (picked < 0) return false;
  const int place = drawer.PickLoop(picked, fits);
  const int64_t extent = drawer.loop(drawer.block(picked).loops[static_cast<size_t>(place)]).extent;
  ScheduleStep step = ScheduleDrawer::Step("loop_partition");
  drawer.AddLoop(picked, place, &step);
  const int64_t first = drawer.Int(1, extent - 2);
  *step.add_args() = StepInt(first);
  if (drawer.Percent(50)) *step.add_args() = StepInt(drawer.Int(1, extent - first - 1));
  *step.add_args() = StepInt(0);
  *step.add_args() = StepBool(drawer.Percent(70));
  drawer.Add(std::move(step));
  drawer.RemoveBlock(picked);
  return true;
}

bool DrawReorder(ScheduleDrawer& drawer) {
  const int picked = drawer.PickBlock([](const ModelBlock& b) { return b.loops.size() >= 2; });
  if (picked < 0) return false;
  std::vector<int>& loops = drawer.block(picked).loops;
  std::vector<int> places;
  for (size_t i = 0; i < loops.size(); ++i) places.push_back(static_cast<int>(i));
  for (size_t i = places.size(); i > 1; --i) {
    std::swap(places[i - 1],
              places[static_cast<size_t>(drawer.Int(0, static_cast<int64_t>(i) - 1))]);
  }
  if (places.size() > 2 && drawer.Percent(40)) places.resize(2);
  ScheduleStep step = ScheduleDrawer::Step("reorder");
  for (const int place : places) drawer.AddLoop(picked, place, &step);
  drawer.Add(std::move(step));
  // The named loops take the named places, from the outermost.
  std::vector<int> taken = places;
  std::ranges::sort(taken);
  const std::vector<int> before = loops;
  for (size_t i = 0; i < places.size(); ++i) {
    loops[static_cast<size_t>(taken[i])] = before[static_cast<size_t>(places[i])];
  }
  return true;
}

bool DrawAddUnitLoop(ScheduleDrawer& drawer) {
  const int picked = drawer.PickBlock([](const ModelBlock&) { return true; });
  if (picked < 0) return false;
  ScheduleStep step = ScheduleDrawer::Step("add_unit_loop");
  std::vector<int>& loops = drawer.block(picked).loops;
  const int unit = drawer.AddLoopOf(1, false);
  if (loops.empty() || drawer.Percent(40)) {
    *step.add_args() = StepText(drawer.block(picked).name);
    drawer.block(picked).loops.push_back(unit);
  } else {
    const int place = drawer.PickLoop(picked, IsAny);
    drawer.AddLoop(picked, place, &step);
    const int below = loops[static_cast<size_t>(place)];
    drawer.ReplaceLoop(below, {unit, below});
  }
  drawer.Add(std::move(step));
  return true;
}

namespace {

bool DrawKind(ScheduleDrawer& drawer, std::string_view primitive, bool innermost,
              const std::function<bool(const ModelLoop&)>& fits) {
  const int picked = drawer.PickBlock([&](const ModelBlock& b) { return drawer.AnyLoop(b, fits); });
  if (picked < 0) return false;
  int place = drawer.PickLoop(picked, fits);
  const int last = static_cast<int>(drawer.block(picked).loops.size()) - 1;
  if (innermost && fits(drawer.loop(drawer.block(picked).loops.back())) && drawer.Percent(80)) {
    place = last;
  }
  ScheduleStep step = ScheduleDrawer::Step(primitive);
  drawer.AddLoop(picked, place, &step);
  if (primitive == "bind") *step.add_args() = StepText(drawer.OneOf({"vthread.x", "vthread.y"}));
  drawer.Add(std::move(step));
  drawer.loop(drawer.block(picked).loops[static_cast<size_t>(place)]).serial = false;
  return true;
}

}  // namespace

bool DrawParallel(ScheduleDrawer& drawer) {
  return DrawKind(drawer, "parallel", false,
                  [](const ModelLoop& l) { return l.serial && !l.reduction; });
}

bool DrawVectorize(ScheduleDrawer& drawer) {
  return DrawKind(drawer, "vectorize", true, [](const ModelLoop& l) {
    return l.serial && !l.reduction && l.extent >= 1 && l.extent <= 32;
  });
}

bool DrawUnroll(ScheduleDrawer& drawer) {
  return DrawKind(drawer, "unroll", true,
                  [](const ModelLoop& l) { return l.serial && l.extent >= 1 && l.extent <= 16; });
}

// Virtual threads: the ones that a processor without threads has as well.
bool DrawBind(ScheduleDrawer& drawer) {
  return DrawKind(drawer, "bind", false, [](const ModelLoop& l) {
    return l.serial && !l.reduction && l.extent >= 1 && l.extent <= 8;
  });
}

}  // namespace irate
