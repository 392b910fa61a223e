// Edits of blocks and buffers: what they declare and nothing needs.
#include "triage/edit_kinds.h"
#include "triage/edit_places.h"

namespace irate::edits {

// One iterator of a block gives way to its binding.
bool DropBlockIterAt(StmtList* list, int index, int variant) {
  Stmt* stmt = list->Mutable(index);
  if (!stmt->has_block() || variant >= stmt->block().iters_size()) return false;
  const BlockIter iter = stmt->block().iters(variant);
  stmt->mutable_block()->mutable_iters()->DeleteSubrange(variant, 1);
  StmtList only;
  only.Add()->Swap(stmt);
  Substitute(&only, iter.variable(), iter.binding());
  list->Mutable(index)->Swap(only.Mutable(0));
  return true;
}

// What a block says about memory: its regions, then its views, then its local buffers one by one.
bool DropBlockMemoryAt(StmtList* list, int index, int variant) {
  Stmt* stmt = list->Mutable(index);
  if (!stmt->has_block()) return false;
  Block* block = stmt->mutable_block();
  if (variant == 0) {
    if (block->reads().empty() && block->writes().empty()) return false;
    block->clear_reads();
    block->clear_writes();
    return true;
  }
  if (variant == 1) {
    if (block->match_buffers().empty()) return false;
    block->clear_match_buffers();
    return true;
  }
  const int buffer = variant - 2;
  if (buffer >= block->alloc_buffers_size()) return false;
  block->mutable_alloc_buffers()->erase(block->alloc_buffers().begin() + buffer);
  return true;
}

// A layout of its own gives way to the compact one.
EditResult MakeBufferCompact(Case* test_case, int position, int variant) {
  for (Function& function : *test_case->mutable_module()->mutable_functions()) {
    if (position >= function.buffers_size()) {
      position -= function.buffers_size();
      continue;
    }
    Buffer* buffer = function.mutable_buffers(position);
    if (variant == 0) {
      if (buffer->strides().empty()) return EditResult::kNotApplicable;
      buffer->clear_strides();
    } else {
      if (!buffer->has_elem_offset()) return EditResult::kNotApplicable;
      buffer->clear_elem_offset();
      buffer->clear_offset_factor();
    }
    return EditResult::kApplied;
  }
  return EditResult::kNoPosition;
}

}  // namespace irate::edits
