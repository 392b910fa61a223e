// The halves of the check runtime that stand behind LLVM's sanitizer passes. Internal.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace irate::sanitized {

// __asan_*: address_runtime.cc.
void AppendAddressSymbols(std::vector<std::pair<std::string, void*>>& symbols);
// Reports and possibly ends the run if a byte of the range must not be accessed.
void CheckRange(uintptr_t address, size_t size, bool write, const void* pc);

// __msan_*: initialisation_runtime.cc.
void AppendMemorySymbols(std::vector<std::pair<std::string, void*>>& symbols);
// The value that the caller returns to instrumented code is poison with this origin.
void ReturnPoison(uint32_t origin);

}  // namespace irate::sanitized
