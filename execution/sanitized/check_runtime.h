// The functions that instrumented code calls. Internal.
//
//  * ours: __irate_check_alignment, __irate_check_noalias, __irate_undefined, __irate_poison,
//    __irate_boundary;
//  * AddressSanitizer's checks of accesses (__asan_load4_noabort, ...), which look at the real
//  shadow
//    but report to the session, so that a report has a buffer and the process lives on;
//  * MemorySanitizer's kernel interface (__msan_metadata_ptr_for_load_4, ...): LLVM's pass tracks
//    every value; where its shadow lies is up to this runtime.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace irate::sanitized {

const std::vector<std::pair<std::string, void*>>& CheckSymbols();

// Arguments and results passed between instrumented code and code that is not: initialised.
void ClearCallState();

// The access whose AddressSanitizer shadow this thread is looking at: if that itself faults, the
// address was wild.
struct AccessInFlight {
  uintptr_t address = 0;
  size_t size = 0;
  const void* pc = nullptr;
  bool write = false;
};
const AccessInFlight& InFlight();

}  // namespace irate::sanitized
