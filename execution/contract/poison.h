// Manual poisoning of memory, where AddressSanitizer's runtime is in the process.
//
// Without it every call does nothing: guard pages and canaries then remain.
#pragma once

#include <cstddef>

namespace irate::contract {

// Whether AddressSanitizer's runtime is linked into this process.
bool AsanPresent();

// From now on an instrumented access to these bytes is an error. Bytes in front of the first
// multiple of 8 stay accessible: the shadow has one state for eight bytes, "the first n are valid".
void Poison(const void* begin, size_t size);
void Unpoison(const void* begin, size_t size);
// The first poisoned byte in the range, or null.
const void* FirstPoisoned(const void* begin, size_t size);

}  // namespace irate::contract
