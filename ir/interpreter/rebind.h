// Inputs of one function, said in the ids of another with the same parameters.
//
// A module lifted from a compiler numbers its variables anew, while Inputs.dims names dimension
// variables by the ids of the Case's entry function.
#pragma once

#include "absl/status/statusor.h"
#include "ir/irate.pb.h"

namespace irate::interp {

// `inputs` describes `original`; the result describes `entry`. InvalidArgument where the parameters
// do not correspond in number, kind or rank.
absl::StatusOr<Inputs> RebindInputs(const Function& original, const Inputs& inputs,
                                    const Function& entry);

}  // namespace irate::interp
