#include <string>

#include "targets/tvm/function_lowering.h"
#include "targets/tvm/iter_types.h"
#include "targets/tvm/literals.h"

namespace irate::tvm_target {
namespace {

// Asks TVM's access analysis for the regions that a block does not state: 1 for reads, 2 for
// writes.
constexpr char kDetectAccess[] = "tirx.script_parsing_detect_access";

}  // namespace

Any FunctionLowering::LowerBlock(const Stmt& stmt) {
  has_blocks_ = true;
  const Block& block = stmt.block();
  AnyArray iters;
  AnyArray bindings;
  for (const BlockIter& iter : block.iters()) {
    iters.push_back(Native<"tirx.IterVar">(LowerRange(iter.domain()), Variable(iter.variable()),
                                           IterTypeToNative(iter.kind()), ffi::String(""),
                                           nullptr));
    bindings.push_back(LowerExpr(iter.binding()));
  }
  AnyArray allocated;
  for (uint32_t buffer : block.alloc_buffers()) allocated.push_back(Buffer(buffer));
  AnyArray matched;
  for (const MatchBuffer& match : block.match_buffers()) {
    matched.push_back(
        Native<"s_tir.MatchBufferRegion">(Buffer(match.buffer()), LowerRegion(match.source())));
  }
  AnyMap annotations = LowerAttributes(block.annotations());
  const int detect = (block.reads().empty() ? 1 : 0) | (block.writes().empty() ? 2 : 0);
  if (detect != 0) {
    annotations.Set(kDetectAccess, IntImm(I64, detect));
  }
  const Any init = block.init().empty() ? Any() : LowerBody(block.init());
  const Any native = Native<"s_tir.SBlock">(
      iters, LowerRegions(block.reads()), LowerRegions(block.writes()), ffi::String(block.name()),
      LowerBody(stmt.body()), init, allocated, matched, annotations, nullptr);
  const Any predicate = block.has_predicate() ? LowerExpr(block.predicate()) : IntImm(BOOL, 1);
  return Native<"s_tir.SBlockRealize">(bindings, predicate, native, nullptr);
}

Any FunctionLowering::LowerRange(const Range& range) {
  return Native<"ir.Range_from_min_extent">(LowerExpr(range.min()), LowerExpr(range.extent()),
                                            nullptr);
}

Any FunctionLowering::LowerRegion(const BufferRegion& region) {
  AnyArray ranges;
  for (const Range& range : region.ranges()) ranges.push_back(LowerRange(range));
  return Native<"tirx.BufferRegion">(Buffer(region.buffer()), ranges);
}

AnyArray FunctionLowering::LowerRegions(
    const google::protobuf::RepeatedPtrField<BufferRegion>& regions) {
  AnyArray result;
  for (const BufferRegion& region : regions) result.push_back(LowerRegion(region));
  return result;
}

}  // namespace irate::tvm_target
