#include "ir/interpreter/rebind.h"

#include "absl/status/status.h"
#include "fmt/format.h"
#include "google/protobuf/repeated_field.h"
#include "ir/interpreter/shape.h"
#include "ir/status_macros.h"

namespace irate::interp {
namespace {

// A dimension variable stands alone as some extent, stride or offset of a parameter.
void Learn(const Expr& expr, int64_t value, VariableValues* values) {
  if (expr.op() == VAR) values->emplace(expr.id(), value);
}

}  // namespace

absl::StatusOr<Inputs> RebindInputs(const Function& original, const Inputs& inputs,
                                    const Function& entry) {
  const auto mismatch = [](int param) {
    return absl::InvalidArgumentError(
        fmt::format("parameter {} is another than that which the inputs describe", param));
  };
  if (original.params_size() != entry.params_size()) return mismatch(entry.params_size());
  IRATE_ASSIGN_OR_RETURN(const VariableValues known, KnownVariables(original, inputs));
  VariableValues learnt;
  for (int i = 0; i < entry.params_size(); ++i) {
    if (entry.params(i).kind() != original.params(i).kind()) return mismatch(i);
    if (entry.params(i).kind() != PARAM_BUFFER) continue;
    const Buffer& described = original.buffers(static_cast<int>(original.params(i).id()));
    const Buffer& buffer = entry.buffers(static_cast<int>(entry.params(i).id()));
    if (buffer.shape_size() != described.shape_size()) return mismatch(i);
    IRATE_ASSIGN_OR_RETURN(const BufferLayout layout, EvaluateLayout(original, described, known));
    for (int d = 0; d < buffer.shape_size(); ++d) {
      Learn(buffer.shape(d), layout.shape[static_cast<size_t>(d)], &learnt);
    }
    for (int d = 0; d < buffer.strides_size() && d < buffer.shape_size(); ++d) {
      Learn(buffer.strides(d), layout.strides[static_cast<size_t>(d)], &learnt);
    }
    if (buffer.has_elem_offset()) Learn(buffer.elem_offset(), layout.elem_offset, &learnt);
  }
  // The parameter's own value, not what a shape says of it.
  for (const Param& param : entry.params()) {
    if (param.kind() == PARAM_SCALAR) learnt.erase(param.id());
  }
  Inputs result = inputs;
  result.clear_dims();
  for (int id = 0; id < entry.variables_size(); ++id) {
    const auto found = learnt.find(static_cast<uint32_t>(id));
    if (found == learnt.end()) continue;
    DimValue* dim = result.add_dims();
    dim->set_variable(found->first);
    dim->set_value(found->second);
  }
  return result;
}

}  // namespace irate::interp
