// Memory that is exactly as large and exactly as aligned as the contract says, and not a bit more.
//
//   guard pages | red zone (poisoned, canary) | the bytes | red zone | guard pages
//
// "As aligned as the contract says": address % (2 * alignment) == alignment, so code that assumes
// twice the promised alignment fails every time and not by luck. A red zone is poisoned where
// AddressSanitizer is present, and holds a pattern in any case, so that a write by code that is not
// instrumented is found afterwards. Guard pages are wide (9 GiB): an index that is wrong by a
// factor still lands in them and the fault's address tells whose neighbour it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"

namespace irate::contract {

// The bytes [begin, end); canaries fill [canary_begin, begin) and [end, canary_end); nothing else
// lives in [zone_begin, zone_end).
struct GuardedSpan {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  uintptr_t canary_begin = 0;
  uintptr_t canary_end = 0;
  uintptr_t zone_begin = 0;
  uintptr_t zone_end = 0;
};

// The first changed byte of the canaries around `span`; 0 if there is none. Reads poisoned memory.
uintptr_t FirstChangedCanary(const GuardedSpan& span);

// Address space without access, until Commit.
class Reservation {
 public:
  static absl::StatusOr<Reservation> Create(size_t size);
  Reservation() = default;
  Reservation(Reservation&& other) noexcept;
  Reservation& operator=(Reservation&& other) noexcept;
  ~Reservation();

  uintptr_t begin() const { return begin_; }
  uintptr_t end() const { return begin_ + size_; }
  // Makes whole pages readable and writable and poisons them. Out of memory is an error.
  absl::Status Commit(uintptr_t begin, size_t size);

 private:
  void Release();
  uintptr_t begin_ = 0;
  size_t size_ = 0;
  uintptr_t committed_begin_ = 0;
  uintptr_t committed_end_ = 0;
};

// One object with guard pages of its own, the rear one as close as the alignment allows.
class GuardedBlock {
 public:
  // InvalidArgument if `alignment` is no power of two or above 4096.
  static absl::StatusOr<GuardedBlock> Create(size_t size, size_t alignment);
  const GuardedSpan& span() const { return span_; }
  uint8_t* data() const { return reinterpret_cast<uint8_t*>(span_.begin); }

 private:
  Reservation reservation_;
  GuardedSpan span_;
};

// Many objects between two guards, red zones between them, none handed out twice until Reset.
class GuardedArena {
 public:
  GuardedArena() = default;
  static absl::StatusOr<GuardedArena> Create(size_t capacity);
  // `offset` is added to the address afterwards: 0 but for a runtime that misbehaves on purpose.
  // ResourceExhausted if the capacity is used up.
  absl::StatusOr<GuardedSpan> Allocate(size_t size, size_t alignment, size_t offset = 0);
  // Poisons everything; what was handed out may be handed out again.
  void Reset();

 private:
  Reservation reservation_;
  uintptr_t next_ = 0;       // everything below is taken
  uintptr_t committed_ = 0;  // end of the accessible pages
  uintptr_t limit_ = 0;
};

// The least address at or above `from` with address % (2 * alignment) == alignment.
uintptr_t LeastAligned(uintptr_t from, size_t alignment);

}  // namespace irate::contract
