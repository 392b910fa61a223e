// Edits of what stands beside the statements: parameters, dimensions, attributes, passes.
#include <utility>

#include "ir/visit.h"
#include "triage/edit_kinds.h"
#include "triage/edit_places.h"

namespace irate::edits {
namespace {
bool DefinesDimension(const Function& function, uint32_t variable) {
  bool found = false;
  for (const Param& param : function.params()) {
    if (param.kind() != PARAM_BUFFER) continue;
    const Buffer& buffer = function.buffers(static_cast<int>(param.id()));
    const auto look = [&](const Expr& root) {
      VisitExpr(root,
                [&](const Expr& expr) { found |= expr.op() == VAR && expr.id() == variable; });
    };
    for (const Expr& extent : buffer.shape()) look(extent);
    for (const Expr& stride : buffer.strides()) look(stride);
    if (buffer.has_elem_offset()) look(buffer.elem_offset());
  }
  return found;
}

// Values of dimensions that no parameter has any more.
void DropUnusedDims(Case* test_case) {
  const Function& entry = test_case->module().functions(0);
  auto* dims = test_case->mutable_inputs()->mutable_dims();
  for (int i = dims->size() - 1; i >= 0; --i) {
    if (!DefinesDimension(entry, dims->Get(i).variable())) dims->DeleteSubrange(i, 1);
  }
}

}  // namespace

EditResult DropParam(Case* test_case, int position, int) {
  Function* entry = test_case->mutable_module()->mutable_functions(0);
  if (position >= entry->params_size()) return EditResult::kNoPosition;
  entry->mutable_params()->DeleteSubrange(position, 1);
  auto* inputs = test_case->mutable_inputs()->mutable_params();
  for (int i = inputs->size() - 1; i >= 0; --i) {
    ParamInput* input = inputs->Mutable(i);
    if (input->param() == static_cast<uint32_t>(position)) {
      inputs->DeleteSubrange(i, 1);
    } else if (input->param() > static_cast<uint32_t>(position)) {
      input->set_param(input->param() - 1);
    }
  }
  DropUnusedDims(test_case);
  return EditResult::kApplied;
}

// A dimension that the caller's tensors define becomes the constant that it is in this Case.
EditResult FixDimension(Case* test_case, int position, int) {
  if (position >= test_case->inputs().dims_size()) return EditResult::kNoPosition;
  const DimValue dim = test_case->inputs().dims(position);
  test_case->mutable_inputs()->mutable_dims()->DeleteSubrange(position, 1);
  Function* entry = test_case->mutable_module()->mutable_functions(0);
  const ScalarType type = entry->variables(static_cast<int>(dim.variable())).type();
  const Expr value = IntConst(type, dim.value());
  VisitExprs(entry, [&](Expr& expr) {
    if (expr.op() == VAR && expr.id() == dim.variable()) expr = value;
  });
  return EditResult::kApplied;
}

// Positions are the dimensions of all buffers, in order of the tables.
EditResult ShrinkDimension(Case* test_case, int position, int variant) {
  for (Function& function : *test_case->mutable_module()->mutable_functions()) {
    for (Buffer& buffer : *function.mutable_buffers()) {
      if (position >= buffer.shape_size()) {
        position -= buffer.shape_size();
        continue;
      }
      return Applied(ShrinkConstant(buffer.mutable_shape(position), variant + 1));
    }
  }
  return EditResult::kNoPosition;
}

EditResult DropFunctionAttr(Case* test_case, int position, int) {
  for (Function& function : *test_case->mutable_module()->mutable_functions()) {
    if (position < function.attrs_size()) {
      function.mutable_attrs()->DeleteSubrange(position, 1);
      return EditResult::kApplied;
    }
    position -= function.attrs_size();
  }
  return EditResult::kNoPosition;
}

// One dimension of a buffer, in its shape and in every access; compact buffers only.
EditResult DropDimension(Case* test_case, int position, int) {
  for (Function& function : *test_case->mutable_module()->mutable_functions()) {
    for (int id = 0; id < function.buffers_size(); ++id) {
      Buffer* buffer = function.mutable_buffers(id);
      if (position >= buffer->shape_size()) {
        position -= buffer->shape_size();
        continue;
      }
      if (buffer->shape_size() < 2 || buffer->strides_size() != 0) return Applied(false);
      buffer->mutable_shape()->DeleteSubrange(position, 1);
      const auto drop = [&](auto* list, int first) {
        if (position + first < list->size()) list->DeleteSubrange(position + first, 1);
      };
      const auto drop_range = [&](BufferRegion* region) {
        if (region->buffer() == static_cast<uint32_t>(id)) drop(region->mutable_ranges(), 0);
      };
      VisitExprs(&function, [&](Expr& expr) {
        if (expr.op() == LOAD && expr.id() == static_cast<uint32_t>(id)) {
          drop(expr.mutable_args(), 0);
        }
      });
      VisitStmts(&function, [&](Stmt& stmt) {
        if (stmt.kind() == STORE && stmt.id() == static_cast<uint32_t>(id)) {
          drop(stmt.mutable_args(), 1);
        }
        if (!stmt.has_block()) return;
        for (BufferRegion& region : *stmt.mutable_block()->mutable_reads()) drop_range(&region);
        for (BufferRegion& region : *stmt.mutable_block()->mutable_writes()) drop_range(&region);
        for (MatchBuffer& match : *stmt.mutable_block()->mutable_match_buffers()) {
          drop_range(match.mutable_source());
        }
      });
      return EditResult::kApplied;
    }
  }
  return EditResult::kNoPosition;
}

// The entry stays.
EditResult DropFunction(Case* test_case, int position, int) {
  auto* functions = test_case->mutable_module()->mutable_functions();
  if (position + 1 >= functions->size()) return EditResult::kNoPosition;
  functions->DeleteSubrange(position + 1, 1);
  return EditResult::kApplied;
}

}  // namespace irate::edits
