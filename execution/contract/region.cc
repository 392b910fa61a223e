#include "execution/contract/region.h"

#include <algorithm>
#include <utility>

namespace irate::contract {

std::string_view RegionKindName(RegionKind kind) {
  switch (kind) {
    case RegionKind::kArgument:
      return "argument";
    case RegionKind::kDescriptor:
      return "descriptor";
    case RegionKind::kWorkspace:
      return "workspace";
    case RegionKind::kRuntime:
      return "runtime memory";
  }
  return "memory";
}

void RegionMap::Add(Region region) {
  std::lock_guard lock(mutex_);
  auto at = std::lower_bound(
      regions_.begin(), regions_.end(), region.zone_begin,
      [](const Region& entry, uintptr_t address) { return entry.zone_begin < address; });
  regions_.insert(at, std::move(region));
}

void RegionMap::Remove(uintptr_t begin) {
  std::lock_guard lock(mutex_);
  std::erase_if(regions_, [&](const Region& region) { return region.begin == begin; });
}

void RegionMap::RemoveKind(RegionKind kind) {
  std::lock_guard lock(mutex_);
  std::erase_if(regions_, [&](const Region& region) { return region.kind == kind; });
}

void RegionMap::MarkFreed(uintptr_t begin) {
  std::lock_guard lock(mutex_);
  for (Region& region : regions_) {
    if (region.begin == begin) region.freed = true;
  }
}

const Region* RegionMap::FindLocked(uintptr_t address) const {
  if (last_ < regions_.size() && regions_[last_].zone_begin <= address &&
      address < regions_[last_].zone_end) {
    return &regions_[last_];
  }
  auto after = std::upper_bound(
      regions_.begin(), regions_.end(), address,
      [](uintptr_t wanted, const Region& entry) { return wanted < entry.zone_begin; });
  if (after == regions_.begin()) return nullptr;
  const Region& region = *std::prev(after);
  if (address >= region.zone_end) return nullptr;
  last_ = static_cast<size_t>(std::prev(after) - regions_.begin());
  return &region;
}

std::optional<Region> RegionMap::Find(uintptr_t address) const {
  std::lock_guard lock(mutex_);
  const Region* region = FindLocked(address);
  if (region == nullptr) return std::nullopt;
  return *region;
}

bool RegionMap::IsFreed(uintptr_t address) const {
  std::lock_guard lock(mutex_);
  const Region* region = FindLocked(address);
  return region != nullptr && region->freed;
}

std::vector<Region> RegionMap::All() const {
  std::lock_guard lock(mutex_);
  return regions_;
}

bool RegionMap::Violates(uintptr_t address, size_t size) const {
  std::lock_guard lock(mutex_);
  const Region* region = FindLocked(address);
  if (region == nullptr) return false;
  return region->freed || address < region->begin || address + size > region->end;
}

}  // namespace irate::contract
