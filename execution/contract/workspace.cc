#include "execution/contract/workspace.h"

#include <cstring>
#include <utility>

#include "execution/contract/poison.h"
#include "execution/contract/task.h"
#include "fmt/format.h"
#include "ir/status_macros.h"

namespace irate::contract {
namespace {

// Larger requests are a size computation gone wrong, not a program.
constexpr uint64_t kAbsurdSize = uint64_t{1} << 40;

std::string Name(int number, uint64_t size) {
  return fmt::format("workspace #{} ({} bytes)", number, size);
}

}  // namespace

WorkspaceHeap::WorkspaceHeap(const WorkspaceOptions& options, RegionMap* regions, ReportSink sink,
                             GuardedArena arena)
    : options_(options), regions_(regions), sink_(std::move(sink)), arena_(std::move(arena)) {}

absl::StatusOr<std::unique_ptr<WorkspaceHeap>> WorkspaceHeap::Create(
    const WorkspaceOptions& options, RegionMap* regions, ReportSink sink) {
  IRATE_ASSIGN_OR_RETURN(GuardedArena arena, GuardedArena::Create(options.capacity));
  return std::unique_ptr<WorkspaceHeap>(
      new WorkspaceHeap(options, regions, std::move(sink), std::move(arena)));
}

void WorkspaceHeap::CheckRequest(int device_type, int device_id, uint64_t size, int type_code,
                                 int type_bits, const void* caller) {
  if (device_type != options_.device.type || device_id != options_.device.id) {
    sink_({Clause::kWorkspaceDevice,
           fmt::format("a workspace was requested for device {}:{}, but the function runs on {}:{}",
                       device_type, device_id, options_.device.type, options_.device.id),
           device_type, caller});
  }
  if (size > kAbsurdSize) {
    sink_({Clause::kWorkspaceSize, fmt::format("a workspace of {} bytes was requested", size),
           static_cast<int64_t>(size), caller});
  }
  const bool known_code = type_code >= 0 && type_code <= 17;
  if (!known_code || type_bits <= 0 || type_bits > 64) {
    sink_({Clause::kWorkspaceElementType,
           fmt::format("a workspace was requested with element type code {} and {} bits", type_code,
                       type_bits),
           type_code, caller});
  }
}

void* WorkspaceHeap::Allocate(int device_type, int device_id, uint64_t size, int type_code,
                              int type_bits, const void* caller) {
  CheckRequest(device_type, device_id, size, type_code, type_bits, caller);
  if (size > options_.capacity) return nullptr;
  size_t alignment = kWorkspaceAlignment;
  size_t offset = 0;
  if (options_.fault == Fault::kWorkspaceAlign16) alignment = 16;
  if (options_.fault == Fault::kWorkspaceAlign32) alignment = 32;
  if (options_.fault == Fault::kWorkspaceOffByOne) offset = 1;

  std::lock_guard lock(mutex_);
  absl::StatusOr<GuardedSpan> span = arena_.Allocate(size, alignment, offset);
  if (!span.ok()) return nullptr;
  Block block;
  block.span = *span;
  block.device = {device_type, device_id};
  block.launch = CurrentTask().launch;
  block.task = CurrentTask().task;
  block.caller = caller;
  block.number = static_cast<int>(blocks_.size());
  blocks_.push_back(block);

  Region region;
  region.kind = RegionKind::kWorkspace;
  region.name = fmt::format("workspace #{}", block.number);
  region.begin = span->begin;
  region.end = span->end;
  region.zone_begin = span->zone_begin;
  region.zone_end = span->zone_end;
  region.element_bytes = std::max(1, type_bits / 8);
  region.caller = caller;
  regions_->Add(std::move(region));

  void* pointer = reinterpret_cast<void*>(span->begin);
  if (size > 0) std::memset(pointer, options_.fill, size);
  if (span->begin % kWorkspaceAlignment != 0) {
    fault_triggered_ = true;
    sink_(
        {Clause::kWorkspaceAlignment,
         fmt::format("{} was handed out at an address with remainder {} modulo {}; generated code "
                     "may assume a multiple of {}",
                     Name(block.number, size), span->begin % kWorkspaceAlignment,
                     kWorkspaceAlignment, kWorkspaceAlignment),
         static_cast<int64_t>(span->begin % kWorkspaceAlignment), caller});
  }
  return pointer;
}

WorkspaceHeap::Block* WorkspaceHeap::FindBlock(const void* pointer) {
  const uintptr_t address = reinterpret_cast<uintptr_t>(pointer);
  for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block) {
    if (block->span.begin == address) return &*block;
  }
  return nullptr;
}

void WorkspaceHeap::CheckOrder(const Block& freed, const void* caller) {
  for (auto block = blocks_.rbegin(); block != blocks_.rend() && &*block != &freed; ++block) {
    if (block->freed || block->launch != freed.launch || block->task != freed.task) continue;
    sink_({Clause::kWorkspaceOrder,
           fmt::format("workspace #{} was freed while workspace #{}, allocated after it, is alive",
                       freed.number, block->number),
           freed.number, caller});
    return;
  }
}

int WorkspaceHeap::Free(int device_type, int device_id, void* pointer, const void* caller) {
  std::lock_guard lock(mutex_);
  Block* block = FindBlock(pointer);
  if (block == nullptr) {
    sink_({Clause::kWorkspaceUnknownFree,
           fmt::format("{} was freed as a workspace but never allocated as one", pointer),
           static_cast<int64_t>(reinterpret_cast<uintptr_t>(pointer)), caller});
    return -1;
  }
  const uint64_t size = block->span.end - block->span.begin;
  if (block->freed) {
    sink_({Clause::kWorkspaceDoubleFree,
           fmt::format("{} was freed twice", Name(block->number, size)), block->number, caller});
    return -1;
  }
  if (block->device.type != device_type || block->device.id != device_id) {
    sink_({Clause::kWorkspaceDevice,
           fmt::format("{} was allocated for device {}:{} and freed for {}:{}",
                       Name(block->number, size), block->device.type, block->device.id, device_type,
                       device_id),
           device_type, caller});
  }
  if (block->launch != CurrentTask().launch || block->task != CurrentTask().task) {
    sink_({Clause::kWorkspaceTask,
           fmt::format("{} was allocated by task {} and freed by task {} (-1: outside of tasks)",
                       Name(block->number, size), block->task, CurrentTask().task),
           block->number, caller});
  }
  CheckOrder(*block, caller);
  block->freed = true;
  regions_->MarkFreed(block->span.begin);
  Poison(pointer, size);
  return 0;
}

void WorkspaceHeap::Finish(bool succeeded) {
  std::lock_guard lock(mutex_);
  for (const Block& block : blocks_) {
    const uint64_t size = block.span.end - block.span.begin;
    if (!block.freed && succeeded) {
      sink_({Clause::kWorkspaceLeak,
             fmt::format("{} was not freed although the function succeeded",
                         Name(block.number, size)),
             block.number, block.caller});
    }
    if (const uintptr_t changed = FirstChangedCanary(block.span); changed != 0) {
      const int64_t offset = static_cast<int64_t>(changed - block.span.begin);
      sink_({Clause::kRedZone,
             fmt::format("a byte beside {} was overwritten, at offset {}", Name(block.number, size),
                         offset),
             offset, block.caller});
    }
  }
}

void WorkspaceHeap::Reset() {
  std::lock_guard lock(mutex_);
  regions_->RemoveKind(RegionKind::kWorkspace);
  blocks_.clear();
  arena_.Reset();
  fault_triggered_ = false;
}

}  // namespace irate::contract
