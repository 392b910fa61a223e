// Blocks: iterators, predicate, allocations, matches, initialisation.
#include <utility>

#include "fmt/format.h"
#include "ir/interpreter/compiler.h"

namespace irate::interp {

void FunctionCompiler::CompileBlock(const Stmt& stmt) {
  const Block& block = stmt.block();
  for (const BlockIter& iter : block.iters()) {
    if (!iter.has_binding() || !iter.has_domain()) {
      return Fail(fmt::format("block {} has an iterator without a binding", block.name()));
    }
    const Reg value = CompileScalarInt(iter.binding());
    const Reg variable = Variable(iter.variable());
    if (variable.type != value.type || variable.lanes != 1) {
      return Fail(
          fmt::format("block {} has an iterator of another type than its binding", block.name()));
    }
    Move(value, variable.index);
    if (IsVarying(iter.binding())) varying_.insert(iter.variable());
    out_.places[place_].registers.push_back(variable.index);
  }
  out_.places[place_].known_from = Here();
  const std::unordered_set<uint32_t> outer_reduced = reduced_;
  MarkReduction(stmt);
  CompilePredicated(stmt);
  reduced_ = outer_reduced;
}

// A reduction whose iterations are spread over the threads of a block is one to the compiler: its
// updates do not conflict.
void FunctionCompiler::MarkReduction(const Stmt& stmt) {
  if (!in_launch_) return;
  bool over_threads = false;
  for (const BlockIter& iter : stmt.block().iters()) {
    if (iter.kind() != REDUCTION) continue;
    VisitExpr(iter.binding(), [&](const Expr& part) {
      over_threads |= part.op() == VAR && varying_.contains(part.id());
    });
  }
  if (!over_threads) return;
  VisitStmts(stmt.body(), [this](const Stmt& part) {
    if (part.kind() == STORE) reduced_.insert(part.id());
  });
}

void FunctionCompiler::CompilePredicated(const Stmt& stmt) {
  const Block& block = stmt.block();
  if (!block.has_predicate()) return CompileInstance(stmt);
  const Reg predicate = CompileCondition(block.predicate());
  const bool escapes = Escapes(block.init(), false) || Escapes(stmt.body(), false);
  EmitConverge();
  const bool was_diverged = std::exchange(diverged_, true);
  EmitBranch(predicate, escapes, [&] { CompileInstance(stmt); }, [] {});
  diverged_ = was_diverged;
}

void FunctionCompiler::CompileInstance(const Stmt& stmt) {
  const Block& block = stmt.block();
  for (int i = 0; i < block.iters_size(); ++i) {
    const BlockIter& iter = block.iters(i);
    const Reg variable = Variable(iter.variable());
    const Reg min = CompileScalarInt(iter.domain().min());
    const Reg extent = CompileScalarInt(iter.domain().extent());
    Emit({.code = Code::kCheckDomain,
          .type = variable.type,
          .aux = static_cast<uint16_t>(i),
          .a = variable.index,
          .b = min.index,
          .c = extent.index});
  }
  for (uint32_t buffer : block.alloc_buffers()) {
    if (!KnowsBuffer(buffer)) return;
    const uint32_t info = DeclareBuffer(buffer);
    Emit({.code = Code::kAlloc, .b = buffer, .c = info});
  }
  for (const MatchBuffer& match : block.match_buffers()) CompileMatch(match);
  if (block.init_size() != 0) CompileInit(stmt);
  CompileList(stmt.body());
}

// The initialisation runs where all reduction iterators are at the minimum of their domain.
void FunctionCompiler::CompileInit(const Stmt& stmt) {
  const Block& block = stmt.block();
  Reg condition = IntConst(BOOL, 1);
  for (const BlockIter& iter : block.iters()) {
    if (iter.kind() != REDUCTION) continue;
    const Reg variable = Variable(iter.variable());
    const Reg min = CompileScalarInt(iter.domain().min());
    const Reg at_min = Binary(Code::kCompareInt, EQ, BOOL, variable, min);
    condition = Binary(Code::kAnd, AND, BOOL, condition, at_min);
  }
  EmitConverge();
  const bool was_diverged = std::exchange(diverged_, true);
  EmitBranch(condition, Escapes(block.init(), false), [&] { CompileList(block.init()); }, [] {});
  diverged_ = was_diverged;
}

void FunctionCompiler::CompileMatch(const MatchBuffer& match) {
  const BufferRegion& source = match.source();
  if (!KnowsBuffer(match.buffer()) || !KnowsBuffer(source.buffer())) return;
  const Buffer& view = function_.buffers(static_cast<int>(match.buffer()));
  const Buffer& whole = function_.buffers(static_cast<int>(source.buffer()));
  if (source.ranges_size() != whole.shape_size() || view.shape_size() > whole.shape_size()) {
    return Fail(
        fmt::format("{} matches a region of {} of other dimensions", view.name(), whole.name()));
  }
  Match compiled;
  for (const Range& range : source.ranges()) {
    compiled.mins.push_back(CompileScalarInt(range.min()).index);
    compiled.extents.push_back(CompileScalarInt(range.extent()).index);
  }
  // A variable as an extent, a stride or the offset takes its value from the region.
  const auto defined = [this](const Expr& expr) {
    return expr.op() == VAR ? Variable(expr.id()).index : kNoRegister;
  };
  for (const Expr& extent : view.shape()) compiled.shape.push_back(defined(extent));
  for (const Expr& stride : view.strides()) compiled.strides.push_back(defined(stride));
  if (view.has_elem_offset()) compiled.elem_offset = defined(view.elem_offset());
  if (compiled.strides.size() > compiled.shape.size()) return Fail("more strides than extents");
  out_.matches.push_back(std::move(compiled));
  Emit({.code = Code::kMatch,
        .a = source.buffer(),
        .b = match.buffer(),
        .c = static_cast<uint32_t>(out_.matches.size() - 1)});
}

}  // namespace irate::interp
