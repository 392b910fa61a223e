#include "execution/sanitized/shadow.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace irate::sanitized {
namespace {

void* ReserveZeroes(size_t size) {
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  // Called by instrumented code, which has no way to be told.
  if (memory == MAP_FAILED) std::abort();
  return memory;
}

}  // namespace

ShadowMemory::~ShadowMemory() {
  for (Piece& piece : pieces_) {
    if (piece.key == 0) continue;
    munmap(piece.shadow, kPiece + kSlack);
    munmap(piece.origin, kPiece + kSlack);
  }
}

ShadowMemory::Piece& ShadowMemory::Find(uintptr_t address) {
  const uintptr_t key = (address >> kPieceBits) + 1;
  size_t slot = (key * 0x9E3779B97F4A7C15u >> 32) % kPieces;
  for (size_t probe = 0; probe < kPieces; ++probe, slot = (slot + 1) % kPieces) {
    Piece& piece = pieces_[slot];
    const uintptr_t found = piece.key.load(std::memory_order_acquire);
    if (found == key) return piece;
    if (found != 0) continue;
    std::lock_guard lock(mutex_);
    const uintptr_t again = piece.key.load(std::memory_order_relaxed);
    if (again == key) return piece;
    if (again != 0) continue;
    piece.shadow = static_cast<uint8_t*>(ReserveZeroes(kPiece + kSlack));
    piece.origin = static_cast<uint32_t*>(ReserveZeroes(kPiece + kSlack));
    piece.key.store(key, std::memory_order_release);
    return piece;
  }
  // More than 16 GiB of addresses touched by one piece of generated code.
  std::abort();
}

ShadowMemory::Cell ShadowMemory::At(uintptr_t address) {
  const Piece& piece = Find(address);
  const size_t offset = address & (kPiece - 1);
  return {piece.shadow + offset, piece.origin + offset / 4};
}

void ShadowMemory::Poison(uintptr_t begin, size_t size, uint32_t origin) {
  for (size_t done = 0; done < size;) {
    const size_t step = std::min(size - done, kSlack);
    const Cell cell = At(begin + done);
    std::memset(cell.shadow, 0xFF, step);
    std::fill_n(cell.origin, (step + 3) / 4, origin);
    done += step;
  }
}

void ShadowMemory::Unpoison(uintptr_t begin, size_t size) {
  for (size_t done = 0; done < size;) {
    const size_t step = std::min(size - done, kSlack);
    std::memset(At(begin + done).shadow, 0, step);
    done += step;
  }
}

void ShadowMemory::Copy(uintptr_t to, uintptr_t from, size_t size) {
  for (size_t done = 0; done < size;) {
    const size_t step = std::min(size - done, kSlack);
    const Cell target = At(to + done);
    const Cell source = At(from + done);
    std::memmove(target.shadow, source.shadow, step);
    std::memmove(target.origin, source.origin, (step + 3) / 4 * 4);
    done += step;
  }
}

uintptr_t ShadowMemory::FirstPoisoned(uintptr_t begin, size_t size, uint32_t* origin) {
  for (size_t i = 0; i < size; ++i) {
    const Cell cell = At(begin + i);
    if (*cell.shadow == 0) continue;
    if (origin != nullptr) *origin = *cell.origin;
    return begin + i;
  }
  return 0;
}

void ShadowMemory::Reset() {
  for (Piece& piece : pieces_) {
    if (piece.key == 0) continue;
    madvise(piece.shadow, kPiece + kSlack, MADV_DONTNEED);
    madvise(piece.origin, kPiece + kSlack, MADV_DONTNEED);
  }
}

}  // namespace irate::sanitized
