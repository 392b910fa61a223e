#include "execution/devices/simulated/memory_map.h"

#include <algorithm>
#include <utility>

#include "execution/contract/poison.h"
#include "ir/status_macros.h"

namespace irate::devices {
namespace {

constexpr size_t kCapacity = size_t{1} << 30;
constexpr size_t kAlignment = 64;
// How far beside an allocation an address still names it.
constexpr uintptr_t kNear = 1 << 16;

}  // namespace

absl::StatusOr<std::unique_ptr<MemoryMap>> MemoryMap::Create() {
  std::unique_ptr<MemoryMap> map(new MemoryMap());
  IRATE_ASSIGN_OR_RETURN(map->arena_, contract::GuardedArena::Create(kCapacity));
  return map;
}

absl::StatusOr<Allocation*> MemoryMap::Allocate(size_t size, std::string name, Space space) {
  // An empty buffer has an address of its own as well.
  IRATE_ASSIGN_OR_RETURN(const contract::GuardedSpan span,
                         arena_.Allocate(std::max<size_t>(size, 1), kAlignment));
  auto allocation = std::make_unique<Allocation>();
  allocation->name = std::move(name);
  allocation->space = space;
  allocation->begin = span.begin;
  allocation->size = size;
  allocation->span = span;
  Allocation* result = allocation.get();
  live_.emplace(span.begin, std::move(allocation));
  return result;
}

void MemoryMap::Free(const Allocation* allocation) {
  contract::Poison(allocation->data(), std::max<size_t>(allocation->size, 1));
  if (last_ == allocation) last_ = nullptr;
  live_.erase(allocation->begin);
}

void MemoryMap::Reset() {
  last_ = nullptr;
  live_.clear();
  arena_.Reset();
}

Allocation* MemoryMap::Find(uintptr_t address) {
  if (last_ != nullptr && address - last_->begin < last_->size) return last_;
  auto next = live_.upper_bound(address);
  if (next == live_.begin()) return nullptr;
  Allocation* allocation = std::prev(next)->second.get();
  if (address - allocation->begin >= allocation->size) return nullptr;
  last_ = allocation;
  return allocation;
}

const Allocation* MemoryMap::Nearest(uintptr_t address) const {
  const Allocation* nearest = nullptr;
  uintptr_t distance = kNear;
  for (const auto& [begin, allocation] : live_) {
    const uintptr_t end = begin + allocation->size;
    const uintptr_t here = address < begin ? begin - address : address >= end ? address - end : 0;
    if (here >= distance) continue;
    nearest = allocation.get();
    distance = here;
  }
  return nearest;
}

Allocation* MemoryMap::At(const void* begin) {
  const auto found = live_.find(reinterpret_cast<uintptr_t>(begin));
  return found == live_.end() ? nullptr : found->second.get();
}

void FillUninitialised(Allocation& allocation, uint8_t seed) {
  for (size_t i = 0; i < allocation.size; ++i) {
    allocation.data()[i] = static_cast<uint8_t>(seed ^ (0x5D + i * 29));
  }
}

}  // namespace irate::devices
