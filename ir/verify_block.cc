// Blocks: the iterators' bindings and the predicate belong to the scope around the block,
// everything else sees the iterators.
#include "fmt/format.h"
#include "ir/status_macros.h"
#include "ir/verify_internal.h"

namespace irate::verify {

absl::Status FunctionVerifier::CheckBlock(const Stmt& stmt) {
  if (!stmt.has_block()) return Fail("a BLOCK statement without a block");
  const Block& block = stmt.block();
  IRATE_RETURN_IF_ERROR(CheckUnknownFields(block));
  IRATE_RETURN_IF_ERROR(CheckText("the name", block.name(), options_.lifted));
  for (int i = 0; i < block.iters_size(); ++i) {
    Scope scope(this, {.label = "iters", .index = i});
    IRATE_RETURN_IF_ERROR(CheckIter(block.iters(i)));
  }
  if (block.has_predicate()) {
    IRATE_RETURN_IF_ERROR(CheckScalarBool("predicate", block.predicate()));
  }
  Region region(this);
  for (int i = 0; i < block.iters_size(); ++i) {
    Scope scope(this, {.label = "iters", .index = i});
    IRATE_RETURN_IF_ERROR(Define(block.iters(i).variable()));
  }
  for (int i = 0; i < block.alloc_buffers_size(); ++i) {
    Scope scope(this, {.label = "alloc_buffers", .index = i});
    IRATE_RETURN_IF_ERROR(DefineBuffer(block.alloc_buffers(i)));
  }
  for (int i = 0; i < block.reads_size(); ++i) {
    Scope scope(this, {.label = "reads", .index = i});
    IRATE_RETURN_IF_ERROR(CheckBufferRegion(block.reads(i)));
  }
  for (int i = 0; i < block.writes_size(); ++i) {
    Scope scope(this, {.label = "writes", .index = i});
    IRATE_RETURN_IF_ERROR(CheckBufferRegion(block.writes(i)));
  }
  for (int i = 0; i < block.match_buffers_size(); ++i) {
    Scope scope(this, {.label = "match_buffers", .index = i});
    IRATE_RETURN_IF_ERROR(CheckMatch(block.match_buffers(i)));
  }
  IRATE_RETURN_IF_ERROR(CheckAttributes(block.annotations()));
  IRATE_RETURN_IF_ERROR(CheckList("init", block.init()));
  return CheckList("body", stmt.body());
}

absl::Status FunctionVerifier::CheckIter(const BlockIter& iter) {
  IRATE_RETURN_IF_ERROR(CheckUnknownFields(iter));
  if (!IterKind_IsValid(iter.kind())) return Fail("unknown kind of iterator");
  if (iter.variable() >= variables_.size()) {
    return Fail(fmt::format("there is no variable {}; the table has {}", iter.variable(),
                            variables_.size()));
  }
  if (!iter.has_domain()) return Fail("an iterator without a domain");
  if (!iter.has_binding()) return Fail("an iterator without a binding");
  {
    Scope scope(this, {.label = "domain"});
    IRATE_RETURN_IF_ERROR(CheckRange(iter.domain(), true));
  }
  IRATE_RETURN_IF_ERROR(CheckScalarInt("binding", iter.binding()));
  const Type variable = TypeOf(function_.variables(static_cast<int>(iter.variable())));
  const Type domain = TypeOf(iter.domain().min());
  const Type binding = TypeOf(iter.binding());
  if (variable == domain && variable == binding) return absl::OkStatus();
  return Fail(fmt::format("the iterator {} is {}, its domain {} and its binding {}",
                          VariableName(iter.variable()), ToString(variable), ToString(domain),
                          ToString(binding)));
}

absl::Status FunctionVerifier::CheckRange(const Range& range, bool one_type) {
  IRATE_RETURN_IF_ERROR(CheckUnknownFields(range));
  if (!range.has_min() || !range.has_extent()) return Fail("a range without a minimum or extent");
  IRATE_RETURN_IF_ERROR(CheckScalarInt("min", range.min()));
  IRATE_RETURN_IF_ERROR(CheckScalarInt("extent", range.extent()));
  if (one_type && range.min().type() != range.extent().type()) {
    return Fail(fmt::format("a range from {} by {}", TypeName(range.min().type()),
                            TypeName(range.extent().type())));
  }
  return absl::OkStatus();
}

absl::Status FunctionVerifier::CheckBufferRegion(const BufferRegion& region) {
  IRATE_RETURN_IF_ERROR(CheckUnknownFields(region));
  IRATE_RETURN_IF_ERROR(UseBuffer(region.buffer()));
  const Buffer& buffer = function_.buffers(static_cast<int>(region.buffer()));
  if (region.ranges_size() != buffer.shape_size()) {
    return Fail(fmt::format("a region of {} with {} ranges for {} dimensions", buffer.name(),
                            region.ranges_size(), buffer.shape_size()));
  }
  for (int i = 0; i < region.ranges_size(); ++i) {
    Scope scope(this, {.label = "ranges", .index = i});
    IRATE_RETURN_IF_ERROR(CheckRange(region.ranges(i), !options_.lifted));
  }
  return absl::OkStatus();
}

// The region is what the buffer is: of its shape, behind dimensions of a single element.
absl::Status FunctionVerifier::CheckMatchedShape(const BufferRegion& source, const Buffer& buffer) {
  const int behind = source.ranges_size() - buffer.shape_size();
  if (behind < 0) return Fail("the matched region has fewer dimensions than the buffer");
  for (int i = 0; i < source.ranges_size(); ++i) {
    const Expr& extent = source.ranges(i).extent();
    const bool fits =
        i < behind ? extent.op() == CONST && extent.int_value() == 1
                   : buffer.shape(i - behind).op() == VAR ||
                         extent.SerializeAsString() == buffer.shape(i - behind).SerializeAsString();
    if (!fits) {
      return Fail(fmt::format("extent {} of the matched region is not that of the buffer", i));
    }
  }
  return absl::OkStatus();
}

absl::Status FunctionVerifier::CheckMatch(const MatchBuffer& match) {
  IRATE_RETURN_IF_ERROR(CheckUnknownFields(match));
  if (!match.has_source()) return Fail("a match without a source");
  {
    Scope scope(this, {.label = "source"});
    IRATE_RETURN_IF_ERROR(CheckBufferRegion(match.source()));
  }
  if (match.buffer() >= buffers_.size()) {
    return Fail(
        fmt::format("there is no buffer {}; the table has {}", match.buffer(), buffers_.size()));
  }
  const Buffer& buffer = function_.buffers(static_cast<int>(match.buffer()));
  if (!options_.lifted) IRATE_RETURN_IF_ERROR(CheckMatchedShape(match.source(), buffer));
  // The match itself defines variables that stand alone as an extent, a stride or the offset.
  const auto define_alone = [&](const Expr& expr) {
    if (expr.op() != VAR || IsLive(expr.id())) return absl::OkStatus();
    return Define(expr.id());
  };
  for (const Expr& extent : buffer.shape()) IRATE_RETURN_IF_ERROR(define_alone(extent));
  for (const Expr& stride : buffer.strides()) IRATE_RETURN_IF_ERROR(define_alone(stride));
  if (buffer.has_elem_offset()) IRATE_RETURN_IF_ERROR(define_alone(buffer.elem_offset()));
  return DefineBuffer(match.buffer());
}

}  // namespace irate::verify
