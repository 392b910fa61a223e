#include "execution/devices/simulated/access_log.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "execution/contract/poison.h"

namespace irate::devices {

void AccessLog::BeginLaunch() {
  pending_.allocation = nullptr;
  first_group_ = group_ + 1;
}

void AccessLog::BeginGroup() {
  ++group_;
  ++interval_;
}

void AccessLog::BeginInterval() { ++interval_; }

void AccessLog::BeginItem(uint32_t item, uintptr_t stack_begin, uintptr_t stack_end) {
  item_ = item + 1;
  stack_begin_ = stack_begin;
  stack_end_ = stack_end;
}

BreachFound AccessLog::CheckPrivate(const Access& access) const {
  const void* bad =
      contract::FirstPoisoned(reinterpret_cast<const void*>(access.address), access.size);
  if (bad == nullptr && access.address + access.size <= stack_end_) return {};
  BreachFound found;
  found.breach = Breach::kOutOfBounds;
  found.access = access;
  found.is_private = true;
  return found;
}

BreachFound AccessLog::Race(const Access& access, const Allocation& allocation, size_t offset,
                            bool between_groups, std::string what) const {
  BreachFound found;
  found.breach = Breach::kRace;
  found.access = access;
  found.allocation = &allocation;
  found.offset = static_cast<int64_t>(offset);
  found.between_groups = between_groups;
  found.what = std::move(what);
  return found;
}

BreachFound AccessLog::RecordRead(const Access& access, Allocation& allocation) {
  const bool global = allocation.space == Space::kGlobal;
  const size_t first = access.address - allocation.begin;
  for (size_t i = first; i < first + access.size; ++i) {
    ByteAccess& byte = allocation.bytes[i];
    if (byte.writer != 0) {
      if (byte.write_interval == interval_ && byte.writer != item_) {
        return Race(access, allocation, i, false, "read after write");
      }
      if (global && byte.write_group >= first_group_ && byte.write_group != group_) {
        return Race(access, allocation, i, true, "read after write");
      }
    }
    if (byte.read_interval == interval_) {
      if (byte.reader != item_) byte.reader = kMany;
    } else {
      const bool others = byte.read_group != group_ && byte.read_group >= first_group_;
      byte.reader = item_;
      byte.read_interval = interval_;
      byte.read_group = others ? kMany : group_;
    }
  }
  return {};
}

BreachFound AccessLog::Settle() {
  Allocation* allocation = std::exchange(pending_.allocation, nullptr);
  if (allocation == nullptr) return {};
  const Access& access = pending_.access;
  const bool global = allocation->space == Space::kGlobal;
  const size_t first = access.address - allocation->begin;
  for (size_t i = 0; i < access.size; ++i) {
    if (i < sizeof(pending_.before) && allocation->data()[first + i] == pending_.before[i]) {
      continue;
    }
    ByteAccess& byte = allocation->bytes[first + i];
    if (byte.writer != 0 && byte.write_interval == interval_ && byte.writer != item_) {
      return Race(access, *allocation, first + i, false, "write after write");
    }
    if (byte.reader != 0 && byte.read_interval == interval_ && byte.reader != item_) {
      return Race(access, *allocation, first + i, false, "write after read");
    }
    if (global && byte.writer != 0 && byte.write_group >= first_group_ &&
        byte.write_group != group_) {
      return Race(access, *allocation, first + i, true, "write after write");
    }
    const bool read_here = byte.reader != 0 && byte.read_group >= first_group_;
    if (global && read_here && byte.read_group != group_) {
      return Race(access, *allocation, first + i, true, "write after read");
    }
    byte.writer = item_;
    byte.write_interval = interval_;
    byte.write_group = group_;
  }
  return {};
}

BreachFound AccessLog::Check(const Access& access) {
  BreachFound settled = Settle();
  if (settled.breach != Breach::kNone || access.size == 0) return settled;
  if (access.address >= stack_begin_ && access.address < stack_end_) return CheckPrivate(access);
  Allocation* allocation = memory_.Find(access.address);
  if (allocation == nullptr ||
      access.address - allocation->begin + access.size > allocation->size) {
    BreachFound found;
    found.breach = Breach::kOutOfBounds;
    found.access = access;
    found.allocation = allocation != nullptr ? allocation : memory_.Nearest(access.address);
    if (found.allocation != nullptr) {
      found.offset = static_cast<int64_t>(access.address - found.allocation->begin);
    }
    return found;
  }
  if (allocation->bytes.empty()) allocation->bytes.resize(allocation->size);
  if (!access.write) return RecordRead(access, *allocation);
  pending_.allocation = allocation;
  pending_.access = access;
  std::memcpy(pending_.before, reinterpret_cast<const void*>(access.address),
              std::min(access.size, sizeof(pending_.before)));
  return {};
}

}  // namespace irate::devices
