#include "execution/contract/poison.h"

extern "C" {
__attribute__((weak)) void __asan_poison_memory_region(void const volatile* begin, size_t size);
__attribute__((weak)) void __asan_unpoison_memory_region(void const volatile* begin, size_t size);
__attribute__((weak)) void* __asan_region_is_poisoned(void* begin, size_t size);
}

namespace irate::contract {

bool AsanPresent() { return &__asan_poison_memory_region != nullptr; }

void Poison(const void* begin, size_t size) {
  if (AsanPresent()) __asan_poison_memory_region(begin, size);
}

void Unpoison(const void* begin, size_t size) {
  if (AsanPresent()) __asan_unpoison_memory_region(begin, size);
}

const void* FirstPoisoned(const void* begin, size_t size) {
  if (!AsanPresent() || size == 0) return nullptr;
  return __asan_region_is_poisoned(const_cast<void*>(begin), size);
}

}  // namespace irate::contract
