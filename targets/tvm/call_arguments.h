// The arguments of the entry function as TVM's packed convention passes them.
#pragma once

#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"
#include "targets/tvm/native.h"
#include "targets/tvm/tensor_argument.h"

namespace irate::tvm_target {

// Of one call. Scalars are passed by value; the rest points into `tensors`.
struct CallArguments {
  std::vector<std::unique_ptr<TensorArgument>> tensors;
  std::vector<ffi::AnyView> values;
};

// Errors as MakeArguments and TensorArgument::Create.
absl::StatusOr<CallArguments> MakeCallArguments(const Function& function, const Inputs& inputs);

}  // namespace irate::tvm_target
