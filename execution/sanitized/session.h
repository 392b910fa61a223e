// The state of one run that instrumented code reports to. Internal.
//
// Instrumented code calls C functions without a context, so one session is active in the process at
// a time.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "execution/contract/observer.h"
#include "execution/contract/runtime.h"
#include "execution/sanitized/event.h"
#include "execution/sanitized/shadow.h"

namespace irate::sanitized {

struct SessionOptions {
  // A run ends at this many memory errors; what the code does after one is not worth trusting.
  int max_memory_errors = 1;
  // Tasks run at the same time: then races are not looked for.
  bool threads = false;
};

class Session : public contract::MemoryObserver {
 public:
  Session(const SessionOptions& options, contract::Runtime* runtime, ShadowMemory* shadow);
  ~Session() override;

  static Session* Active();

  // Keeps the first event of each kind and place. Ends the run if there were enough memory errors.
  void Record(Event event);
  void RecordArithmetic(uint32_t code, int64_t left, int64_t right, const void* pc);
  void RecordAccess(uintptr_t address, size_t size, AccessKind access, const void* pc);
  // A value that is not initialised decided something at `pc`.
  void RecordUninitialised(uint32_t origin, const void* pc);

  // A number for where an uninitialised value comes from; the same for the same place.
  uint32_t AddOrigin(const Origin& origin);
  Origin GetOrigin(uint32_t number);

  // Before each access that is tracked: exact bounds and races.
  void OnAccess(uintptr_t address, size_t size, bool write, const void* pc);
  // Regions whose first byte AddressSanitizer cannot tell from the byte before it.
  void NoteRaggedRegions();

  ShadowMemory& shadow() { return *shadow_; }
  contract::Runtime& runtime() { return *runtime_; }
  std::vector<Event> TakeEvents();

  void OnUninitialised(uintptr_t begin, size_t size, const void* caller) override;
  void OnInitialised(uintptr_t begin, size_t size) override;
  void OnCopy(uintptr_t to, uintptr_t from, size_t size) override;
  uintptr_t FirstUninitialised(uintptr_t begin, size_t size) override;
  void OnBoundary() override;

 private:
  SessionOptions options_;
  contract::Runtime* runtime_;
  ShadowMemory* shadow_;
  bool ragged_ = false;
  std::mutex mutex_;
  std::vector<Event> events_;
  int memory_errors_ = 0;
  std::vector<Origin> origins_;
  std::map<std::pair<const void*, uintptr_t>, uint32_t> origin_numbers_;
};

}  // namespace irate::sanitized
