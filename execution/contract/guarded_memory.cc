#include "execution/contract/guarded_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "execution/contract/poison.h"
#include "fmt/format.h"
#include "ir/status_macros.h"

namespace irate::contract {
namespace {

constexpr size_t kPage = 4096;
// Address space costs nothing. So wide that an index that is wrong by any 32-bit number, of
// elements of four bytes, still names the buffer.
constexpr size_t kGuard = size_t{9} << 30;
constexpr size_t kRedZone = 256;
// Behind a block, in front of its guard pages: as wide as the widest access.
constexpr size_t kRearZone = 64;
constexpr size_t kCommitStep = size_t{256} << 10;

uintptr_t RoundUp(uintptr_t value, size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}
uintptr_t RoundDown(uintptr_t value, size_t multiple) { return value / multiple * multiple; }

// Differs from byte to byte, so that a copy of a neighbour is a change as well.
uint8_t CanaryByte(uintptr_t address) {
  return static_cast<uint8_t>(0xA5 ^ (address * 37) ^ (address >> 8));
}

__attribute__((no_sanitize("address"))) void FillCanary(uintptr_t begin, uintptr_t end) {
  for (uintptr_t at = begin; at < end; ++at)
    *reinterpret_cast<volatile uint8_t*>(at) = CanaryByte(at);
}

__attribute__((no_sanitize("address"))) uintptr_t FirstChanged(uintptr_t begin, uintptr_t end) {
  for (uintptr_t at = begin; at < end; ++at) {
    if (*reinterpret_cast<volatile uint8_t*>(at) != CanaryByte(at)) return at;
  }
  return 0;
}

bool IsPowerOfTwo(size_t value) { return value != 0 && (value & (value - 1)) == 0; }

}  // namespace

uintptr_t LeastAligned(uintptr_t from, size_t alignment) {
  uintptr_t address = RoundUp(from, alignment);
  return address % (2 * alignment) == alignment ? address : address + alignment;
}

uintptr_t FirstChangedCanary(const GuardedSpan& span) {
  const uintptr_t before = FirstChanged(span.canary_begin, span.begin);
  return before != 0 ? before : FirstChanged(span.end, span.canary_end);
}

absl::StatusOr<Reservation> Reservation::Create(size_t size) {
  void* memory = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    return absl::ResourceExhaustedError(
        fmt::format("cannot reserve {} bytes of address space for guarded memory", size));
  }
  Reservation reservation;
  reservation.begin_ = reinterpret_cast<uintptr_t>(memory);
  reservation.size_ = size;
  return reservation;
}

Reservation::Reservation(Reservation&& other) noexcept
    : begin_(std::exchange(other.begin_, 0)),
      size_(std::exchange(other.size_, 0)),
      committed_begin_(std::exchange(other.committed_begin_, 0)),
      committed_end_(std::exchange(other.committed_end_, 0)) {}

Reservation& Reservation::operator=(Reservation&& other) noexcept {
  if (this != &other) {
    Release();
    begin_ = std::exchange(other.begin_, 0);
    size_ = std::exchange(other.size_, 0);
    committed_begin_ = std::exchange(other.committed_begin_, 0);
    committed_end_ = std::exchange(other.committed_end_, 0);
  }
  return *this;
}

Reservation::~Reservation() { Release(); }

void Reservation::Release() {
  if (size_ == 0) return;
  // Whoever gets these pages next must not inherit the poison.
  Unpoison(reinterpret_cast<void*>(committed_begin_), committed_end_ - committed_begin_);
  munmap(reinterpret_cast<void*>(begin_), size_);
  size_ = 0;
}

absl::Status Reservation::Commit(uintptr_t begin, size_t size) {
  if (mprotect(reinterpret_cast<void*>(begin), size, PROT_READ | PROT_WRITE) != 0) {
    return absl::ResourceExhaustedError(
        fmt::format("cannot commit {} bytes of guarded memory: the system has no more", size));
  }
  Poison(reinterpret_cast<void*>(begin), size);
  committed_begin_ = committed_begin_ == 0 ? begin : std::min(committed_begin_, begin);
  committed_end_ = std::max(committed_end_, begin + size);
  return absl::OkStatus();
}

absl::StatusOr<GuardedBlock> GuardedBlock::Create(size_t size, size_t alignment) {
  if (!IsPowerOfTwo(alignment) || alignment > kPage) {
    return absl::InvalidArgumentError(fmt::format(
        "an alignment of {} bytes: expected a power of two of at most {}", alignment, kPage));
  }
  const size_t inner = RoundUp(size + 2 * kRedZone + 2 * alignment, kPage);
  GuardedBlock block;
  IRATE_ASSIGN_OR_RETURN(block.reservation_, Reservation::Create(inner + 2 * kGuard));
  const uintptr_t inner_begin = block.reservation_.begin() + kGuard;
  IRATE_RETURN_IF_ERROR(block.reservation_.Commit(inner_begin, inner));

  const uintptr_t inner_end = inner_begin + inner;
  uintptr_t begin = RoundDown(inner_end - kRearZone - size, alignment);
  if (begin % (2 * alignment) != alignment) begin -= alignment;
  GuardedSpan& span = block.span_;
  span.begin = begin;
  span.end = begin + size;
  span.canary_begin = inner_begin;
  span.canary_end = inner_end;
  span.zone_begin = block.reservation_.begin();
  span.zone_end = block.reservation_.end();
  FillCanary(span.canary_begin, span.begin);
  FillCanary(span.end, span.canary_end);
  Unpoison(block.data(), size);
  return block;
}

absl::StatusOr<GuardedArena> GuardedArena::Create(size_t capacity) {
  capacity = RoundUp(capacity, kPage);
  GuardedArena arena;
  IRATE_ASSIGN_OR_RETURN(arena.reservation_, Reservation::Create(capacity + 2 * kGuard));
  arena.next_ = arena.committed_ = arena.reservation_.begin() + kGuard;
  arena.limit_ = arena.next_ + capacity;
  return arena;
}

absl::StatusOr<GuardedSpan> GuardedArena::Allocate(size_t size, size_t alignment, size_t offset) {
  const size_t capacity = limit_ - reservation_.begin() - kGuard;
  GuardedSpan span;
  span.canary_begin = next_;
  span.begin = LeastAligned(next_ + kRedZone, alignment) + offset;
  span.end = span.begin + size;
  span.canary_end = RoundUp(span.end + kRedZone, 64);
  if (size > capacity || span.canary_end > limit_) {
    return absl::ResourceExhaustedError(fmt::format(
        "{} bytes do not fit into what is left of {} bytes of guarded memory", size, capacity));
  }
  if (span.canary_end > committed_) {
    const uintptr_t wanted = std::min(RoundUp(span.canary_end, kCommitStep), limit_);
    IRATE_RETURN_IF_ERROR(reservation_.Commit(committed_, wanted - committed_));
    committed_ = wanted;
  }
  span.zone_begin = span.canary_begin;
  span.zone_end = span.canary_end;
  next_ = span.canary_end;
  FillCanary(span.canary_begin, span.begin);
  FillCanary(span.end, span.canary_end);
  Unpoison(reinterpret_cast<void*>(span.begin), size);
  return span;
}

void GuardedArena::Reset() {
  const uintptr_t begin = reservation_.begin() + kGuard;
  Poison(reinterpret_cast<void*>(begin), next_ - begin);
  next_ = begin;
}

}  // namespace irate::contract
