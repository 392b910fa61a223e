#include "execution/sanitized/signature.h"

#include <utility>

#include "execution/sanitized/case_arguments.h"

namespace irate::sanitized {

Signature SignatureOf(const Function& function) {
  Signature signature;
  for (const Param& param : function.params()) {
    ParameterSignature entry;
    if (param.kind() == PARAM_SCALAR) {
      const Variable& variable = function.variables(static_cast<int>(param.id()));
      entry.name = variable.name();
      entry.type = ToAbiType(variable.type(), variable.lanes());
      signature.push_back(std::move(entry));
      continue;
    }
    const Buffer& buffer = function.buffers(static_cast<int>(param.id()));
    entry.is_tensor = true;
    entry.name = buffer.name();
    entry.type = ToAbiType(buffer.type(), buffer.lanes());
    entry.is_compact = buffer.strides_size() == 0;
    entry.has_offset = buffer.has_elem_offset();
    if (buffer.alignment() != 0) entry.alignment = buffer.alignment();
    for (const Expr& extent : buffer.shape()) {
      ParameterSignature::Extent entry_extent;
      entry_extent.is_constant = extent.op() == CONST;
      entry_extent.value = extent.int_value();
      if (extent.op() == VAR) {
        entry_extent.variable = function.variables(static_cast<int>(extent.id())).name();
      }
      entry.shape.push_back(std::move(entry_extent));
    }
    signature.push_back(std::move(entry));
  }
  return signature;
}

}  // namespace irate::sanitized
