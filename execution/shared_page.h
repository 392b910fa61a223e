// Memory that a worker shares with the harness: what can be read after the worker died or while it
// hangs. The worker writes, the harness reads; a compiler that tramples over it can make the report
// wrong, never the harness unsafe.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "execution/api/target.h"
#include "execution/unique_fd.h"

namespace irate {

// Written by a signal handler (execution/crash_handler.h).
struct CrashRecord {
  enum Kind : uint32_t { kNone = 0, kSignal = 1, kOutOfMemory = 2, kSanitizer = 3, kSample = 4 };
  static constexpr size_t kMaxAddresses = 128;

  std::atomic<uint32_t> complete{0};  // set last; without it the addresses may be cut short
  uint32_t kind = kNone;
  int32_t signal = 0;
  // Of SIGSEGV and SIGBUS.
  uint64_t fault_address = 0;
  uint32_t is_write = 0;
  uint32_t stack_overflow = 0;
  uint32_t call_to_nowhere = 0;  // the program counter itself was the faulting address
  // Innermost first; of a call, an address within the call instruction, so that it belongs to the
  // calling function even where the call is its last instruction.
  std::atomic<uint32_t> num_addresses{0};
  uint64_t addresses[kMaxAddresses] = {};

  std::vector<uint64_t> Addresses() const;
};

// AddressSanitizer's report, cut to fit; empty without one.
struct SanitizerRecord {
  static constexpr size_t kMaxText = 16 << 10;
  char text[kMaxText] = {};
};

struct SharedPage {
  Progress progress;
  CrashRecord crash;   // why the process is ending
  CrashRecord sample;  // where it was when asked (of a worker that hangs)
  SanitizerRecord sanitizer;
};

// One mapping of a SharedPage.
class SharedMapping {
 public:
  // New memory, zero-initialised, with the descriptor to give to the worker (closed on exec).
  static absl::StatusOr<std::pair<SharedMapping, UniqueFd>> Create();
  // The memory behind a descriptor that Create returned. It stays mapped after `fd` is closed.
  static absl::StatusOr<SharedMapping> Map(int fd);

  SharedMapping() = default;
  SharedMapping(SharedMapping&& other) noexcept;
  SharedMapping& operator=(SharedMapping&& other) noexcept;
  ~SharedMapping();

  SharedPage* get() const { return page_; }
  SharedPage* operator->() const { return page_; }

 private:
  explicit SharedMapping(SharedPage* page) : page_(page) {}

  SharedPage* page_ = nullptr;
};

}  // namespace irate
