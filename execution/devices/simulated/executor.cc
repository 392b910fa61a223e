#include "execution/devices/simulated/executor.h"

#include <sys/mman.h>

#include <boost/context/detail/fcontext.hpp>
#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "execution/contract/poison.h"
#include "fmt/format.h"
#include "ir/status_macros.h"

namespace irate::devices {
namespace {

namespace ctx = boost::context::detail;

constexpr size_t kGuardPage = 4096;
// Address space; pages are used as they are touched. Large private arrays run in small groups.
constexpr size_t kStackOfMany = size_t{128} << 10;
constexpr size_t kStackOfFew = size_t{16} << 20;
constexpr size_t kFew = 16;
constexpr size_t kMaxBreaches = 8;

enum class Fibre { kReady, kWaiting, kEnded };

struct Item {
  ctx::fcontext_t context = nullptr;
  Fibre state = Fibre::kReady;
  const void* barrier = nullptr;
  std::array<uint32_t, 3> index = {};
};

struct Stack {
  uint8_t* begin = nullptr;
  size_t size = 0;
};

}  // namespace

struct Executor::State {
  explicit State(MemoryMap* map) : memory(*map), log(map) {}

  MemoryMap& memory;
  AccessLog log;
  std::vector<Stack> stacks;
  std::vector<Item> items;
  size_t current = 0;
  ctx::fcontext_t scheduler = nullptr;
  KernelEntry entry = nullptr;
  void** arguments = nullptr;
  LaunchShape shape;
  std::array<uint32_t, 3> group = {};
  std::vector<Allocation*> shared;
  RunOutcome outcome;
  bool stopped = false;

  absl::Status MakeStacks(size_t count);
  void DropStacks();
  absl::Status RunAll(const RunOrder& order);
  bool RunGroup(const RunOrder& order);
  void Resume(size_t item);
  bool Diverges();
  void Yield();
  void Judge(const BreachFound& found);
};

namespace {

// The executor whose kernel runs; callbacks have no other way to it.
thread_local Executor::State* active = nullptr;

void RunItem(ctx::transfer_t from) {
  Executor::State& state = *active;
  state.scheduler = from.fctx;
  state.entry(state.arguments);
  state.Judge(state.log.Settle());
  state.items[state.current].state = Fibre::kEnded;
  state.Yield();
  __builtin_unreachable();
}

void OnAccess(uintptr_t address, size_t size, bool write, const void* pc) {
  active->Judge(active->log.Check({address, size, write, pc}));
}

template <size_t kSize, bool kWrite>
void OnFixed(uintptr_t address) {
  OnAccess(address, kSize, kWrite, __builtin_return_address(0));
}

template <bool kWrite>
void OnSized(uintptr_t address, size_t size) {
  OnAccess(address, size, kWrite, __builtin_return_address(0));
}

void* OnCopy(void* to, const void* from, size_t size) {
  const void* pc = __builtin_return_address(0);
  OnAccess(reinterpret_cast<uintptr_t>(from), size, false, pc);
  OnAccess(reinterpret_cast<uintptr_t>(to), size, true, pc);
  return std::memmove(to, from, size);
}

void* OnFill(void* to, int value, size_t size) {
  OnAccess(reinterpret_cast<uintptr_t>(to), size, true, __builtin_return_address(0));
  return std::memset(to, value, size);
}

// The queries of opencl_prelude.h, four to a dimension.
uint32_t OnQuery(uint32_t query) {
  const uint32_t dimension = query >> 2;
  switch (query & 3) {
    case 0:
      return active->items[active->current].index[dimension];
    case 1:
      return active->group[dimension];
    case 2:
      return active->shape.items[dimension];
    default:
      return active->shape.groups[dimension];
  }
}

void OnBarrier(uint32_t /*flags*/) {
  Executor::State& state = *active;
  state.Judge(state.log.Settle());
  Item& item = state.items[state.current];
  item.state = Fibre::kWaiting;
  item.barrier = __builtin_return_address(0);
  state.Yield();
}

void* OnShared(uint32_t index) { return active->shared[index]->data(); }

// The compiler of the kernel gives functions that do not return a call of this.
void OnNoReturn() {}

template <typename Function>
void* Address(Function* function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace

std::vector<std::pair<std::string, void*>> Executor::Symbols() {
  return {
      {"__asan_load1_noabort", Address(OnFixed<1, false>)},
      {"__asan_load2_noabort", Address(OnFixed<2, false>)},
      {"__asan_load4_noabort", Address(OnFixed<4, false>)},
      {"__asan_load8_noabort", Address(OnFixed<8, false>)},
      {"__asan_load16_noabort", Address(OnFixed<16, false>)},
      {"__asan_loadN_noabort", Address(OnSized<false>)},
      {"__asan_store1_noabort", Address(OnFixed<1, true>)},
      {"__asan_store2_noabort", Address(OnFixed<2, true>)},
      {"__asan_store4_noabort", Address(OnFixed<4, true>)},
      {"__asan_store8_noabort", Address(OnFixed<8, true>)},
      {"__asan_store16_noabort", Address(OnFixed<16, true>)},
      {"__asan_storeN_noabort", Address(OnSized<true>)},
      {"__asan_memcpy", Address(OnCopy)},
      {"__asan_memmove", Address(OnCopy)},
      {"__asan_memset", Address(OnFill)},
      {"__asan_handle_no_return", Address(OnNoReturn)},
      {"irate_query", Address(OnQuery)},
      {"irate_barrier", Address(OnBarrier)},
      {"irate_shared", Address(OnShared)},
  };
}

void Executor::State::Yield() { scheduler = ctx::jump_fcontext(scheduler, nullptr).fctx; }

void Executor::State::Judge(const BreachFound& found) {
  if (found.breach == Breach::kNone) return;
  if (outcome.breaches.size() < kMaxBreaches) {
    const std::array<uint32_t, 3>& item = items[current].index;
    BreachRecord record{.found = found};
    record.work_item = fmt::format("work-item ({}, {}, {}) of group ({}, {}, {})", item[0], item[1],
                                   item[2], group[0], group[1], group[2]);
    if (found.allocation != nullptr) {
      record.space = found.allocation->space == Space::kGlobal ? "global" : "shared";
      record.buffer = found.allocation->name;
      record.buffer_size = found.allocation->size;
      record.found.allocation = nullptr;
    } else if (found.is_private) {
      record.space = "private";
    }
    outcome.breaches.push_back(std::move(record));
  }
  // The access must not happen: the fibre is left where it is and never resumed.
  if (found.breach != Breach::kOutOfBounds) return;
  stopped = true;
  Yield();
}

absl::Status Executor::State::MakeStacks(size_t count) {
  const size_t size = count <= kFew ? kStackOfFew : kStackOfMany;
  if (stacks.size() >= count && (stacks.empty() || stacks[0].size >= size)) return absl::OkStatus();
  if (!stacks.empty() && stacks[0].size < size) DropStacks();
  while (stacks.size() < count) {
    void* pages = mmap(nullptr, size + kGuardPage, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (pages == MAP_FAILED) return absl::ResourceExhaustedError("no memory for more fibres");
    mprotect(pages, kGuardPage, PROT_NONE);
    stacks.push_back({static_cast<uint8_t*>(pages) + kGuardPage, size});
  }
  return absl::OkStatus();
}

void Executor::State::DropStacks() {
  for (const Stack& stack : stacks) munmap(stack.begin - kGuardPage, stack.size + kGuardPage);
  stacks.clear();
}

void Executor::State::Resume(size_t index) {
  current = index;
  const auto begin = reinterpret_cast<uintptr_t>(stacks[index].begin);
  log.BeginItem(static_cast<uint32_t>(index), begin, begin + stacks[index].size);
  items[index].context = ctx::jump_fcontext(items[index].context, nullptr).fctx;
}

bool Executor::State::Diverges() {
  Divergence found;
  found.group = group;
  for (const Item& item : items) {
    if (item.state == Fibre::kEnded) {
      ++found.ended;
      continue;
    }
    ++found.waiting;
    if (found.first_barrier == nullptr) {
      found.first_barrier = item.barrier;
    } else if (item.barrier != found.first_barrier) {
      found.other_barrier = item.barrier;
    }
  }
  if (found.waiting == 0 || (found.ended == 0 && found.other_barrier == nullptr)) return false;
  outcome.divergence = found;
  return true;
}

bool Executor::State::RunGroup(const RunOrder& order) {
  const size_t count = items.size();
  log.BeginGroup();
  for (Allocation* array : shared) FillUninitialised(*array, order.fill);
  for (size_t i = 0; i < count; ++i) {
    const Stack& stack = stacks[i];
    Item& item = items[i];
    item.state = Fibre::kReady;
    item.context = ctx::make_fcontext(stack.begin + stack.size, stack.size, RunItem);
    const auto index = static_cast<uint32_t>(i);
    item.index = {index % shape.items[0], index / shape.items[0] % shape.items[1],
                  index / shape.items[0] / shape.items[1]};
  }
  for (;;) {
    for (size_t k = 0; k < count && !stopped; ++k) {
      const size_t i = order.backwards ? count - 1 - k : k;
      if (items[i].state == Fibre::kReady) Resume(i);
    }
    if (stopped || Diverges()) return false;
    if (items[0].state == Fibre::kEnded) return true;
    for (Item& item : items) item.state = Fibre::kReady;
    log.BeginInterval();
    ++outcome.barriers;
  }
}

absl::Status Executor::State::RunAll(const RunOrder& order) {
  const uint64_t groups = shape.Groups();
  log.BeginLaunch();
  for (uint64_t k = 0; k < groups; ++k) {
    const uint64_t i = order.backwards ? groups - 1 - k : k;
    group = {static_cast<uint32_t>(i % shape.groups[0]),
             static_cast<uint32_t>(i / shape.groups[0] % shape.groups[1]),
             static_cast<uint32_t>(i / shape.groups[0] / shape.groups[1])};
    if (!RunGroup(order)) break;
    outcome.completed = k + 1 == groups;
  }
  if (!outcome.completed) {
    // Fibres that were left inside a function have red zones of its variables on their stacks.
    for (const Stack& stack : stacks) contract::Unpoison(stack.begin, stack.size);
  }
  return absl::OkStatus();
}

Executor::Executor(MemoryMap* memory) : state_(new State(memory)) {}

Executor::~Executor() {
  state_->DropStacks();
  delete state_;
}

absl::StatusOr<RunOutcome> Executor::Run(KernelEntry entry, void** arguments,
                                         const LaunchShape& shape,
                                         std::span<const SharedArray> shared,
                                         const RunOrder& order) {
  State& state = *state_;
  state.entry = entry;
  state.arguments = arguments;
  state.shape = shape;
  state.outcome = {};
  state.stopped = false;
  state.items.assign(shape.ItemsInGroup(), {});
  IRATE_RETURN_IF_ERROR(state.MakeStacks(state.items.size()));
  absl::Status status;
  for (const SharedArray& array : shared) {
    absl::StatusOr<Allocation*> allocation =
        state.memory.Allocate(array.size, array.name, Space::kShared);
    if (!allocation.ok()) {
      status = allocation.status();
      break;
    }
    state.shared.push_back(*allocation);
  }
  if (status.ok()) {
    State* const outer = std::exchange(active, &state);
    status = state.RunAll(order);
    active = outer;
  }
  for (const Allocation* array : state.shared) state.memory.Free(array);
  state.shared.clear();
  if (!status.ok()) return status;
  RunOutcome outcome = std::move(state.outcome);
  return outcome;
}

}  // namespace irate::devices
