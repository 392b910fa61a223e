// A run of the entry function: its arguments in memory before, its outputs after.
#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/inputs.h"
#include "ir/interpreter/shape.h"
#include "ir/interpreter/vm.h"
#include "ir/observation.pb.h"

namespace irate::interp {

// One parameter of the described function in the interpreter's memory.
struct BoundArgument {
  bool is_scalar = false;
  ScalarType type = VOID;
  uint32_t lanes = 1;
  std::vector<Cell> cells;  // of a scalar
  uint32_t object = 0;      // of a buffer
  BufferLayout layout;
};

// Makes the memory of every argument. ResourceExhausted if it exceeds the limit.
absl::StatusOr<std::vector<BoundArgument>> BindArguments(const Function& described,
                                                         const Inputs& inputs, Memory* memory);

// Fills the entry's parameters and runs it. False: vm->trap() says why.
bool RunDirect(const std::vector<BoundArgument>& arguments, const Function& described,
               const Inputs& inputs, Vm* vm);
// The same through the packed interface: the entry has the parameters self, args, num_args, result.
// `device_type`: of DLPack, for all tensors.
bool RunPacked(const std::vector<BoundArgument>& arguments, int64_t device_type, Vm* vm);

// The device type that a packed entry asks of its tensors: that of the host if it asks nothing.
int64_t DeviceTypeOf(const Function& entry);

// Whether `function` has TVM's packed interface.
bool IsPackedEntry(const Function& function);

// A buffer argument as it is now. Sets *poisoned_element to the first element that holds poison
// unless it is not negative already.
InterpretedTensor ReadOutput(const BoundArgument& argument, uint8_t global_flags, Memory* memory,
                             int64_t* poisoned_element);

}  // namespace irate::interp
