// The part of StmtPrinter for blocks.
#include "absl/strings/str_join.h"
#include "fmt/format.h"
#include "ir/types.h"
#include "targets/c/c_types.h"
#include "targets/c/stmt_printer.h"

namespace irate::c_target {

void StmtPrinter::PrintBlock(const Stmt& stmt) {
  const Block& block = stmt.block();
  Open("");
  std::vector<std::string> first;  // of a reduction
  for (const BlockIter& iter : block.iters()) {
    Define(iter.variable(), exprs_.Print(iter.binding()));
    if (iter.kind() == REDUCTION) {
      first.push_back(fmt::format("{} == {}", exprs_.VariableName(iter.variable()),
                                  exprs_.Print(iter.domain().min())));
    }
  }
  Open(block.has_predicate() ? fmt::format("if ({})", exprs_.Print(block.predicate())) : "");
  for (const uint32_t buffer : block.alloc_buffers()) PrintAlloc(buffer);
  for (const MatchBuffer& match : block.match_buffers()) PrintMatchBuffer(match);
  if (!block.init().empty()) {
    Open(first.empty() ? "" : fmt::format("if ({})", absl::StrJoin(first, " && ")));
    PrintList(block.init());
    Close();
  }
  PrintList(stmt.body());
  Close();
  Close();
}

void StmtPrinter::DefineFrom(const Expr& field, const std::string& value) {
  if (field.op() == VAR && !defined_[field.id()]) Define(field.id(), value);
}

void StmtPrinter::PrintMatchBuffer(const MatchBuffer& match) {
  const BufferRegion& region = match.source();
  const Buffer& source = function_.buffers(static_cast<int>(region.buffer()));
  const Buffer& target = function_.buffers(static_cast<int>(match.buffer()));
  std::vector<std::string> corner;
  for (const Range& range : region.ranges()) corner.push_back(exprs_.Print(range.min()));
  const std::string offset = exprs_.Offset(region.buffer(), corner);

  // The target's dimensions are the source's last ones.
  const int skipped = region.ranges_size() - target.shape_size();
  for (int i = 0; i < target.shape_size(); ++i) {
    DefineFrom(target.shape(i), exprs_.Print(region.ranges(i + skipped).extent()));
  }
  for (int i = 0; i < target.strides_size(); ++i) {
    std::string stride = "1";
    if (source.strides_size() > 0) {
      stride = exprs_.Print(source.strides(i + skipped));
    } else {
      for (int j = i + skipped + 1; j < source.shape_size(); ++j) {
        stride += " * " + exprs_.Print(source.shape(j));
      }
    }
    DefineFrom(target.strides(i), stride);
  }
  // A target with an offset shares the source's data pointer; one without starts at the region.
  std::string data = exprs_.BufferName(region.buffer());
  if (target.has_elem_offset()) {
    DefineFrom(target.elem_offset(), offset);
  } else {
    data = fmt::format("({} + ({}))", data, offset);
  }
  Line(fmt::format("{0}* {1} = ({0}*){2};", exprs_.ElementType(match.buffer()),
                   exprs_.BufferName(match.buffer()), data));
}

}  // namespace irate::c_target
