// What a checker of uninitialised memory must be told by the runtime, and what it is asked.
//
// The runtime works without one; generated code that is instrumented for initialisation brings one.
#pragma once

#include <cstddef>
#include <cstdint>

namespace irate::contract {

class MemoryObserver {
 public:
  virtual ~MemoryObserver() = default;
  // Fresh memory that nobody has written. `caller` is the allocation in generated code.
  virtual void OnUninitialised(uintptr_t begin, size_t size, const void* caller) = 0;
  // Written by the runtime.
  virtual void OnInitialised(uintptr_t begin, size_t size) = 0;
  // Copied by the runtime, initialised or not.
  virtual void OnCopy(uintptr_t to, uintptr_t from, size_t size) = 0;
  // Control passes between the runtime and generated code, in either direction: the arguments or
  // the result that it passes are initialised.
  virtual void OnBoundary() = 0;
  // Address of the first byte that was never written; 0 if there is none.
  virtual uintptr_t FirstUninitialised(uintptr_t begin, size_t size) = 0;
};

}  // namespace irate::contract
