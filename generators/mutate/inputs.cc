#include "generators/mutate/inputs.h"

#include <algorithm>

#include "ir/types.h"

namespace irate::mutate {

ScalarType TypeOfParam(const Function& entry, uint32_t param) {
  const Param& declared = entry.params(static_cast<int>(param));
  return declared.kind() == PARAM_BUFFER ? entry.buffers(static_cast<int>(declared.id())).type()
                                         : entry.variables(static_cast<int>(declared.id())).type();
}

ParamInput* InputOf(Inputs* inputs, uint32_t param) {
  for (ParamInput& input : *inputs->mutable_params()) {
    if (input.param() == param) return &input;
  }
  ParamInput* input = inputs->add_params();
  input->set_param(param);
  return input;
}

void FitInputs(Case* test_case) {
  const Function& entry = test_case->module().functions(0);
  for (ParamInput& input : *test_case->mutable_inputs()->mutable_params()) {
    const ScalarType type = TypeOfParam(entry, input.param());
    if (!IsFloat(type)) input.clear_real();
    if (!IsInteger(type) && type != BOOL) continue;
    const int64_t low = MinValue(type);
    const int64_t high = type == U64 ? MaxValue(I64) : MaxValue(type);
    input.set_min(std::clamp(input.min(), low, high));
    input.set_max(std::clamp(input.max(), low, high));
  }
}

}  // namespace irate::mutate
