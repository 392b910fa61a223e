// From the module as TVM emitted it to one that can be instrumented and loaded. Internal.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace llvm {
class Function;
class Instruction;
class Module;
}  // namespace llvm

namespace irate::sanitized {

struct PreparedModule {
  // Names of all packed functions: (ptr, ptr, i32, ptr) -> i32.
  std::vector<std::string> packed_functions;
  // Every other defined function, with its type in words.
  std::vector<std::pair<std::string, std::string>> other_functions;
  // A barrier is called somewhere.
  bool has_barrier = false;
  int instructions = 0;
};

// 1. Numbers the instructions and replaces the debug information by one in which the line of an
//    instruction is its number (sites.h).
// 2. Drops what only a debugger reads: the stack slots that hold copies of parameters.
// 3. Makes every function a visible symbol, so that its address can be asked for.
// 4. Points the module's runtime variables ("__TVMBackendParallelLaunch", ...) at the symbols of
// the
//    contract runtime.
PreparedModule Prepare(llvm::Module& module);

// Takes the list of constructors or destructors out of the module ("llvm.global_ctors",
// "llvm.global_dtors"): the names of its functions, in order, which become visible.
std::vector<std::string> TakeFunctionList(llvm::Module& module, std::string_view list_name);

// Functions that come with every module and are not the program's: the helpers that set errors, and
// conversions that the code generator calls by itself without the instrumentation's knowledge.
bool IsSupportFunction(const llvm::Function& function);
// A packed entry point: mostly checks of its arguments.
bool IsPackedEntry(const llvm::Function& function);

// ... and nothing else: the program itself is in a function that it calls. Such an entry is most of
// the code of a small module and cannot hold the program's mistakes, so it is instrumented lightly.
bool IsWrapper(const llvm::Function& function);

// Our own instruction: instrumentation must neither check it nor track its value.
void MarkAsCheck(llvm::Instruction* instruction);
bool IsCheck(const llvm::Instruction& instruction);

}  // namespace irate::sanitized
