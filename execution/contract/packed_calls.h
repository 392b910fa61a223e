// Packed calls out of generated code: TVMFFIEnvModLookupFromImports, TVMFFIHandleInitOnce and
// TVMFFIFunctionCall, checked.
//
// A callee gets a copy of its arguments in an array of exactly num_args slots between red zones, so
// an instrumented callee that reads one more is caught in the act; for callees that declare what
// they read, count and type indices are compared. Each slot must lie in accessible memory and,
// where initialisation is tracked, must have been written for this call.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "execution/contract/errors.h"
#include "execution/contract/faults.h"
#include "execution/contract/guarded_memory.h"
#include "execution/contract/observer.h"
#include "execution/contract/packed_abi.h"
#include "execution/contract/region.h"
#include "execution/contract/report.h"

namespace irate::contract {

struct PackedCallee {
  // Returns 0, or -1 after an error was set. `args` has exactly `num_args` slots.
  std::function<int(const PackedAny* args, int32_t num_args, PackedAny* result)> body;
  // What it reads, where known.
  std::optional<int32_t> arity;
  // Type indices by position, -1: any. May be shorter than the arity.
  std::vector<int32_t> type_indices;
};

// A function of the module under test, for names that nobody registered.
struct ModuleFunction {
  PackedFunction address = nullptr;
  bool is_packed = false;   // its type is that of a packed function
  std::string actual_type;  // otherwise: what it is
};
using ModuleLookup = std::function<std::optional<ModuleFunction>(const std::string& name)>;

struct PackedOptions {
  Fault fault = Fault::kNone;
};

class PackedCalls {
 public:
  static absl::StatusOr<std::unique_ptr<PackedCalls>> Create(const PackedOptions& options,
                                                             RegionMap* regions, ErrorState* errors,
                                                             ReportSink sink);

  void Register(const std::string& name, PackedCallee callee);
  void set_module_lookup(ModuleLookup lookup) { module_lookup_ = std::move(lookup); }
  void set_observer(MemoryObserver* observer) { observer_ = observer; }
  // What the module's __tvm_ffi__library_ctx holds.
  void* library_context() { return &library_context_; }

  int LookUp(void* context, const char* name, void** handle, const void* caller);
  int InitOnce(void** slot, int (*init)(void** handle), const void* caller);
  int Call(void* handle, const PackedAny* args, int32_t num_args, PackedAny* result,
           const void* caller);

  // While the module is still loaded: clears the handles that InitOnce put into it.
  void Finish();
  void Reset();
  bool fault_triggered() const { return fault_triggered_; }

 private:
  struct Handle {
    std::string name;
    PackedCallee callee;
    PackedFunction address = nullptr;  // instead of a body
  };

  PackedCalls(const PackedOptions& options, RegionMap* regions, ErrorState* errors, ReportSink sink,
              GuardedArena arena);
  Handle* FindHandle(const void* pointer);
  absl::StatusOr<GuardedSpan> CopyArguments(const Handle& handle, const PackedAny* args,
                                            size_t size, const void* caller);
  bool CheckArguments(const Handle& handle, const PackedAny* args, int32_t num_args,
                      const void* caller);
  // False if the callee would read what is not there or is something else.
  bool CheckDeclared(const Handle& handle, const PackedAny* args, int32_t num_args,
                     const void* caller);

  PackedOptions options_;
  RegionMap* regions_;
  ErrorState* errors_;
  ReportSink sink_;
  GuardedArena arena_;
  MemoryObserver* observer_ = nullptr;
  ModuleLookup module_lookup_;
  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Handle>> handles_;
  std::vector<void**> initialised_slots_;
  uint64_t library_context_ = 0;
  std::atomic<int> active_calls_{0};
  bool fault_triggered_ = false;
};

}  // namespace irate::contract
