// Primitives that move a computation, or take one apart.
#include <algorithm>
#include <utility>

#include "generators/schedule_drawer.h"

namespace irate {
namespace {

bool Contains(const std::vector<int>& list, int value) {
  return std::ranges::find(list, value) != list.end();
}

// A producer of an intermediate buffer and one of its consumers.
struct Pair {
  int producer = -1;
  int consumer = -1;
  int buffer = -1;
};

Pair DrawPair(ScheduleDrawer& drawer, const std::function<bool(const ModelBlock&)>& producer,
              const std::function<bool(const ModelBlock&)>& consumer) {
  Pair pair;
  const auto buffer_of = [&](const ModelBlock& block) {
    for (const int buffer : block.writes) {
      if (!drawer.buffer(buffer).local) continue;
      for (const ModelBlock& other : drawer.model().blocks) {
        if (&other != &block && Contains(other.reads, buffer) && consumer(other)) return buffer;
      }
    }
    return -1;
  };
  pair.producer = drawer.PickBlock(
      [&](const ModelBlock& block) { return producer(block) && buffer_of(block) >= 0; });
  if (pair.producer < 0) return pair;
  pair.buffer = buffer_of(drawer.block(pair.producer));
  pair.consumer = drawer.PickBlock([&](const ModelBlock& other) {
    return &other != &drawer.block(pair.producer) && Contains(other.reads, pair.buffer) &&
           consumer(other);
  });
  return pair;
}

bool IsExact(const ModelBlock& block) { return block.exact; }
bool HasLoops(const ModelBlock& block) { return !block.loops.empty(); }

// The moved block lies below the other's loops down to `place`, in loops of its own.
void Move(ScheduleDrawer& drawer, int moved, int other, int place) {
  std::vector<int> loops(drawer.block(other).loops.begin(),
                         drawer.block(other).loops.begin() + place + 1);
  const size_t iters = drawer.block(moved).reduction_iters.size();
  for (size_t i = 0; i < iters; ++i) {
    loops.push_back(drawer.AddLoopOf(-1, drawer.block(moved).reduction_iters[i]));
  }
  drawer.block(moved).loops = std::move(loops);
}

int DrawComputeAtOf(ScheduleDrawer& drawer, int moved, int other, std::string_view primitive) {
  // Below a reduction loop it is computed again and again: possible, and rarely meant.
  int place = drawer.PickLoop(other, [](const ModelLoop& l) { return !l.reduction; });
  if (place < 0 || drawer.Percent(15)) {
    place = drawer.PickLoop(other, [](const ModelLoop&) { return true; });
  }
  ScheduleStep step = ScheduleDrawer::Step(primitive);
  *step.add_args() = StepText(drawer.block(moved).name);
  drawer.AddLoop(other, place, &step);
  *step.add_args() = StepBool(drawer.Percent(30));
  *step.add_args() = StepInt(drawer.Percent(75) ? -1 : -2);
  drawer.Add(std::move(step));
  Move(drawer, moved, other, place);
  return place;
}

}  // namespace

bool DrawComputeAt(ScheduleDrawer& drawer) {
  const Pair pair = DrawPair(drawer, IsExact, HasLoops);
  if (pair.consumer < 0) return false;
  DrawComputeAtOf(drawer, pair.producer, pair.consumer, "compute_at");
  return true;
}

bool DrawReverseComputeAt(ScheduleDrawer& drawer) {
  const Pair pair = DrawPair(drawer, HasLoops, IsExact);
  if (pair.consumer < 0) return false;
  DrawComputeAtOf(drawer, pair.consumer, pair.producer, "reverse_compute_at");
  return true;
}

bool DrawComputeInline(ScheduleDrawer& drawer) {
  const Pair pair = DrawPair(
      drawer, [](const ModelBlock& b) { return b.exact && b.single_store && !b.HasReduction(); },
      [](const ModelBlock&) { return true; });
  if (pair.consumer < 0) return false;
  ScheduleStep step = ScheduleDrawer::Step("compute_inline");
  *step.add_args() = StepText(drawer.block(pair.producer).name);
  drawer.Add(std::move(step));
  const std::vector<int> reads = drawer.block(pair.producer).reads;
  for (ModelBlock& block : drawer.model().blocks) {
    const auto at = std::ranges::find(block.reads, pair.buffer);
    if (at == block.reads.end()) continue;
    block.reads.erase(at);
    for (const int read : reads) {
      if (!Contains(block.reads, read)) block.reads.push_back(read);
    }
  }
  drawer.RemoveBlock(pair.producer);
  return true;
}

bool DrawReverseComputeInline(ScheduleDrawer& drawer) {
  const Pair pair = DrawPair(drawer, IsExact, [](const ModelBlock& b) {
    return b.exact && b.single_store && !b.HasReduction();
  });
  if (pair.consumer < 0 || drawer.ReaderCount(pair.buffer) != 1) return false;
  ScheduleStep step = ScheduleDrawer::Step("reverse_compute_inline");
  *step.add_args() = StepText(drawer.block(pair.consumer).name);
  drawer.Add(std::move(step));
  drawer.block(pair.producer).writes = drawer.block(pair.consumer).writes;
  for (const int read : drawer.block(pair.consumer).reads) {
    if (read != pair.buffer && !Contains(drawer.block(pair.producer).reads, read)) {
      drawer.block(pair.producer).reads.push_back(read);
    }
  }
  drawer.RemoveBlock(pair.consumer);
  return true;
}

bool DrawFuseReductionEpilogue(ScheduleDrawer& drawer) {
  const Pair pair = DrawPair(
      drawer, [](const ModelBlock& b) { return b.exact && b.has_init && b.HasReduction(); },
      [](const ModelBlock& b) { return b.elementwise && b.adds; });
  if (pair.consumer < 0) return false;
  ScheduleStep step = ScheduleDrawer::Step("fuse_reduction_epilogue");
  *step.add_args() = StepText(drawer.block(pair.producer).name);
  *step.add_args() = StepText(drawer.block(pair.consumer).name);
  drawer.Add(std::move(step));
  drawer.block(pair.producer).writes = drawer.block(pair.consumer).writes;
  drawer.RemoveBlock(pair.consumer);
  return true;
}

bool DrawDecomposeReduction(ScheduleDrawer& drawer) {
  // Below a loop that is both, every element is initialised several times: in parallel iterations
  // too, should a later step make them so.
  const auto mixed = [](const ModelLoop& l) { return l.mixed; };
  const int picked = drawer.PickBlock([&](const ModelBlock& b) {
    return b.has_init && b.HasReduction() && !b.loops.empty() && !drawer.AnyLoop(b, mixed);
  });
  if (picked < 0) return false;
  // At the outermost reduction loop or above.
  const std::vector<int> loops = drawer.block(picked).loops;
  size_t first = 0;
  while (first + 1 < loops.size() && !drawer.loop(loops[first]).reduction) ++first;
  const int place = drawer.Percent(60)
                        ? static_cast<int>(first)
                        : static_cast<int>(drawer.Int(0, static_cast<int64_t>(first)));
  ScheduleStep step = ScheduleDrawer::Step("decompose_reduction");
  *step.add_args() = StepText(drawer.block(picked).name);
  drawer.AddLoop(picked, place, &step);
  drawer.Add(std::move(step));
  ModelBlock init;
  init.name = drawer.block(picked).name + "_init";
  init.writes = drawer.block(picked).writes;
  init.loops.assign(loops.begin(), loops.begin() + place);
  for (size_t i = 0; i < drawer.block(picked).domains.size(); ++i) {
    if (drawer.block(picked).reduction_iters[i]) continue;
    init.reduction_iters.push_back(false);
    init.domains.push_back(drawer.block(picked).domains[i]);
    init.loops.push_back(drawer.AddLoopOf(init.domains.back(), false));
  }
  init.single_store = true;
  drawer.block(picked).has_init = false;
  drawer.block(picked).exact = false;
  drawer.block(picked).name += "_update";
  drawer.model().blocks.insert(drawer.model().blocks.begin() + picked, std::move(init));
  return true;
}

bool DrawRfactor(ScheduleDrawer& drawer) {
  const auto reduces = [](const ModelLoop& l) { return l.reduction; };
  const int picked = drawer.PickBlock([&](const ModelBlock& b) {
    return b.exact && b.has_init && b.HasReduction() && drawer.AnyLoop(b, reduces);
  });
  if (picked < 0) return false;
  const int place = drawer.PickLoop(picked, reduces);
  ModelBlock& block = drawer.block(picked);
  const auto rank = static_cast<int64_t>(drawer.buffer(block.writes[0]).shape.size());
  ScheduleStep step = ScheduleDrawer::Step("rfactor");
  drawer.AddLoop(picked, place, &step);
  *step.add_args() = StepInt(drawer.Percent(30) ? -1 : drawer.Int(0, rank));
  drawer.Add(std::move(step));
  ModelBlock partial = block;
  partial.name += "_rf";
  const int factor = block.loops[static_cast<size_t>(place)];
  std::vector<int64_t> shape = drawer.buffer(block.writes[0]).shape;
  shape.insert(shape.begin(), drawer.loop(factor).extent);
  const int between = drawer.AddBuffer(drawer.buffer(block.writes[0]).name + "_rf",
                                       drawer.buffer(block.writes[0]).type, shape);
  partial.writes = {between};
  std::vector<int> own;
  for (const int loop : block.loops) {
    if (loop == factor || !drawer.loop(loop).reduction) {
      const ModelLoop copied = drawer.loop(loop);
      own.push_back(drawer.AddLoopOf(copied.extent, copied.reduction));
    }
  }
  ModelBlock& rest = drawer.block(picked);
  rest.loops = std::move(own);
  rest.reads = {between};
  drawer.model().blocks.insert(drawer.model().blocks.begin() + picked, std::move(partial));
  return true;
}

// A padded copy becomes a fill with the pad value and a copy of the rest.
bool DrawDecomposePadding(ScheduleDrawer& drawer) {
  const int picked =
      drawer.PickBlock([](const ModelBlock& b) { return b.exact && b.pads && !b.loops.empty(); });
  if (picked < 0) return false;
  const int place = drawer.PickLoop(picked, [](const ModelLoop&) { return true; });
  ScheduleStep step = ScheduleDrawer::Step("decompose_padding");
  *step.add_args() = StepText(drawer.block(picked).name);
  drawer.AddLoop(picked, place, &step);
  drawer.Add(std::move(step));
  return true;
}

bool DrawPadEinsum(ScheduleDrawer& drawer) {
  const int picked = drawer.PickBlock([](const ModelBlock& b) {
    return b.exact && b.has_init && b.HasReduction() && !b.index_expressions;
  });
  if (picked < 0) return false;
  ScheduleStep step = ScheduleDrawer::Step("pad_einsum");
  *step.add_args() = StepText(drawer.block(picked).name);
  for (size_t i = 0; i < drawer.block(picked).domains.size(); ++i) {
    *step.add_args() = StepInt(drawer.OneOf({1, 1, 1, 2, 4, 3}));
  }
  drawer.Add(std::move(step));
  return true;
}

// A producer that overlaps itself from iteration to iteration of the loop that it was put below.
bool DrawRollingBuffer(ScheduleDrawer& drawer) {
  const Pair pair = DrawPair(
      drawer, [](const ModelBlock& b) { return b.exact && b.single_store; },
      [](const ModelBlock& b) { return !b.loops.empty() && b.index_expressions; });
  if (pair.consumer < 0) return false;
  const std::string name = drawer.block(pair.producer).name;
  DrawComputeAtOf(drawer, pair.producer, pair.consumer, "compute_at");
  ScheduleStep step = ScheduleDrawer::Step("rolling_buffer");
  *step.add_args() = StepText(name);
  *step.add_args() = StepInt(0);
  drawer.Add(std::move(step));
  return true;
}

}  // namespace irate
