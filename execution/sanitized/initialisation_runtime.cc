#include <algorithm>
#include <cstring>

#include "execution/sanitized/check_runtime.h"
#include "execution/sanitized/memory_runtime.h"
#include "execution/sanitized/session.h"

namespace irate::sanitized {
namespace {

// kmsan_context_state as MemorySanitizer's kernel form lays it out: shadows of arguments and of the
// result of the call in progress, for each thread.
struct CallState {
  uint64_t parameters[100];
  uint64_t result[100];
  uint64_t variadic[100];
  uint64_t variadic_origin[100];
  uint64_t variadic_overflow_size;
  uint32_t parameter_origins[200];
  uint32_t result_origin;
  uint32_t origin;
};

thread_local CallState call_state;

struct Metadata {
  void* shadow;
  uint32_t* origin;
};

Metadata For(uintptr_t address, size_t size, bool write, const void* pc) {
  Session* session = Session::Active();
  if (session == nullptr) {
    static thread_local uint8_t nothing[4096];
    static thread_local uint32_t nowhere[1024];
    return {nothing, nowhere};
  }
  session->OnAccess(address, size, write, pc);
  const ShadowMemory::Cell cell = session->shadow().At(address);
  return {cell.shadow, cell.origin};
}

template <size_t kSize, bool kWrite>
Metadata MetadataFixed(uintptr_t address) {
  return For(address, kSize, kWrite, __builtin_return_address(0));
}

template <bool kWrite>
Metadata MetadataSized(uintptr_t address, uint64_t size) {
  return For(address, size, kWrite, __builtin_return_address(0));
}

CallState* GetCallState() { return &call_state; }

void Warning(uint32_t origin) {
  if (Session* session = Session::Active()) {
    session->RecordUninitialised(origin, __builtin_return_address(0));
  }
}

void PoisonStackArray(uintptr_t address, size_t size, const char* name) {
  Session* session = Session::Active();
  if (session == nullptr) return;
  Origin origin;
  origin.kind = Origin::Kind::kStack;
  origin.pc = __builtin_return_address(0);
  origin.name = name;
  session->shadow().Poison(address, size, session->AddOrigin(origin));
}

void UnpoisonStackArray(uintptr_t address, size_t size) {
  if (Session* session = Session::Active()) session->shadow().Unpoison(address, size);
}

uint32_t ChainOrigin(uint32_t origin) { return origin; }

void SetOrigin(uintptr_t address, size_t size, uint32_t origin) {
  if (Session* session = Session::Active()) {
    std::fill_n(session->shadow().At(address).origin, (std::min<size_t>(size, 4096) + 3) / 4,
                origin);
  }
}

void* Copy(void* to, const void* from, size_t size) {
  const void* pc = __builtin_return_address(0);
  const auto target = reinterpret_cast<uintptr_t>(to);
  const auto source = reinterpret_cast<uintptr_t>(from);
  CheckRange(source, size, false, pc);
  CheckRange(target, size, true, pc);
  if (Session* session = Session::Active()) {
    session->OnAccess(source, size, false, pc);
    session->OnAccess(target, size, true, pc);
    session->shadow().Copy(target, source, size);
  }
  return std::memmove(to, from, size);
}

void* Fill(void* to, int value, size_t size) {
  const void* pc = __builtin_return_address(0);
  const auto target = reinterpret_cast<uintptr_t>(to);
  CheckRange(target, size, true, pc);
  if (Session* session = Session::Active()) {
    session->OnAccess(target, size, true, pc);
    session->shadow().Unpoison(target, size);
  }
  return std::memset(to, value, size);
}

template <typename Function>
void* Address(Function* function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace

void ClearCallState() {
  std::memset(call_state.parameters, 0, sizeof(call_state.parameters));
  std::memset(call_state.result, 0, sizeof(call_state.result));
}

void ReturnPoison(uint32_t origin) {
  std::memset(call_state.result, 0xFF, sizeof(uint64_t));
  call_state.result_origin = origin;
}

void AppendMemorySymbols(std::vector<std::pair<std::string, void*>>& symbols) {
  symbols.insert(symbols.end(),
                 {
                     {"__msan_metadata_ptr_for_load_1", Address(MetadataFixed<1, false>)},
                     {"__msan_metadata_ptr_for_load_2", Address(MetadataFixed<2, false>)},
                     {"__msan_metadata_ptr_for_load_4", Address(MetadataFixed<4, false>)},
                     {"__msan_metadata_ptr_for_load_8", Address(MetadataFixed<8, false>)},
                     {"__msan_metadata_ptr_for_load_n", Address(MetadataSized<false>)},
                     {"__msan_metadata_ptr_for_store_1", Address(MetadataFixed<1, true>)},
                     {"__msan_metadata_ptr_for_store_2", Address(MetadataFixed<2, true>)},
                     {"__msan_metadata_ptr_for_store_4", Address(MetadataFixed<4, true>)},
                     {"__msan_metadata_ptr_for_store_8", Address(MetadataFixed<8, true>)},
                     {"__msan_metadata_ptr_for_store_n", Address(MetadataSized<true>)},
                     {"__msan_get_context_state", Address(GetCallState)},
                     {"__msan_warning", Address(Warning)},
                     {"__msan_poison_alloca", Address(PoisonStackArray)},
                     {"__msan_unpoison_alloca", Address(UnpoisonStackArray)},
                     {"__msan_instrument_asm_store", Address(UnpoisonStackArray)},
                     {"__msan_chain_origin", Address(ChainOrigin)},
                     {"__msan_set_origin", Address(SetOrigin)},
                     {"__msan_memcpy", Address(Copy)},
                     {"__msan_memmove", Address(Copy)},
                     {"__msan_memset", Address(Fill)},
                 });
}

}  // namespace irate::sanitized
