// What the check runtime records while generated code runs: numbers only, so that recording is
// cheap and safe at any point. Words are found afterwards (explain.h). Internal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "execution/contract/race.h"
#include "execution/contract/region.h"
#include "execution/sanitized/report.h"

namespace irate::sanitized {

enum class AccessKind : uint8_t { kLoad, kStore, kAssume, kParameter };

// Where an uninitialised or poisonous value came from.
struct Origin {
  enum class Kind : uint8_t {
    kUnknown,
    kStack,
    kWorkspace,
    kArgument,
    kArithmetic,
    kStaleArgument
  };
  Kind kind = Kind::kUnknown;
  const void* pc = nullptr;  // of the allocation or of the arithmetic
  uint32_t arithmetic = 0;   // ArithmeticCheck and width, for kArithmetic
  int64_t left = 0;
  int64_t right = 0;
  uintptr_t address = 0;       // of the memory
  const char* name = nullptr;  // of a stack array; lives in the module
};

struct Event {
  ReportKind kind = ReportKind::kContract;
  const void* pc = nullptr;  // a return address in generated code, or the faulting instruction
  bool exact_pc = false;     // the latter
  uintptr_t address = 0;
  size_t size = 0;
  AccessKind access = AccessKind::kLoad;
  int64_t left = 0;  // operands, or the alignment promised
  int64_t right = 0;
  uint32_t arithmetic = 0;
  int signal = 0;
  std::optional<Origin> origin;
  std::optional<contract::RaceConflict> race;
  int32_t task = -1;
  // Found at once, since stack frames are gone afterwards: the stack array or global beside
  // `address`, as AddressSanitizer knows it.
  char object[64] = {};
  uintptr_t object_begin = 0;
  size_t object_size = 0;
  char object_kind[16] = {};
};

}  // namespace irate::sanitized
