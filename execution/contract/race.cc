#include "execution/contract/race.h"

#include <algorithm>

#include "execution/contract/task.h"

namespace irate::contract {

RaceDetector::Page& RaceDetector::PageAt(uintptr_t number) {
  if (last_ == nullptr || number != last_page_) {
    std::unique_ptr<Page>& page = pages_[number];
    if (page == nullptr) page = std::make_unique<Page>();
    last_page_ = number;
    last_ = page.get();
  }
  return *last_;
}

RaceDetector::Cell* RaceDetector::Visit(Cell* cells, size_t count, Cell own, bool write,
                                        RaceConflict* conflict) {
  const uint16_t task = write ? own.writer : own.reader;
  Cell* first = nullptr;
  for (Cell* cell = cells; cell != cells + count; ++cell) {
    if (cell->epoch != own.epoch) {
      *cell = own;
      continue;
    }
    // The common case: this task did the same here before, and nobody else did anything.
    if (*cell == own) continue;
    const bool other_wrote = cell->writer != kNobody && cell->writer != task;
    const bool other_read = cell->reader != kNobody && cell->reader != task;
    if (first == nullptr && (other_wrote || (write && other_read))) {
      const uint16_t other = other_wrote ? cell->writer : cell->reader;
      *conflict = {0, other == kSeveral ? -1 : other, other_wrote, write};
      first = cell;
    }
    uint16_t& entry = write ? cell->writer : cell->reader;
    entry = entry == kNobody || entry == task ? task : kSeveral;
  }
  return first;
}

std::optional<RaceConflict> RaceDetector::Access(uintptr_t address, size_t size, bool write) {
  const TaskContext& context = CurrentTask();
  if (context.task < 0) return std::nullopt;
  if (address >= context.private_begin && address < context.private_end) return std::nullopt;
  const auto task = static_cast<uint16_t>(context.task);
  Cell own;
  own.epoch = (context.launch << 12) + context.interval + 1;
  (write ? own.writer : own.reader) = task;
  for (const uintptr_t end = address + size; address < end;) {
    const size_t offset = address % kPage;
    const size_t count = std::min<size_t>(end - address, kPage - offset);
    Cell* const cells = PageAt(address / kPage).data() + offset;
    RaceConflict conflict;
    if (const Cell* cell = Visit(cells, count, own, write, &conflict)) {
      conflict.address = address + static_cast<uintptr_t>(cell - cells);
      return conflict;
    }
    address += count;
  }
  return std::nullopt;
}

void RaceDetector::Reset() {
  pages_.clear();
  last_ = nullptr;
}

}  // namespace irate::contract
