#include <utility>

#include "fmt/format.h"
#include "ir/text_printer.h"
#include "ir/types.h"

namespace irate::text {
namespace {

std::string_view IterKindWord(IterKind kind) {
  switch (kind) {
    case SPATIAL:
      return "spatial";
    case REDUCTION:
      return "reduction";
    default:
      return "opaque";
  }
}

}  // namespace

void Printer::PrintRegion(const BufferRegion& region) {
  out_ += names_.Buffer(region.buffer()) + "[";
  bool first = true;
  for (const Range& range : region.ranges()) {
    if (!std::exchange(first, false)) out_ += ", ";
    const Expr& extent = range.extent();
    const bool is_point = extent.op() == CONST && extent.int_value() == 1 &&
                          extent.type() == range.min().type() && IsInteger(extent.type());
    if (is_point) {
      PrintExpr(range.min(), kOr);
    } else {
      PrintRange(range.min(), extent);
    }
  }
  out_ += "]";
}

void Printer::PrintRegions(std::string_view word,
                           const google::protobuf::RepeatedPtrField<BufferRegion>& regions,
                           int indent) {
  if (regions.empty()) return;
  Indent(indent);
  out_ += word;
  bool first = true;
  for (const BufferRegion& region : regions) {
    out_ += std::exchange(first, false) ? " " : ", ";
    PrintRegion(region);
  }
  out_ += '\n';
}

void Printer::PrintBlock(const Stmt& stmt, int indent) {
  const Block& block = stmt.block();
  out_ += fmt::format("block {} {{\n", Quote(block.name()));
  for (const BlockIter& iter : block.iters()) {
    Indent(indent + 1);
    out_ +=
        fmt::format("iter {}: {} ", names_.Variable(iter.variable()), IterKindWord(iter.kind()));
    PrintRange(iter.domain().min(), iter.domain().extent());
    out_ += " = ";
    PrintExpr(iter.binding());
    out_ += '\n';
  }
  if (block.has_predicate()) {
    Indent(indent + 1);
    out_ += "where ";
    PrintExpr(block.predicate());
    out_ += '\n';
  }
  PrintRegions("reads", block.reads(), indent + 1);
  PrintRegions("writes", block.writes(), indent + 1);
  if (block.alloc_buffers_size() != 0) {
    Indent(indent + 1);
    out_ += "allocates ";
    bool first = true;
    for (uint32_t id : block.alloc_buffers()) {
      if (!std::exchange(first, false)) out_ += ", ";
      out_ += names_.Buffer(id);
    }
    out_ += '\n';
  }
  for (const MatchBuffer& match : block.match_buffers()) {
    Indent(indent + 1);
    out_ += fmt::format("matches {} = ", names_.Buffer(match.buffer()));
    PrintRegion(match.source());
    out_ += '\n';
  }
  if (block.annotations_size() != 0) {
    Indent(indent + 1);
    PrintAttributes(block.annotations());
    out_ += '\n';
  }
  if (block.init_size() != 0) {
    Indent(indent + 1);
    out_ += "init";
    PrintBody(block.init(), indent + 1);
    out_ += '\n';
  }
  for (const Stmt& nested : stmt.body()) PrintStmt(nested, indent + 1);
  Indent(indent);
  out_ += '}';
}

}  // namespace irate::text
