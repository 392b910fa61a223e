#include "execution/sanitized/session.h"

#include <atomic>
#include <cstring>
#include <utility>

#include "execution/contract/poison.h"
#include "execution/contract/task.h"
#include "execution/sanitized/arithmetic.h"
#include "execution/sanitized/check_runtime.h"
#include "execution/sanitized/fault_guard.h"

extern "C" __attribute__((weak)) const char* __asan_locate_address(void* address, char* name,
                                                                   size_t name_size,
                                                                   void** region_address,
                                                                   size_t* region_size);

namespace irate::sanitized {
namespace {

std::atomic<Session*> active_session{nullptr};

constexpr size_t kMaxEvents = 64;

// The stack array or global beside the address, while its frame still exists.
void LocateObject(Event& event) {
  if (&__asan_locate_address == nullptr) return;
  char name[sizeof(event.object)] = {};
  void* begin = nullptr;
  size_t size = 0;
  const char* kind = __asan_locate_address(reinterpret_cast<void*>(event.address), name,
                                           sizeof(name), &begin, &size);
  if (kind == nullptr || size == 0) return;
  std::memcpy(event.object, name, sizeof(name));
  event.object_begin = reinterpret_cast<uintptr_t>(begin);
  event.object_size = size;
  std::strncpy(event.object_kind, kind, sizeof(event.object_kind) - 1);
}

}  // namespace

Session* Session::Active() { return active_session.load(std::memory_order_acquire); }

Session::Session(const SessionOptions& options, contract::Runtime* runtime, ShadowMemory* shadow)
    : options_(options), runtime_(runtime), shadow_(shadow) {
  origins_.push_back({});
  active_session.store(this, std::memory_order_release);
}

Session::~Session() { active_session.store(nullptr, std::memory_order_release); }

void Session::Record(Event event) {
  event.task = contract::CurrentTask().task;
  bool enough = false;
  {
    std::lock_guard lock(mutex_);
    bool known = events_.size() >= kMaxEvents;
    for (const Event& earlier : events_) {
      known |= earlier.kind == event.kind && earlier.pc == event.pc &&
               earlier.arithmetic == event.arithmetic;
    }
    if (IsMemoryError(event.kind)) enough = ++memory_errors_ >= options_.max_memory_errors;
    if (!known) events_.push_back(std::move(event));
  }
  if (enough && InsideGuard()) Abandon();
}

void Session::RecordArithmetic(uint32_t code, int64_t left, int64_t right, const void* pc) {
  Event event;
  event.kind = KindOf(DecodeCheck(code));
  event.pc = pc;
  event.arithmetic = code;
  event.left = left;
  event.right = right;
  Record(std::move(event));
}

void Session::RecordAccess(uintptr_t address, size_t size, AccessKind access, const void* pc) {
  Event event;
  // The run may end in Record by a jump: nothing here may own memory.
  event.kind =
      runtime_->regions().IsFreed(address) ? ReportKind::kUseAfterFree : ReportKind::kOutOfBounds;
  event.pc = pc;
  event.address = address;
  event.size = size;
  event.access = access;
  LocateObject(event);
  Record(std::move(event));
}

void Session::RecordUninitialised(uint32_t number, const void* pc) {
  Event event;
  event.kind = ReportKind::kUninitialised;
  event.pc = pc;
  event.origin = GetOrigin(number);
  // So that two causes at one place are two events.
  event.arithmetic = number;
  Record(std::move(event));
}

uint32_t Session::AddOrigin(const Origin& origin) {
  std::lock_guard lock(mutex_);
  const auto key = std::pair(origin.pc, origin.address);
  auto [entry, inserted] = origin_numbers_.try_emplace(key, static_cast<uint32_t>(origins_.size()));
  if (inserted) origins_.push_back(origin);
  return entry->second;
}

Origin Session::GetOrigin(uint32_t number) {
  std::lock_guard lock(mutex_);
  return number < origins_.size() ? origins_[number] : Origin{};
}

void Session::NoteRaggedRegions() {
  for (const contract::Region& region : runtime_->regions().All()) {
    ragged_ |= region.begin % 8 != 0;
  }
}

void Session::OnAccess(uintptr_t address, size_t size, bool write, const void* pc) {
  if (ragged_ && runtime_->regions().Violates(address, size)) {
    RecordAccess(address, size, write ? AccessKind::kStore : AccessKind::kLoad, pc);
  }
  if (options_.threads || contract::CurrentTask().task < 0) return;
  const std::optional<contract::RaceConflict> conflict =
      runtime_->races().Access(address, size, write);
  if (!conflict) return;
  Event event;
  event.kind = ReportKind::kRace;
  event.pc = pc;
  event.address = address;
  event.size = size;
  event.access = write ? AccessKind::kStore : AccessKind::kLoad;
  event.race = conflict;
  LocateObject(event);
  Record(std::move(event));
}

std::vector<Event> Session::TakeEvents() {
  std::lock_guard lock(mutex_);
  return std::exchange(events_, {});
}

void Session::OnUninitialised(uintptr_t begin, size_t size, const void* caller) {
  const std::optional<contract::Region> region = runtime_->regions().Find(begin);
  Origin origin;
  origin.kind = Origin::Kind::kStaleArgument;
  if (region && region->kind == contract::RegionKind::kWorkspace) {
    origin.kind = Origin::Kind::kWorkspace;
  } else if (region && region->kind == contract::RegionKind::kArgument) {
    origin.kind = Origin::Kind::kArgument;
  }
  origin.pc = caller;
  origin.address = begin;
  shadow_->Poison(begin, size, AddOrigin(origin));
}

void Session::OnInitialised(uintptr_t begin, size_t size) { shadow_->Unpoison(begin, size); }

void Session::OnCopy(uintptr_t to, uintptr_t from, size_t size) { shadow_->Copy(to, from, size); }

uintptr_t Session::FirstUninitialised(uintptr_t begin, size_t size) {
  return shadow_->FirstPoisoned(begin, size);
}

void Session::OnBoundary() { ClearCallState(); }

}  // namespace irate::sanitized
