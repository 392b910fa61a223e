// Kernel source to machine code of this process, by libclang, instrumented. Internal: clang's and
// LLVM's headers stay in the .cc file.
//
//  1. OpenCL C is checked by clang as a device compiler would, with its own declarations of the
//     built-in functions: what fails here does not compile anywhere.
//  2. It is compiled for the host with opencl_prelude.h, which has bodies for the built-in
//  functions
//     that the simulator knows. What fails here only is not supported by the simulator.
//  3. AddressSanitizer's pass makes each access a call (executor.h), private arrays get red zones,
//     `__local` arrays become memory of the group, and division by zero is made harmless: it does
//     not trap on a device.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "execution/devices/simulated/executor.h"

namespace irate::devices {

struct KernelParameter {
  bool is_pointer = false;
  uint32_t size = 0;  // in bytes
};

struct CompiledKernel {
  std::string name;
  KernelEntry entry = nullptr;
  std::vector<KernelParameter> parameters;
};

class CompiledProgram {
 public:
  // InvalidArgument: does not compile. Unimplemented: not supported here.
  static absl::StatusOr<std::unique_ptr<CompiledProgram>> Compile(const std::string& source);
  ~CompiledProgram();

  const std::vector<CompiledKernel>& kernels() const { return kernels_; }
  const CompiledKernel* Find(const std::string& name) const;
  const std::vector<SharedArray>& shared() const { return shared_; }
  // "line 12: C[i] = A[i];" of the instruction that returns to `pc`; empty if unknown.
  std::string Place(const void* pc) const;

 private:
  struct Code;
  CompiledProgram();
  std::unique_ptr<Code> code_;
  std::string source_;
  std::vector<CompiledKernel> kernels_;
  std::vector<SharedArray> shared_;
};

}  // namespace irate::devices
