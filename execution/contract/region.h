// The memory that generated code may know about, by address: so that a report can say "4 bytes past
// the end of workspace B" and not "at 0x7f3a...".
//
// A region is the bytes [begin, end) that may be accessed, inside a zone [zone_begin, zone_end)
// that belongs to nobody else: red zones and guard pages. Zones do not overlap.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace irate::contract {

enum class RegionKind {
  kArgument,    // the data of a tensor that the caller passed
  kDescriptor,  // a DLTensor, a shape, strides, an argument array
  kWorkspace,   // from TVMBackendAllocWorkspace
  kRuntime,     // a parallel environment, the arguments of a packed call
};

struct Region {
  RegionKind kind = RegionKind::kRuntime;
  std::string name;
  uintptr_t begin = 0;
  uintptr_t end = 0;
  uintptr_t zone_begin = 0;
  uintptr_t zone_end = 0;
  int element_bytes = 1;
  bool freed = false;
  // The call that allocated it, for a name that only the generated code knows; null if none.
  const void* caller = nullptr;
};

class RegionMap {
 public:
  void Add(Region region);
  void Remove(uintptr_t begin);
  void MarkFreed(uintptr_t begin);
  void RemoveKind(RegionKind kind);
  // The region whose zone holds `address`.
  std::optional<Region> Find(uintptr_t address) const;
  // Whether `address` is in the zone of a region that was freed. Allocates nothing.
  bool IsFreed(uintptr_t address) const;
  // Every region, by address.
  std::vector<Region> All() const;
  // True if [address, address + size) lies in a zone but not wholly in its region: the answer for
  // each access, hence without a copy.
  bool Violates(uintptr_t address, size_t size) const;

 private:
  const Region* FindLocked(uintptr_t address) const;

  mutable std::mutex mutex_;
  std::vector<Region> regions_;  // sorted by zone_begin
  mutable size_t last_ = 0;
};

// "argument", "workspace", ...
std::string_view RegionKindName(RegionKind kind);

}  // namespace irate::contract
