#include "ir/dimensions.h"

#include <algorithm>

namespace irate {
namespace {

// Variables in `expr` in order of occurrence. An explicit stack: the function may be unverified.
void CollectVariables(const Expr& expr, std::vector<uint32_t>* found) {
  std::vector<const Expr*> pending = {&expr};
  while (!pending.empty()) {
    const Expr* next = pending.back();
    pending.pop_back();
    if (next->op() == VAR) found->push_back(next->id());
    for (int i = next->args_size() - 1; i >= 0; --i) pending.push_back(&next->args(i));
  }
}

}  // namespace

std::vector<uint32_t> DimensionVariables(const Function& function) {
  std::vector<bool> seen(static_cast<size_t>(function.variables_size()));
  for (const Param& param : function.params()) {
    if (param.kind() == PARAM_SCALAR && param.id() < seen.size()) seen[param.id()] = true;
  }
  std::vector<uint32_t> result;
  std::vector<uint32_t> occurrences;
  for (const Param& param : function.params()) {
    if (param.kind() != PARAM_BUFFER) continue;
    if (param.id() >= static_cast<uint32_t>(function.buffers_size())) continue;
    const Buffer& buffer = function.buffers(static_cast<int>(param.id()));
    occurrences.clear();
    for (const Expr& extent : buffer.shape()) CollectVariables(extent, &occurrences);
    for (const Expr& stride : buffer.strides()) CollectVariables(stride, &occurrences);
    if (buffer.has_elem_offset()) CollectVariables(buffer.elem_offset(), &occurrences);
    for (uint32_t id : occurrences) {
      if (id >= seen.size() || seen[id]) continue;
      seen[id] = true;
      result.push_back(id);
    }
  }
  return result;
}

}  // namespace irate
