#include <cstring>

#include "execution/contract/poison.h"
#include "execution/sanitized/check_runtime.h"
#include "execution/sanitized/memory_runtime.h"
#include "execution/sanitized/session.h"

extern "C" __attribute__((weak)) void __asan_get_shadow_mapping(size_t* scale, size_t* offset);

namespace irate::sanitized {
namespace {

constexpr unsigned kGranuleBits = 3;
constexpr uintptr_t kGranuleMask = 7;

thread_local AccessInFlight in_flight;

uintptr_t ShadowOffset() {
  static const uintptr_t offset = [] {
    size_t scale = 0;
    size_t found = 0;
    if (&__asan_get_shadow_mapping != nullptr) __asan_get_shadow_mapping(&scale, &found);
    return static_cast<uintptr_t>(found);
  }();
  return offset;
}

// Whether the last byte of an access that stays in one granule is poisoned.
__attribute__((no_sanitize("address"))) bool GranulePoisoned(uintptr_t last) {
  const auto state =
      *reinterpret_cast<const volatile int8_t*>((last >> kGranuleBits) + ShadowOffset());
  return state != 0 && static_cast<int8_t>(last & kGranuleMask) >= state;
}

bool Poisoned(uintptr_t address, size_t size) {
  const uintptr_t last = address + size - 1;
  if ((address ^ last) >> kGranuleBits == 0) return GranulePoisoned(last);
  if (size <= 8) return GranulePoisoned(address | kGranuleMask) || GranulePoisoned(last);
  return contract::FirstPoisoned(reinterpret_cast<void*>(address), size) != nullptr;
}

inline void Check(uintptr_t address, size_t size, bool write, const void* pc) {
  if (size == 0) return;
  in_flight = {address, size, pc, write};
  if (Poisoned(address, size)) {
    if (Session* session = Session::Active()) {
      session->RecordAccess(address, size, write ? AccessKind::kStore : AccessKind::kLoad, pc);
    }
  }
  in_flight.size = 0;
}

template <size_t kSize, bool kWrite>
void CheckFixed(uintptr_t address) {
  Check(address, kSize, kWrite, __builtin_return_address(0));
}

template <bool kWrite>
void CheckSized(uintptr_t address, size_t size) {
  Check(address, size, kWrite, __builtin_return_address(0));
}

// Transfers that only AddressSanitizer instruments.
void* Copy(void* to, const void* from, size_t size) {
  const void* pc = __builtin_return_address(0);
  Check(reinterpret_cast<uintptr_t>(from), size, false, pc);
  Check(reinterpret_cast<uintptr_t>(to), size, true, pc);
  return std::memmove(to, from, size);
}

void* Fill(void* to, int value, size_t size) {
  Check(reinterpret_cast<uintptr_t>(to), size, true, __builtin_return_address(0));
  return std::memset(to, value, size);
}

template <typename Function>
void* Address(Function* function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace

const AccessInFlight& InFlight() { return in_flight; }

void CheckRange(uintptr_t address, size_t size, bool write, const void* pc) {
  Check(address, size, write, pc);
}

void AppendAddressSymbols(std::vector<std::pair<std::string, void*>>& symbols) {
  symbols.insert(symbols.end(), {
                                    {"__asan_load1_noabort", Address(CheckFixed<1, false>)},
                                    {"__asan_load2_noabort", Address(CheckFixed<2, false>)},
                                    {"__asan_load4_noabort", Address(CheckFixed<4, false>)},
                                    {"__asan_load8_noabort", Address(CheckFixed<8, false>)},
                                    {"__asan_load16_noabort", Address(CheckFixed<16, false>)},
                                    {"__asan_loadN_noabort", Address(CheckSized<false>)},
                                    {"__asan_store1_noabort", Address(CheckFixed<1, true>)},
                                    {"__asan_store2_noabort", Address(CheckFixed<2, true>)},
                                    {"__asan_store4_noabort", Address(CheckFixed<4, true>)},
                                    {"__asan_store8_noabort", Address(CheckFixed<8, true>)},
                                    {"__asan_store16_noabort", Address(CheckFixed<16, true>)},
                                    {"__asan_storeN_noabort", Address(CheckSized<true>)},
                                    {"__asan_memcpy", Address(Copy)},
                                    {"__asan_memmove", Address(Copy)},
                                    {"__asan_memset", Address(Fill)},
                                });
}

}  // namespace irate::sanitized
