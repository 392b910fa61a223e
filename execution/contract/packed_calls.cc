#include "execution/contract/packed_calls.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "execution/contract/poison.h"
#include "fmt/format.h"
#include "ir/status_macros.h"

namespace irate::contract {
namespace {

constexpr size_t kArgumentCapacity = size_t{16} << 20;

}  // namespace

PackedCalls::PackedCalls(const PackedOptions& options, RegionMap* regions, ErrorState* errors,
                         ReportSink sink, GuardedArena arena)
    : options_(options),
      regions_(regions),
      errors_(errors),
      sink_(std::move(sink)),
      arena_(std::move(arena)) {}

absl::StatusOr<std::unique_ptr<PackedCalls>> PackedCalls::Create(const PackedOptions& options,
                                                                 RegionMap* regions,
                                                                 ErrorState* errors,
                                                                 ReportSink sink) {
  IRATE_ASSIGN_OR_RETURN(GuardedArena arena, GuardedArena::Create(kArgumentCapacity));
  return std::unique_ptr<PackedCalls>(
      new PackedCalls(options, regions, errors, std::move(sink), std::move(arena)));
}

void PackedCalls::Register(const std::string& name, PackedCallee callee) {
  auto handle = std::make_unique<Handle>();
  handle->name = name;
  handle->callee = std::move(callee);
  handles_[name] = std::move(handle);
}

int PackedCalls::LookUp(void* context, const char* name, void** handle, const void* caller) {
  std::lock_guard lock(mutex_);
  if (context != &library_context_) {
    sink_({Clause::kLibraryContext,
           fmt::format("'{}' was looked up with the context {} instead of the module's own", name,
                       context),
           0, caller});
  }
  if (auto known = handles_.find(name); known != handles_.end()) {
    *handle = known->second.get();
    return 0;
  }
  const std::optional<ModuleFunction> function =
      module_lookup_ ? module_lookup_(name) : std::nullopt;
  if (!function) {
    sink_({Clause::kPackedUnknownFunction,
           fmt::format("the function '{}' was looked up, but nobody defined it", name), 0, caller});
    errors_->Raise("RuntimeError", fmt::format("no function '{}'", name));
    return -1;
  }
  if (!function->is_packed) {
    sink_({Clause::kPackedCallingConvention,
           fmt::format("'{}' was looked up in order to call it as a packed function, but it is {}",
                       name, function->actual_type),
           0, caller});
    errors_->Raise("RuntimeError", fmt::format("'{}' is no packed function", name));
    return -1;
  }
  auto created = std::make_unique<Handle>();
  created->name = name;
  created->address = function->address;
  *handle = created.get();
  handles_[name] = std::move(created);
  return 0;
}

// No lock is held while generated code runs: a fault in it unwinds past this frame.
int PackedCalls::InitOnce(void** slot, int (*init)(void** handle), const void* caller) {
  if (slot == nullptr || init == nullptr) {
    sink_({Clause::kPackedHandle, "a handle was to be initialised from null", 0, caller});
    return -1;
  }
  if (*slot != nullptr) return 0;
  void* handle = nullptr;
  if (observer_ != nullptr) {
    observer_->OnInitialised(reinterpret_cast<uintptr_t>(&handle), sizeof(handle));
    observer_->OnBoundary();
  }
  if (const int result = init(&handle); result != 0) return result;
  std::lock_guard lock(mutex_);
  *slot = handle;
  initialised_slots_.push_back(slot);
  return 0;
}

bool PackedCalls::CheckArguments(const Handle& handle, const PackedAny* args, int32_t num_args,
                                 const void* caller) {
  const auto begin = reinterpret_cast<uintptr_t>(args);
  const size_t size = static_cast<size_t>(num_args) * sizeof(PackedAny);
  if (const void* poisoned = FirstPoisoned(args, size); poisoned != nullptr) {
    const auto slot = (reinterpret_cast<uintptr_t>(poisoned) - begin) / sizeof(PackedAny);
    sink_({Clause::kPackedArgumentMemory,
           fmt::format("the call of '{}' passes {} arguments, but argument {} lies outside of the "
                       "array",
                       handle.name, num_args, slot),
           static_cast<int64_t>(slot), caller});
    return false;
  }
  if (observer_ == nullptr) return true;
  if (const uintptr_t unset = observer_->FirstUninitialised(begin, size); unset != 0) {
    const auto slot = (unset - begin) / sizeof(PackedAny);
    sink_({Clause::kPackedArgumentMemory,
           fmt::format("the call of '{}' passes {} arguments, but byte {} of argument {} was never "
                       "written",
                       handle.name, num_args, (unset - begin) % sizeof(PackedAny), slot),
           static_cast<int64_t>(slot), caller});
  }
  return true;
}

bool PackedCalls::CheckDeclared(const Handle& handle, const PackedAny* args, int32_t num_args,
                                const void* caller) {
  const PackedCallee& callee = handle.callee;
  if (callee.arity && *callee.arity != num_args) {
    sink_({Clause::kPackedArgumentCount,
           fmt::format("the call of '{}' passes {} arguments, but it reads {}", handle.name,
                       num_args, *callee.arity),
           num_args, caller});
  }
  const size_t checked = std::min(callee.type_indices.size(), static_cast<size_t>(num_args));
  for (size_t i = 0; i < checked; ++i) {
    const int32_t expected = callee.type_indices[i];
    if (expected < 0 || args[i].type_index == expected) continue;
    sink_({Clause::kPackedArgumentType,
           fmt::format("the call of '{}' passes {} as argument {}, but it reads {}", handle.name,
                       TypeIndexName(args[i].type_index), i, TypeIndexName(expected)),
           static_cast<int64_t>(i), caller});
    return false;
  }
  return !callee.arity || *callee.arity <= num_args;
}

PackedCalls::Handle* PackedCalls::FindHandle(const void* pointer) {
  std::lock_guard lock(mutex_);
  for (const auto& [name, handle] : handles_) {
    if (handle.get() == pointer) return handle.get();
  }
  return nullptr;
}

// The arguments alone, in an array that ends where they end.
absl::StatusOr<GuardedSpan> PackedCalls::CopyArguments(const Handle& handle, const PackedAny* args,
                                                       size_t size, const void* caller) {
  std::lock_guard lock(mutex_);
  absl::StatusOr<GuardedSpan> allocated = arena_.Allocate(size, alignof(PackedAny));
  // Only when no callee is still reading an earlier copy.
  if (!allocated.ok() && active_calls_ == 0) {
    regions_->RemoveKind(RegionKind::kRuntime);
    arena_.Reset();
    allocated = arena_.Allocate(size, alignof(PackedAny));
  }
  IRATE_ASSIGN_OR_RETURN(const GuardedSpan span, std::move(allocated));
  if (size > 0) std::memcpy(reinterpret_cast<void*>(span.begin), args, size);
  regions_->Add({RegionKind::kRuntime, fmt::format("the arguments of '{}'", handle.name),
                 span.begin, span.end, span.zone_begin, span.zone_end, sizeof(PackedAny), false,
                 caller});
  if (observer_ != nullptr) {
    observer_->OnCopy(span.begin, reinterpret_cast<uintptr_t>(args), size);
  }
  return span;
}

int PackedCalls::Call(void* pointer, const PackedAny* args, int32_t num_args, PackedAny* result,
                      const void* caller) {
  Handle* const handle = FindHandle(pointer);
  if (handle == nullptr || num_args < 0 || (args == nullptr && num_args > 0)) {
    sink_({Clause::kPackedHandle,
           fmt::format("a packed call through {} with {} arguments at {}", pointer, num_args,
                       static_cast<const void*>(args)),
           num_args, caller});
    errors_->Raise("RuntimeError", "a packed call through something that is no function");
    return -1;
  }
  if (!CheckArguments(*handle, args, num_args, caller)) {
    errors_->Raise("RuntimeError", fmt::format("cannot read the arguments of '{}'", handle->name));
    return -1;
  }
  if (FirstPoisoned(result, sizeof(PackedAny)) != nullptr || result->type_index != kNone) {
    sink_({Clause::kPackedResultSlot,
           fmt::format("the result slot of the call of '{}' is not None on entry", handle->name), 0,
           caller});
  }
  if (options_.fault == Fault::kPackedDropArgument && num_args > 0) {
    fault_triggered_ = true;
    --num_args;
  }
  if (!CheckDeclared(*handle, args, num_args, caller)) {
    errors_->Raise("TypeError", fmt::format("'{}' cannot read its arguments", handle->name));
    return -1;
  }

  const size_t size = static_cast<size_t>(num_args) * sizeof(PackedAny);
  const absl::StatusOr<GuardedSpan> span = CopyArguments(*handle, args, size, caller);
  if (!span.ok()) {
    errors_->Raise("RuntimeError", span.status().ToString());
    return -1;
  }
  const auto* copy = reinterpret_cast<const PackedAny*>(span->begin);
  PackedAny value;
  if (observer_ != nullptr) {
    observer_->OnInitialised(reinterpret_cast<uintptr_t>(&value), sizeof(value));
    observer_->OnBoundary();
  }
  ++active_calls_;
  const int returned = handle->address != nullptr ? handle->address(nullptr, copy, num_args, &value)
                                                  : handle->callee.body(copy, num_args, &value);
  --active_calls_;
  *result = value;
  if (observer_ != nullptr) {
    observer_->OnInitialised(reinterpret_cast<uintptr_t>(result), sizeof(PackedAny));
    // Arguments are written anew for each call: whatever a later call does not write is stale.
    observer_->OnUninitialised(reinterpret_cast<uintptr_t>(args), size, caller);
  }
  regions_->MarkFreed(span->begin);
  Poison(copy, size);
  return returned;
}

void PackedCalls::Finish() {
  std::lock_guard lock(mutex_);
  for (void** slot : initialised_slots_) *slot = nullptr;
  initialised_slots_.clear();
  std::erase_if(handles_, [](const auto& entry) { return entry.second->address != nullptr; });
}

void PackedCalls::Reset() {
  std::lock_guard lock(mutex_);
  regions_->RemoveKind(RegionKind::kRuntime);
  arena_.Reset();
  active_calls_ = 0;
  fault_triggered_ = false;
}

}  // namespace irate::contract
