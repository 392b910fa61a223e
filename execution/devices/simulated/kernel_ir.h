// What is done to a kernel's LLVM IR between clang and the code generator. Internal.
#pragma once

#include <string>
#include <vector>

#include "execution/devices/simulated/executor.h"
#include "execution/devices/simulated/kernel_compiler.h"

namespace llvm {
class Module;
}  // namespace llvm

namespace irate::devices {

// The name of the host function that runs kernel `name`.
std::string EntryName(const std::string& name);

// Gives each kernel an entry that takes pointers to the arguments' values.
std::vector<CompiledKernel> AddEntries(llvm::Module& module);
// `__local` arrays become memory that `irate_shared` hands out at the kernel's beginning.
std::vector<SharedArray> MoveSharedArrays(llvm::Module& module);
// An integer division by zero has the result 0, and that of the least number by -1 wraps.
void MakeDivisionTotal(llvm::Module& module);
// Inlines, keeps values in registers, and makes every access that is left a call.
void OptimiseAndInstrument(llvm::Module& module);

}  // namespace irate::devices
