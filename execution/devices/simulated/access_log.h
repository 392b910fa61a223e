// Every access of a kernel, judged as it happens: inside an allocation, and ordered against the
// other work-items that touch the same bytes. Internal.
//
// The rules:
//  1. An access must lie in one allocation, or in unpoisoned memory of its own stack.
//  2. Two work-items of one group conflict if both touch a byte in one interval between barriers
//     and one of them changes it.
//  3. Two groups of one launch conflict if both touch a byte of global memory and one changes it.
//  4. A store that leaves a byte as it was changes nothing: threads that all write one value into
//     one place are what some reductions do on purpose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "execution/devices/simulated/memory_map.h"

namespace irate::devices {

enum class Breach { kNone, kOutOfBounds, kRace };

struct Access {
  uintptr_t address = 0;
  size_t size = 0;
  bool write = false;
  const void* pc = nullptr;
};

// A breach: what was touched, by which access.
struct BreachFound {
  Breach breach = Breach::kNone;
  Access access;
  const Allocation* allocation = nullptr;  // out of bounds: the nearest, if any
  int64_t offset = 0;                      // from its beginning, in bytes
  bool is_private = false;                 // of the work-item's own stack
  bool between_groups = false;
  std::string what;  // of a race: "write after read"
};

class AccessLog {
 public:
  explicit AccessLog(MemoryMap* memory) : memory_(*memory) {}

  void BeginLaunch();
  void BeginGroup();
  // A barrier was passed by the whole group.
  void BeginInterval();
  // The work-item (from 0) that runs from here on, on the stack [begin, end).
  void BeginItem(uint32_t item, uintptr_t stack_begin, uintptr_t stack_end);

  // Before the access happens.
  BreachFound Check(const Access& access);
  // The work-item's last store has happened: before it stops running.
  BreachFound Settle();

 private:
  struct PendingStore {
    Access access;
    Allocation* allocation = nullptr;  // null: none is pending
    uint8_t before[64];
  };
  BreachFound CheckPrivate(const Access& access) const;
  BreachFound RecordRead(const Access& access, Allocation& allocation);
  BreachFound Race(const Access& access, const Allocation& allocation, size_t offset,
                   bool between_groups, std::string what) const;

  MemoryMap& memory_;
  uint32_t interval_ = 1;
  uint32_t group_ = 1;
  uint32_t first_group_ = 1;  // of the launch
  uint32_t item_ = 0;         // from 1
  uintptr_t stack_begin_ = 0;
  uintptr_t stack_end_ = 0;
  PendingStore pending_;
};

}  // namespace irate::devices
