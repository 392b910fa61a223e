// Primitives on a block or on the layout of what it writes.
#include <algorithm>
#include <utility>

#include "generators/schedule_drawer.h"
#include "ir/index_map.h"
#include "ir/types.h"

namespace irate {
namespace {

bool HasIters(const ModelBlock& block) { return !block.domains.empty(); }

int LocalWrite(ScheduleDrawer& drawer, const ModelBlock& block) {
  for (size_t i = 0; i < block.writes.size(); ++i) {
    if (drawer.buffer(block.writes[i]).local) return static_cast<int>(i);
  }
  return -1;
}

int PickLocalWriter(ScheduleDrawer& drawer) {
  return drawer.PickBlock([&](const ModelBlock& b) { return LocalWrite(drawer, b) >= 0; });
}

std::vector<int64_t> DrawPermutation(ScheduleDrawer& drawer, size_t count) {
  std::vector<int64_t> order;
  for (size_t i = 0; i < count; ++i) order.push_back(static_cast<int64_t>(i));
  for (size_t i = count; i > 1; --i) {
    std::swap(order[i - 1], order[static_cast<size_t>(drawer.Int(0, static_cast<int64_t>(i) - 1))]);
  }
  return order;
}

// A bijection of the index space, unless `may_pad` and a factor leaves a rest: dimensions permuted,
// one of them split or two of them fused.
IndexMap DrawLayout(ScheduleDrawer& drawer, const std::vector<int64_t>& extents, bool may_pad,
                    bool* pads) {
  IndexMap map;
  map.inputs = static_cast<int>(extents.size());
  *pads = false;
  const auto split = static_cast<size_t>(drawer.Int(0, map.inputs - 1));
  const bool splits = extents[split] > 1 && drawer.Percent(65);
  const bool fuses = !splits && map.inputs >= 2 && extents[1] > 0 && drawer.Percent(40);
  for (size_t i = 0; i < extents.size(); ++i) {
    const int input = static_cast<int>(i);
    if (splits && i == split) {
      int64_t factor = drawer.OneOf({2, 4, 3, 8, 16});
      if (!may_pad && extents[i] % factor != 0) {
        factor = extents[i] % 2 == 0 ? 2 : extents[i] % 3 == 0 ? 3 : 1;
      }
      if (factor > 1) {
        *pads = extents[i] % factor != 0;
        map.outputs.push_back({{.input = input, .divisor = factor}});
        map.outputs.push_back({{.input = input, .modulus = factor}});
        continue;
      }
    }
    if (fuses && i == 1) {
      map.outputs[0] = {{.input = 0, .scale = extents[1]}, {.input = 1}};
      continue;
    }
    map.outputs.push_back({{.input = input}});
  }
  if (drawer.Percent(50)) {
    const std::vector<int64_t> order = DrawPermutation(drawer, map.outputs.size());
    IndexMap permuted;
    permuted.inputs = map.inputs;
    for (const int64_t place : order) {
      permuted.outputs.push_back(map.outputs[static_cast<size_t>(place)]);
    }
    return permuted;
  }
  return map;
}

}  // namespace

bool DrawReorderBlockIterVar(ScheduleDrawer& drawer) {
  const int picked = drawer.PickBlock([](const ModelBlock& b) { return b.domains.size() >= 2; });
  if (picked < 0) return false;
  ModelBlock& block = drawer.block(picked);
  ScheduleStep step = ScheduleDrawer::Step("reorder_block_iter_var");
  *step.add_args() = StepText(block.name);
  const ModelBlock before = block;
  const std::vector<int64_t> order = DrawPermutation(drawer, block.domains.size());
  for (size_t i = 0; i < order.size(); ++i) {
    *step.add_args() = StepInt(order[i]);
    const auto from = static_cast<size_t>(order[i]);
    block.domains[i] = before.domains[from];
    block.reduction_iters[i] = before.reduction_iters[from];
  }
  drawer.Add(std::move(step));
  return true;
}

bool DrawStorageAlign(ScheduleDrawer& drawer) {
  const int picked = PickLocalWriter(drawer);
  if (picked < 0) return false;
  const int place = LocalWrite(drawer, drawer.block(picked));
  const int buffer = drawer.block(picked).writes[static_cast<size_t>(place)];
  const auto rank = static_cast<int64_t>(drawer.buffer(buffer).shape.size());
  if (rank == 0) return false;
  ScheduleStep step = ScheduleDrawer::Step("storage_align");
  *step.add_args() = StepText(drawer.block(picked).name);
  *step.add_args() = StepInt(place);
  *step.add_args() = StepInt(drawer.Percent(50) ? drawer.Int(0, rank - 1) : -drawer.Int(1, rank));
  const int64_t factor = drawer.OneOf({2, 4, 8, 16, 32, 7});
  *step.add_args() = StepInt(factor);
  *step.add_args() = StepInt(drawer.Int(0, factor - 1));
  drawer.Add(std::move(step));
  return true;
}

bool DrawSetScope(ScheduleDrawer& drawer) {
  const int picked = PickLocalWriter(drawer);
  if (picked < 0) return false;
  ScheduleStep step = ScheduleDrawer::Step("set_scope");
  *step.add_args() = StepText(drawer.block(picked).name);
  *step.add_args() = StepInt(LocalWrite(drawer, drawer.block(picked)));
  *step.add_args() = StepText(drawer.OneOf({"local", "local", "global"}));
  drawer.Add(std::move(step));
  return true;
}

// To a wider type of the same kind only: every value that was, still is.
bool DrawUnsafeSetDtype(ScheduleDrawer& drawer) {
  const auto wider = [](ScalarType type) {
    switch (type) {
      case I8:
        return I16;
      case I16:
        return I32;
      case I32:
        return I64;
      case U8:
        return U16;
      case U16:
        return U32;
      case F16:
        return F32;
      case F32:
        return F64;
      default:
        return VOID;
    }
  };
  // Where it is stored and read back by the same block, wrapping may be what the program is about.
  const int picked = drawer.PickBlock([&](const ModelBlock& b) {
    const int place = LocalWrite(drawer, b);
    return place >= 0 && b.elementwise &&
           wider(drawer.buffer(b.writes[static_cast<size_t>(place)]).type) != VOID;
  });
  if (picked < 0) return false;
  const int place = LocalWrite(drawer, drawer.block(picked));
  const int buffer = drawer.block(picked).writes[static_cast<size_t>(place)];
  if (drawer.WriterOf(buffer) != picked) return false;
  const ScalarType type = wider(drawer.buffer(buffer).type);
  ScheduleStep step = ScheduleDrawer::Step("unsafe_set_dtype");
  *step.add_args() = StepText(drawer.block(picked).name);
  *step.add_args() = StepInt(place);
  *step.add_args() = StepText(IsFloat(type)      ? "float" + std::to_string(8 * ByteSize(type))
                              : IsUnsigned(type) ? "uint" + std::to_string(8 * ByteSize(type))
                                                 : "int" + std::to_string(8 * ByteSize(type)));
  drawer.Add(std::move(step));
  drawer.buffer(buffer).type = type;
  return true;
}

bool DrawBlockize(ScheduleDrawer& drawer) {
  const int picked =
      drawer.PickBlock([](const ModelBlock& b) { return HasIters(b) && !b.loops.empty(); });
  if (picked < 0) return false;
  const auto count = static_cast<int64_t>(drawer.block(picked).loops.size());
  // Inner loops more often: what is inside is out of the reach of most other steps.
  const auto place = static_cast<int>(drawer.Percent(70) ? count - 1 : drawer.Int(0, count - 1));
  ScheduleStep step = ScheduleDrawer::Step("blockize");
  drawer.AddLoop(picked, place, &step);
  *step.add_args() = StepBool(drawer.Percent(60));
  drawer.Add(std::move(step));
  ModelBlock outer = drawer.block(picked);
  outer.name += "_o";
  outer.loops.resize(static_cast<size_t>(place));
  outer.single_store = false;
  outer.elementwise = false;
  outer.exact = false;
  ModelBlock& inner = drawer.block(picked);
  inner.loops.erase(inner.loops.begin(), inner.loops.begin() + place);
  inner.writes.clear();
  inner.exact = false;
  drawer.model().blocks.insert(drawer.model().blocks.begin() + picked, std::move(outer));
  return true;
}

bool DrawTransformLayout(ScheduleDrawer& drawer) {
  const auto known = [](int64_t extent) { return extent > 0; };
  const auto fits = [&](const ModelBlock& b) {
    const int place = LocalWrite(drawer, b);
    if (place < 0 || !b.exact) return false;
    const int buffer = b.writes[static_cast<size_t>(place)];
    const std::vector<int64_t>& shape = drawer.buffer(buffer).shape;
    return !shape.empty() && std::ranges::all_of(shape, known) && drawer.WriterOf(buffer) >= 0;
  };
  const int writer = drawer.PickBlock(fits);
  if (writer < 0) return false;
  const int written = LocalWrite(drawer, drawer.block(writer));
  const int buffer = drawer.block(writer).writes[static_cast<size_t>(written)];
  bool pads = false;
  const IndexMap map = DrawLayout(drawer, drawer.buffer(buffer).shape, true, &pads);
  int picked = writer;
  int place = written;
  // Through the block that writes the buffer, or through one that reads it.
  const int reader = drawer.PickReaderOf(buffer);
  const bool by_reader = reader >= 0 && drawer.Percent(40);
  if (by_reader) {
    picked = reader;
    const std::vector<int>& reads = drawer.block(reader).reads;
    place = static_cast<int>(std::ranges::find(reads, buffer) - reads.begin());
  }
  ScheduleStep step = ScheduleDrawer::Step("transform_layout");
  *step.add_args() = StepText(drawer.block(picked).name);
  *step.add_args() = StepText(by_reader ? "read" : "write");
  *step.add_args() = StepInt(place);
  *step.add_args() = StepText(PrintIndexMap(map));
  if (pads || drawer.Percent(15)) {
    Expr value;
    value.set_op(CONST);
    value.set_type(drawer.buffer(buffer).type);
    if (!IsFloat(value.type()) && value.type() != BOOL) value.set_int_value(drawer.Int(0, 3));
    *step.add_args() = std::move(value);
  }
  drawer.Add(std::move(step));
  std::vector<int64_t> shape;
  for (size_t i = 0; i < map.outputs.size(); ++i) shape.push_back(-1);
  drawer.buffer(buffer).shape = std::move(shape);
  return true;
}

bool DrawTransformBlockLayout(ScheduleDrawer& drawer) {
  const int picked = drawer.PickBlock([](const ModelBlock& b) {
    return HasIters(b) && std::ranges::all_of(b.domains, [](int64_t d) { return d > 0; });
  });
  if (picked < 0) return false;
  bool pads = false;
  ModelBlock& block = drawer.block(picked);
  const IndexMap map = DrawLayout(drawer, block.domains, false, &pads);
  ScheduleStep step = ScheduleDrawer::Step("transform_block_layout");
  *step.add_args() = StepText(block.name);
  *step.add_args() = StepText(PrintIndexMap(map));
  drawer.Add(std::move(step));
  const std::vector<bool> before = block.reduction_iters;
  block.loops.clear();
  block.domains.clear();
  block.reduction_iters.clear();
  for (const auto& output : map.outputs) {
    const bool reduction = before[static_cast<size_t>(output[0].input)];
    block.reduction_iters.push_back(reduction);
    block.domains.push_back(-1);
    const int loop = drawer.AddLoopOf(-1, reduction);
    drawer.block(picked).loops.push_back(loop);
  }
  return true;
}

// Of a buffer that nothing writes: hiding that it is read takes no order away.
bool DrawUnsafeHideBufferAccess(ScheduleDrawer& drawer) {
  const auto input = [&](const ModelBlock& b) {
    for (size_t i = 0; i < b.reads.size(); ++i) {
      const int buffer = b.reads[i];
      const bool written = std::ranges::any_of(drawer.model().blocks, [&](const ModelBlock& w) {
        return std::ranges::find(w.writes, buffer) != w.writes.end();
      });
      if (!written && !drawer.buffer(buffer).local) return static_cast<int>(i);
    }
    return -1;
  };
  const int picked = drawer.PickBlock([&](const ModelBlock& b) { return input(b) >= 0; });
  if (picked < 0) return false;
  ScheduleStep step = ScheduleDrawer::Step("unsafe_hide_buffer_access");
  *step.add_args() = StepText(drawer.block(picked).name);
  *step.add_args() = StepText("read");
  *step.add_args() = StepInt(input(drawer.block(picked)));
  drawer.Add(std::move(step));
  return true;
}

}  // namespace irate
