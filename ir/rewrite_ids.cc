#include "ir/rewrite_ids.h"

namespace irate {
namespace {

void RewriteRange(Range* range, const IdMap& map) {
  if (range->has_min()) RewriteIds(range->mutable_min(), map);
  if (range->has_extent()) RewriteIds(range->mutable_extent(), map);
}

void RewriteRegion(BufferRegion* region, const IdMap& map) {
  region->set_buffer(map.buffer(region->buffer()));
  for (Range& range : *region->mutable_ranges()) RewriteRange(&range, map);
}

void RewriteAttributes(google::protobuf::RepeatedPtrField<Attribute>* attributes,
                       const IdMap& map) {
  for (Attribute& attribute : *attributes) {
    if (attribute.has_value()) RewriteIds(attribute.mutable_value(), map);
  }
}

void RewriteBlock(Block* block, const IdMap& map) {
  for (BlockIter& iter : *block->mutable_iters()) {
    iter.set_variable(map.variable(iter.variable()));
    if (iter.has_domain()) RewriteRange(iter.mutable_domain(), map);
    if (iter.has_binding()) RewriteIds(iter.mutable_binding(), map);
  }
  if (block->has_predicate()) RewriteIds(block->mutable_predicate(), map);
  for (BufferRegion& region : *block->mutable_reads()) RewriteRegion(&region, map);
  for (BufferRegion& region : *block->mutable_writes()) RewriteRegion(&region, map);
  for (int i = 0; i < block->alloc_buffers_size(); ++i) {
    block->set_alloc_buffers(i, map.buffer(block->alloc_buffers(i)));
  }
  for (MatchBuffer& match : *block->mutable_match_buffers()) {
    match.set_buffer(map.buffer(match.buffer()));
    if (match.has_source()) RewriteRegion(match.mutable_source(), map);
  }
  RewriteAttributes(block->mutable_annotations(), map);
  for (Stmt& stmt : *block->mutable_init()) RewriteIds(&stmt, map);
}

void RewriteAttrNode(AttrNode* node, const IdMap& map) {
  switch (node->node_case()) {
    case AttrNode::kBuffer:
      node->set_buffer(map.buffer(node->buffer()));
      break;
    case AttrNode::kVariable:
      node->set_variable(map.variable(node->variable()));
      break;
    case AttrNode::kThreadTag:
      node->set_thread_variable(map.variable(node->thread_variable()));
      break;
    case AttrNode::kText:
    case AttrNode::NODE_NOT_SET:
      break;
  }
}

}  // namespace

void RewriteIds(Expr* expr, const IdMap& map) {
  if (expr->op() == VAR || expr->op() == LET) expr->set_id(map.variable(expr->id()));
  if (expr->op() == LOAD || expr->op() == BUFFER_DATA) expr->set_id(map.buffer(expr->id()));
  for (Expr& arg : *expr->mutable_args()) RewriteIds(&arg, map);
}

void RewriteIds(Stmt* stmt, const IdMap& map) {
  switch (stmt->kind()) {
    case FOR:
    case BIND:
      stmt->set_id(map.variable(stmt->id()));
      break;
    case STORE:
    case ALLOC:
    case DECL_BUFFER:
      stmt->set_id(map.buffer(stmt->id()));
      break;
    default:
      break;
  }
  for (Expr& arg : *stmt->mutable_args()) RewriteIds(&arg, map);
  if (stmt->has_attr_node()) RewriteAttrNode(stmt->mutable_attr_node(), map);
  if (stmt->has_block()) RewriteBlock(stmt->mutable_block(), map);
  RewriteAttributes(stmt->mutable_annotations(), map);
  for (Stmt& nested : *stmt->mutable_body()) RewriteIds(&nested, map);
  for (Stmt& nested : *stmt->mutable_orelse()) RewriteIds(&nested, map);
}

void RewriteIds(Buffer* buffer, const IdMap& map) {
  for (Expr& extent : *buffer->mutable_shape()) RewriteIds(&extent, map);
  for (Expr& stride : *buffer->mutable_strides()) RewriteIds(&stride, map);
  if (buffer->has_elem_offset()) RewriteIds(buffer->mutable_elem_offset(), map);
}

}  // namespace irate
