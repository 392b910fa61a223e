// What the contract-checking runtime has to say: which clause of the agreement between generated
// code and its runtime was broken, by whom and how.
//
// The clauses are those of TVM's c_backend_api.h (workspaces, parallel launch, barrier), of
// tvm-ffi's c_api.h (packed calls, errors, handles) and of the tensors that the caller passes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace irate::contract {

enum class Clause {
  kWorkspaceAlignment,       // an address that is not a multiple of 64
  kWorkspaceSize,            // a request that no program of ours makes
  kWorkspaceDevice,          // another device than the function's, or than at allocation
  kWorkspaceElementType,     // a type hint that names no type
  kWorkspaceUnknownFree,     // an address that was never handed out
  kWorkspaceDoubleFree,      // an address that was freed before
  kWorkspaceOrder,           // freed before a workspace that was allocated after it
  kWorkspaceTask,            // freed by another task than the one that allocated it
  kWorkspaceLeak,            // alive after a successful return
  kRedZone,                  // bytes beside a buffer changed
  kLaunchArguments,          // a null function or a negative number of tasks
  kLaunchNested,             // a launch inside a task
  kLaunchTaskCount,          // a task that ran twice, never, or without existing
  kLaunchEnvironment,        // a task changed its environment
  kBarrierOutside,           // a barrier outside of a launch
  kBarrierArguments,         // another task's id or environment
  kBarrierDivergence,        // some tasks returned while others waited
  kRace,                     // two tasks, one byte, at least one write, no barrier between
  kErrorMissing,             // a failure was returned and no error was set
  kErrorIgnored,             // an error was set and success was returned
  kErrorArguments,           // a null kind or message, a negative number of parts
  kPackedUnknownFunction,    // a name that nobody defined
  kPackedHandle,             // a call through something that is not a function
  kPackedCallingConvention,  // the function of that name is not a packed function
  kPackedArgumentCount,      // another number than the callee reads
  kPackedArgumentType,       // another type index than the callee reads
  kPackedArgumentMemory,     // an argument slot outside of the array, or never written
  kPackedResultSlot,         // the result is not None on entry
  kLibraryContext,           // a look-up with another context than the module's own
};

// "workspace-alignment": the name in findings.
std::string_view ClauseName(Clause clause);

struct ContractReport {
  Clause clause;
  std::string text;   // one sentence
  int64_t value = 0;  // the number that the sentence is about: an address, a size, a task
  // Return address of the call that broke the clause, in generated code; null if there was none.
  const void* caller = nullptr;
};

using ReportSink = std::function<void(ContractReport)>;

}  // namespace irate::contract
