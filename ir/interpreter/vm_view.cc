// Allocations and views of buffers.
#include <algorithm>
#include <utility>

#include "absl/strings/str_join.h"
#include "fmt/format.h"
#include "ir/interpreter/float_ops.h"
#include "ir/interpreter/vm.h"

namespace irate::interp {
namespace {

constexpr uint64_t kMaxElements = uint64_t{1} << 40;

void SetRowMajor(View* view) {
  view->strides.assign(view->shape.size(), 1);
  for (size_t i = view->shape.size(); i-- > 1;) {
    // A zero extent in front makes the others meaningless: saturate.
    int64_t stride = 0;
    if (__builtin_mul_overflow(view->strides[i], view->shape[i], &stride)) stride = INT64_MAX;
    view->strides[i - 1] = stride;
  }
}

}  // namespace

Trap Vm::Layout(const Frame& frame, const BufferInfo& info, bool is_view, View* view,
                uint64_t* elements) {
  uint8_t flags = 0;
  const auto read = [&](uint32_t reg, int64_t* value) {
    flags |= frame.cells[reg].flags;
    *value = frame.cells[reg].i;
    return *value >= 0;
  };
  view->type = info.type;
  view->lanes = info.lanes;
  view->shape.resize(info.shape.size());
  uint64_t count = 1;
  bool overflow = false;
  for (size_t i = 0; i < info.shape.size(); ++i) {
    // No address depends on the outermost extent of a view.
    if (is_view && !source_ && i == 0) {
      view->shape[0] = frame.cells[info.shape[0]].i;
      continue;
    }
    if (!read(info.shape[i], &view->shape[i])) return Trap::kNegativeExtent;
    const auto extent = static_cast<uint64_t>(view->shape[i]);
    overflow |= __builtin_mul_overflow(count, extent, &count);
    if (extent == 0) overflow = false;
  }
  if (info.strides.empty()) {
    SetRowMajor(view);
  } else {
    view->strides.resize(info.strides.size());
    for (size_t i = 0; i < info.strides.size(); ++i) read(info.strides[i], &view->strides[i]);
  }
  view->elem_offset = 0;
  if (info.elem_offset != kNoRegister) read(info.elem_offset, &view->elem_offset);
  *elements = overflow || count > kMaxElements ? kMaxElements : count;
  // The shape decides over addresses.
  if (flags != 0) {
    if (Trap trap = CheckAddress(flags); trap != Trap::kNone) return trap;
    view->flags |= flags & kDoubt;
  }
  return Trap::kNone;
}

Trap Vm::Allocate(Frame* frame, const Instr& instr) {
  const BufferInfo& info = frame->function->buffers[instr.c];
  View* view = &frame->views[instr.b];
  const uint32_t old = view->is_owner ? view->object : 0;
  const auto explain = [&](Trap trap) { return Explain(trap, std::string(info.name)); };
  view->flags = 0;
  uint64_t elements = 0;
  if (Trap trap = Layout(*frame, info, false, view, &elements); trap != Trap::kNone) {
    return explain(trap);
  }
  // An allocation with strides or an offset spans more than its elements.
  __int128 last = view->elem_offset;
  for (size_t i = 0; i < view->shape.size() && elements > 0; ++i) {
    last += static_cast<__int128>(view->shape[i] - 1) * view->strides[i];
  }
  const __int128 span = elements == 0 ? 0 : last + 1;
  if (span < 0 || span >= static_cast<__int128>(kMaxElements)) return explain(Trap::kMemory);
  const auto granule = static_cast<uint32_t>(std::max(1, ByteSize(info.type)));
  const uint64_t bytes = static_cast<uint64_t>(span) * info.lanes * granule;
  if (IsThreadRunning() && info.scope.starts_with("shared")) {
    const Trap trap = SharedObject(frame->pc, bytes, granule, &view->object);
    if (trap != Trap::kNone) return explain(trap);
    if (old != 0) memory_.Free(old);
    memory_.object(view->object).is_global = false;
    view->base = 0;
    view->exists = true;
    view->is_owner = false;
    return Trap::kNone;
  }
  Trap trap = Trap::kNone;
  if (old != 0) {
    trap = memory_.Renew(bytes, granule, old);
    view->object = old;
  } else {
    trap = memory_.Allocate(bytes, granule, &view->object);
  }
  if (trap != Trap::kNone) return explain(trap);
  Born(view->object);
  memory_.object(view->object).is_global = info.scope.empty() || info.scope == "global";
  view->base = 0;
  view->exists = true;
  view->is_owner = true;
  return Trap::kNone;
}

Trap Vm::MakeView(Frame* frame, const Instr& instr) {
  const BufferInfo& info = frame->function->buffers[instr.c];
  const Cell& data = frame->cells[instr.a];
  View* view = &frame->views[instr.b];
  if (view->is_owner) memory_.Free(view->object);
  *view = View();
  view->flags = data.flags;
  uint64_t elements = 0;
  if (Trap trap = Layout(*frame, info, true, view, &elements); trap != Trap::kNone) {
    return Explain(trap, std::string(info.name));
  }
  view->object = data.object;
  view->base = data.i;
  view->exists = true;
  return Trap::kNone;
}

Trap Vm::BindParameter(Frame* frame, uint32_t buffer, uint32_t ordinal, uint32_t object,
                       int64_t offset, uint8_t flags) {
  const BufferInfo& info = frame->function->buffers[ordinal];
  View* view = &frame->views[buffer];
  view->flags = flags;
  uint64_t elements = 0;
  if (Trap trap = Layout(*frame, info, true, view, &elements); trap != Trap::kNone) {
    return Explain(trap, std::string(info.name));
  }
  view->object = object;
  view->base = offset;
  view->exists = true;
  return Trap::kNone;
}

Trap Vm::MatchView(Frame* frame, const Instr& instr) {
  const Match& match = frame->function->matches[instr.c];
  const View& source = frame->views[instr.a];
  if (!source.exists) return Trap::kInvalidPointer;
  View view = source;
  view.is_owner = false;
  const size_t skipped = match.mins.size() - match.shape.size();
  uint8_t flags = 0;
  for (size_t i = 0; i < match.mins.size(); ++i) {
    const Cell& min = frame->cells[match.mins[i]];
    const Cell& extent = frame->cells[match.extents[i]];
    flags |= min.flags | extent.flags;
    const bool inside = min.i >= 0 && extent.i >= 0 && extent.i <= source.shape[i] &&
                        min.i <= source.shape[i] - extent.i;
    if (source_ && !inside) {
      return Explain(Trap::kOutOfBounds,
                     fmt::format("a matched region [{}, {} + {}) of an extent of {}", min.i, min.i,
                                 extent.i, source.shape[i]));
    }
    int64_t distance = 0;
    if (__builtin_mul_overflow(min.i, source.strides[i], &distance) ||
        __builtin_add_overflow(view.elem_offset, distance, &view.elem_offset)) {
      return Trap::kOutOfBounds;
    }
  }
  view.shape.clear();
  for (size_t i = skipped; i < match.mins.size(); ++i) {
    view.shape.push_back(frame->cells[match.extents[i]].i);
  }
  view.strides.erase(view.strides.begin(), view.strides.begin() + static_cast<int64_t>(skipped));
  if (flags != 0) {
    if (Trap trap = CheckAddress(flags); trap != Trap::kNone) return trap;
    view.flags |= flags & kDoubt;
  }
  const auto define = [&](uint32_t reg, int64_t value) {
    if (reg != kNoRegister) SetIntLeaf(I64, value, view.flags, &frame->cells[reg]);
  };
  for (size_t i = 0; i < match.shape.size(); ++i) define(match.shape[i], view.shape[i]);
  for (size_t i = 0; i < match.strides.size(); ++i) define(match.strides[i], view.strides[i]);
  define(match.elem_offset, view.elem_offset);
  if (frame->views[instr.b].is_owner) memory_.Free(frame->views[instr.b].object);
  frame->views[instr.b] = std::move(view);
  return Trap::kNone;
}

}  // namespace irate::interp
