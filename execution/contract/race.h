// Races between parallel tasks, found in serial runs.
//
// Each byte remembers which task wrote it and which read it since the launch began or, for the same
// launch, since the last barrier. Two tasks, one byte, at least one write, and no barrier between:
// that is a race whatever the order in which the tasks happened to run. Tasks' own stacks are left
// out. Precise to the byte, with nothing that depends on timing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>

namespace irate::contract {

struct RaceConflict {
  uintptr_t address = 0;  // the first byte in conflict
  int32_t other_task = -1;
  bool other_wrote = false;
  bool wrote = false;
};

class RaceDetector {
 public:
  // An access of the current task (execution/contract/task.h); nothing outside of tasks. Not to be
  // called from several threads at once.
  std::optional<RaceConflict> Access(uintptr_t address, size_t size, bool write);
  void Reset();

 private:
  static constexpr size_t kPage = 4096;
  static constexpr uint16_t kNobody = 0xFFFF;
  static constexpr uint16_t kSeveral = 0xFFFE;
  struct Cell {
    uint32_t epoch = 0;  // launch and interval; an older one means: untouched
    uint16_t writer = kNobody;
    uint16_t reader = kNobody;
    bool operator==(const Cell&) const = default;
  };
  using Page = std::array<Cell, kPage>;

  Page& PageAt(uintptr_t number);
  // Of bytes in one page. The first that is in conflict, or null.
  Cell* Visit(Cell* cells, size_t count, Cell own, bool write, RaceConflict* conflict);

  std::unordered_map<uintptr_t, std::unique_ptr<Page>> pages_;
  uintptr_t last_page_ = 0;
  Page* last_ = nullptr;
};

}  // namespace irate::contract
