// For each byte of memory whether its bits are initialised, and for each four bytes where the value
// came from. Internal.
//
// Memory that nobody poisoned counts as initialised, so only what the instrumented code and the
// contract runtime announce is tracked. Shadow is reserved in pieces of 64 MiB as they are touched.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace irate::sanitized {

class ShadowMemory {
 public:
  struct Cell {
    uint8_t* shadow = nullptr;   // a bit is set where the memory's bit is not initialised
    uint32_t* origin = nullptr;  // of the four bytes that hold the address
  };

  ShadowMemory() = default;
  ~ShadowMemory();
  ShadowMemory(const ShadowMemory&) = delete;
  ShadowMemory& operator=(const ShadowMemory&) = delete;

  // Valid for at least 4096 bytes from `address`.
  Cell At(uintptr_t address);
  void Poison(uintptr_t begin, size_t size, uint32_t origin);
  void Unpoison(uintptr_t begin, size_t size);
  void Copy(uintptr_t to, uintptr_t from, size_t size);
  // The first byte with an uninitialised bit, 0 if there is none; its origin if asked for.
  uintptr_t FirstPoisoned(uintptr_t begin, size_t size, uint32_t* origin = nullptr);
  // Everything counts as initialised again.
  void Reset();

 private:
  static constexpr unsigned kPieceBits = 26;
  static constexpr size_t kPiece = size_t{1} << kPieceBits;
  static constexpr size_t kSlack = 4096;
  static constexpr size_t kPieces = 256;
  struct Piece {
    std::atomic<uintptr_t> key{0};  // number of the piece + 1
    uint8_t* shadow = nullptr;
    uint32_t* origin = nullptr;
  };

  Piece& Find(uintptr_t address);

  std::mutex mutex_;
  Piece pieces_[kPieces];
};

}  // namespace irate::sanitized
