// The memory of the simulated device: exact allocations between poisoned guards, and for each byte
// who touched it last, so that two work-items which touch it unordered are seen. Internal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "execution/contract/guarded_memory.h"

namespace irate::devices {

// The last accesses to one byte. Intervals (between barriers) are numbered over the life of the
// device, and so are groups: what an earlier launch left compares as older.
struct ByteAccess {
  uint32_t writer = 0;  // work-item of its group, from 1; 0: none
  uint32_t write_interval = 0;
  uint32_t write_group = 0;
  uint32_t reader = 0;  // kMany: more than one of the interval
  uint32_t read_interval = 0;
  uint32_t read_group = 0;  // kMany: more than one of the launch
};
inline constexpr uint32_t kMany = ~uint32_t{0};

enum class Space { kGlobal, kShared };

struct Allocation {
  std::string name;
  Space space = Space::kGlobal;
  uintptr_t begin = 0;
  size_t size = 0;
  std::vector<ByteAccess> bytes;
  contract::GuardedSpan span;

  uint8_t* data() const { return reinterpret_cast<uint8_t*>(begin); }
};

class MemoryMap {
 public:
  static absl::StatusOr<std::unique_ptr<MemoryMap>> Create();

  // As aligned as TVM's runtime promises (64) and not more. ResourceExhausted.
  absl::StatusOr<Allocation*> Allocate(size_t size, std::string name, Space space);
  // Its address is not handed out again before Reset.
  void Free(const Allocation* allocation);
  void Reset();

  // The allocation that holds the byte; null if there is none.
  Allocation* Find(uintptr_t address);
  // The allocation whose guards hold the byte, or null.
  const Allocation* Nearest(uintptr_t address) const;
  Allocation* At(const void* begin);

  template <typename F>
  void ForEach(F visit) {
    for (auto& [begin, allocation] : live_) visit(*allocation);
  }
  size_t live() const { return live_.size(); }

 private:
  MemoryMap() = default;
  contract::GuardedArena arena_;
  std::map<uintptr_t, std::unique_ptr<Allocation>> live_;
  Allocation* last_ = nullptr;  // of Find
};

// Fills memory that the program has not written yet; differs with the seed.
void FillUninitialised(Allocation& allocation, uint8_t seed);

}  // namespace irate::devices
