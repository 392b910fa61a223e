// The C functions that generated code calls. Each finds the active runtime and passes on the
// address that it returns to, which names the call in reports.
#include <cstdint>
#include <cstring>

#include "execution/contract/runtime.h"
#include "fmt/format.h"

namespace irate::contract {
namespace {

// Returns to generated code with a result that is initialised.
template <typename Result>
Result Return(Runtime* runtime, Result result) {
  if (runtime->observer() != nullptr) runtime->observer()->OnBoundary();
  return result;
}

void* AllocWorkspace(int device_type, int device_id, uint64_t size, int code, int bits) {
  Runtime* runtime = Runtime::Active();
  if (runtime == nullptr) return nullptr;
  const void* caller = __builtin_return_address(0);
  void* pointer = runtime->workspaces().Allocate(device_type, device_id, size, code, bits, caller);
  if (pointer == nullptr) {
    runtime->errors().Raise("RuntimeError", fmt::format("no workspace of {} bytes", size));
  } else if (runtime->observer() != nullptr) {
    runtime->observer()->OnUninitialised(reinterpret_cast<uintptr_t>(pointer), size, caller);
  }
  return pointer;
}

int FreeWorkspace(int device_type, int device_id, void* pointer) {
  Runtime* runtime = Runtime::Active();
  if (runtime == nullptr) return -1;
  const int result =
      runtime->workspaces().Free(device_type, device_id, pointer, __builtin_return_address(0));
  if (result != 0) runtime->errors().Raise("RuntimeError", "a workspace that cannot be freed");
  return result;
}

int ParallelLaunch(ParallelTask task, void* closure, int num_task) {
  Runtime* runtime = Runtime::Active();
  if (runtime == nullptr) return -1;
  const int result =
      runtime->launcher().Launch(task, closure, num_task, __builtin_return_address(0));
  if (result != 0) runtime->errors().Raise("RuntimeError", "a parallel task failed");
  return Return(runtime, result);
}

int ParallelBarrier(int task_id, ParallelEnvironment* environment) {
  Runtime* runtime = Runtime::Active();
  if (runtime == nullptr) return -1;
  return runtime->launcher().Barrier(task_id, environment, __builtin_return_address(0));
}

void ErrorSetRaisedFromCStr(const char* kind, const char* message) {
  if (Runtime* runtime = Runtime::Active()) {
    runtime->errors().Set(kind, message, __builtin_return_address(0));
  }
}

void ErrorSetRaisedFromCStrParts(const char* kind, const char** parts, int32_t count) {
  if (Runtime* runtime = Runtime::Active()) {
    runtime->errors().SetParts(kind, parts, count, __builtin_return_address(0));
  }
}

int EnvModLookupFromImports(void* context, const char* name, void** handle) {
  Runtime* runtime = Runtime::Active();
  if (runtime == nullptr) return -1;
  const int result = runtime->packed().LookUp(context, name, handle, __builtin_return_address(0));
  if (result == 0 && runtime->observer() != nullptr) {
    runtime->observer()->OnInitialised(reinterpret_cast<uintptr_t>(handle), sizeof(void*));
  }
  return result;
}

int HandleInitOnce(void** slot, int (*init)(void** handle)) {
  Runtime* runtime = Runtime::Active();
  if (runtime == nullptr) return -1;
  return Return(runtime, runtime->packed().InitOnce(slot, init, __builtin_return_address(0)));
}

int FunctionCall(void* handle, const PackedAny* args, int32_t num_args, PackedAny* result) {
  Runtime* runtime = Runtime::Active();
  if (runtime == nullptr) return -1;
  return Return(
      runtime, runtime->packed().Call(handle, args, num_args, result, __builtin_return_address(0)));
}

// Lists of values of the graph-level virtual machine: kept by its caller as an array of slots.
int AnyListSetPackedArg(void* list, int index, PackedAny* args, int offset) {
  args[offset] = static_cast<PackedAny*>(list)[index];
  return 0;
}

int AnyListResetItem(void* list, int index) {
  static_cast<PackedAny*>(list)[index] = PackedAny{};
  return 0;
}

int AnyListMoveFromPackedReturn(void* list, int index, PackedAny* args, int offset) {
  static_cast<PackedAny*>(list)[index] = args[offset];
  args[offset] = PackedAny{};
  return 0;
}

int EnvModRegisterSystemLibSymbol(const char*, void*) { return 0; }

template <typename Function>
void* Address(Function* function) {
  return reinterpret_cast<void*>(function);
}

}  // namespace

const std::vector<RuntimeSymbol>& RuntimeSymbols() {
  static const auto* symbols = new std::vector<RuntimeSymbol>{
      {"TVMBackendAllocWorkspace", Address(AllocWorkspace)},
      {"TVMBackendFreeWorkspace", Address(FreeWorkspace)},
      {"TVMBackendParallelLaunch", Address(ParallelLaunch)},
      {"TVMBackendParallelBarrier", Address(ParallelBarrier)},
      {"TVMFFIErrorSetRaisedFromCStr", Address(ErrorSetRaisedFromCStr)},
      {"TVMFFIErrorSetRaisedFromCStrParts", Address(ErrorSetRaisedFromCStrParts)},
      {"TVMFFIEnvModLookupFromImports", Address(EnvModLookupFromImports)},
      {"TVMFFIHandleInitOnce", Address(HandleInitOnce)},
      {"TVMFFIFunctionCall", Address(FunctionCall)},
      {"TVMBackendAnyListSetPackedArg", Address(AnyListSetPackedArg)},
      {"TVMBackendAnyListResetItem", Address(AnyListResetItem)},
      {"TVMBackendAnyListMoveFromPackedReturn", Address(AnyListMoveFromPackedReturn)},
      {"TVMFFIEnvModRegisterSystemLibSymbol", Address(EnvModRegisterSystemLibSymbol)},
  };
  return *symbols;
}

}  // namespace irate::contract
