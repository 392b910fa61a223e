// Edits of statements: dropped, unwrapped, inlined, made simpler.
#include <array>

#include "ir/builder.h"
#include "triage/edit_kinds.h"
#include "triage/edit_places.h"

namespace irate::edits {

bool DropStmtAt(StmtList* list, int index, int) {
  list->DeleteSubrange(index, 1);
  return true;
}

// A statement gives way to what is inside: a loop to its first iteration, a block to its local
// buffers, init and body with the iterators at their bindings, a conditional to one of its arms.
bool UnwrapAt(StmtList* list, int index, int variant) {
  Stmt stmt = list->Get(index);
  const bool takes_else = variant == 1;
  if (takes_else && stmt.kind() != IF) return false;
  switch (stmt.kind()) {
    case FOR:
      Substitute(stmt.mutable_body(), stmt.id(), stmt.args(0));
      break;
    case BLOCK: {
      StmtList body;
      for (const uint32_t buffer : stmt.block().alloc_buffers()) *body.Add() = build::Alloc(buffer);
      body.MergeFrom(stmt.block().init());
      body.MergeFrom(stmt.body());
      for (const BlockIter& iter : stmt.block().iters()) {
        Substitute(&body, iter.variable(), iter.binding());
      }
      stmt.mutable_body()->Swap(&body);
      break;
    }
    case IF:
    case ATTR:
    case WHILE:
      break;
    default:
      return false;
  }
  Splice(list, index, takes_else ? stmt.orelse() : stmt.body());
  return true;
}

// A bound variable gives way to its value.
bool InlineBindAt(StmtList* list, int index, int) {
  if (list->Get(index).kind() != BIND) return false;
  const Stmt bind = list->Get(index);
  list->DeleteSubrange(index, 1);
  StmtList rest;
  for (int i = index; i < list->size(); ++i) *rest.Add() = list->Get(i);
  Substitute(&rest, bind.id(), bind.args(0));
  for (int i = index; i < list->size(); ++i) list->Mutable(i)->Swap(rest.Mutable(i - index));
  return true;
}

bool ShrinkLoopAt(StmtList* list, int index, int variant) {
  Stmt* stmt = list->Mutable(index);
  if (stmt->kind() != FOR || stmt->args(1).op() != CONST) return false;
  const int64_t extent = stmt->args(1).int_value();
  const std::array<int64_t, 3> sizes = {1, 2, extent / 2};
  const int64_t size = sizes[static_cast<size_t>(variant)];
  if (size < 1 || size >= extent) return false;
  stmt->mutable_args(1)->set_int_value(size);
  return true;
}

bool MakeSerialAt(StmtList* list, int index, int) {
  Stmt* stmt = list->Mutable(index);
  if (stmt->kind() != FOR || stmt->loop_kind() == SERIAL) return false;
  stmt->set_loop_kind(SERIAL);
  stmt->clear_thread_tag();
  return true;
}

bool DropStmtExtrasAt(StmtList* list, int index, int variant) {
  Stmt* stmt = list->Mutable(index);
  switch (variant) {
    case 0:
      if (stmt->annotations().empty()) return false;
      stmt->clear_annotations();
      return true;
    case 1:
      if (!stmt->has_block() || stmt->block().annotations().empty()) return false;
      stmt->mutable_block()->clear_annotations();
      return true;
    case 2:
      if (!stmt->has_block() || !stmt->block().has_predicate()) return false;
      stmt->mutable_block()->clear_predicate();
      return true;
    case 3:
      if (!stmt->has_block() || stmt->block().init().empty()) return false;
      stmt->mutable_block()->clear_init();
      return true;
    case 4:
      if (stmt->kind() != IF || stmt->orelse().empty()) return false;
      stmt->clear_orelse();
      return true;
    default:
      if (stmt->kind() != FOR || stmt->args_size() < 3) return false;
      stmt->mutable_args()->RemoveLast();
      return true;
  }
}

}  // namespace irate::edits
