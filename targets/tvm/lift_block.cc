#include <optional>
#include <string>

#include "targets/tvm/function_lift.h"
#include "targets/tvm/iter_types.h"
#include "targets/tvm/node_types.h"

namespace irate::tvm_target {
namespace {

bool IsTrue(const Object* predicate) {
  return TypeOf(predicate).kind == NodeKind::kIntImm &&
         Get<"ir.IntImm", "value">(predicate).cast<int64_t>() == 1;
}

}  // namespace

bool FunctionLift::LiftBlock(const Object* realize, Stmt* result) {
  result->set_kind(BLOCK);
  const Object* native = Ref<"s_tir.SBlockRealize", "block">(realize);
  Block* block = result->mutable_block();
  block->set_name(ToString(Get<"s_tir.SBlock", "name_hint">(native)));

  const Elements iters(Ref<"s_tir.SBlock", "iter_vars">(native));
  const Elements bindings(Ref<"s_tir.SBlockRealize", "iter_values">(realize));
  if (iters.size() != bindings.size()) return Fail("s_tir.SBlockRealize with unbound iterators");
  const Any* binding = bindings.begin();
  for (const Any& entry : iters) {
    const Object* iter = ObjectOf(entry);
    const std::optional<IterKind> kind =
        IterTypeFromNative(Get<"tirx.IterVar", "iter_type">(iter).cast<int>());
    if (!kind.has_value()) return Fail("tirx.IterVar of an unknown kind");
    uint32_t id = 0;
    if (!VariableId(Ref<"tirx.IterVar", "var">(iter), &id)) return false;
    BlockIter* result_iter = block->add_iters();
    result_iter->set_variable(id);
    result_iter->set_kind(*kind);
    if (!LiftRange(Ref<"tirx.IterVar", "dom">(iter), result_iter->mutable_domain()) ||
        !LiftExpr(ObjectOf(*binding++), result_iter->mutable_binding())) {
      return false;
    }
  }
  const Object* predicate = Ref<"s_tir.SBlockRealize", "predicate">(realize);
  if (!IsTrue(predicate) && !LiftExpr(predicate, block->mutable_predicate())) return false;

  for (const Any& buffer : Elements(Ref<"s_tir.SBlock", "alloc_buffers">(native))) {
    uint32_t id = 0;
    if (!BufferId(ObjectOf(buffer), &id)) return false;
    block->add_alloc_buffers(id);
  }
  for (const Any& region : Elements(Ref<"s_tir.SBlock", "reads">(native))) {
    if (!LiftRegion(ObjectOf(region), block->add_reads())) return false;
  }
  for (const Any& region : Elements(Ref<"s_tir.SBlock", "writes">(native))) {
    if (!LiftRegion(ObjectOf(region), block->add_writes())) return false;
  }
  for (const Any& entry : Elements(Ref<"s_tir.SBlock", "match_buffers">(native))) {
    const Object* match = ObjectOf(entry);
    uint32_t id = 0;
    if (!BufferId(Ref<"s_tir.MatchBufferRegion", "buffer">(match), &id)) return false;
    MatchBuffer* result_match = block->add_match_buffers();
    result_match->set_buffer(id);
    if (!LiftRegion(Ref<"s_tir.MatchBufferRegion", "source">(match),
                    result_match->mutable_source())) {
      return false;
    }
  }
  const Object* init = Ref<"s_tir.SBlock", "init">(native);
  return LiftAttributes(Ref<"s_tir.SBlock", "annotations">(native), block->mutable_annotations()) &&
         (init == nullptr || LiftBody(init, block->mutable_init())) &&
         LiftBody(Ref<"s_tir.SBlock", "body">(native), result->mutable_body());
}

bool FunctionLift::LiftRange(const Object* range, Range* result) {
  if (range == nullptr) return Fail("an iterator without a domain");
  return LiftExpr(Ref<"ir.Range", "min">(range), result->mutable_min()) &&
         LiftExpr(Ref<"ir.Range", "extent">(range), result->mutable_extent());
}

bool FunctionLift::LiftRegion(const Object* region, BufferRegion* result) {
  const Object* source = Ref<"ir.TensorRegion", "source">(region);
  if (!IsBuffer(source)) return Fail("ir.TensorRegion of " + TypeKey(source));
  uint32_t id = 0;
  if (!BufferId(source, &id)) return false;
  result->set_buffer(id);
  for (const Any& range : Elements(Ref<"ir.TensorRegion", "region">(region))) {
    if (!LiftRange(ObjectOf(range), result->add_ranges())) return false;
  }
  return true;
}

bool FunctionLift::IsImplicitRoot(const Object* stmt) {
  if (TypeOf(stmt).kind != NodeKind::kSBlockRealize ||
      !IsTrue(Ref<"s_tir.SBlockRealize", "predicate">(stmt))) {
    return false;
  }
  const Object* block = Ref<"s_tir.SBlockRealize", "block">(stmt);
  return ToString(Get<"s_tir.SBlock", "name_hint">(block)) == "root" &&
         Elements(Ref<"s_tir.SBlock", "iter_vars">(block)).size() == 0 &&
         Elements(Ref<"s_tir.SBlock", "reads">(block)).size() == 0 &&
         Elements(Ref<"s_tir.SBlock", "writes">(block)).size() == 0 &&
         Elements(Ref<"s_tir.SBlock", "alloc_buffers">(block)).size() == 0 &&
         Elements(Ref<"s_tir.SBlock", "match_buffers">(block)).size() == 0 &&
         Ref<"s_tir.SBlock", "init">(block) == nullptr &&
         static_cast<const ffi::MapObj*>(Ref<"s_tir.SBlock", "annotations">(block))->size() == 0;
}

}  // namespace irate::tvm_target
