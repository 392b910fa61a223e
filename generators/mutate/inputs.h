// The inputs of a Case, kept fitting its parameters.
#pragma once

#include <cstdint>

#include "ir/irate.pb.h"

namespace irate::mutate {

// Of the elements of a buffer, or of a scalar.
ScalarType TypeOfParam(const Function& entry, uint32_t param);
// The entry for a parameter, added where there is none.
ParamInput* InputOf(Inputs* inputs, uint32_t param);
// Ranges are cut to what the types of the parameters hold; `real` goes where they are no floats.
void FitInputs(Case* test_case);

}  // namespace irate::mutate
