#include "case_maker.h"
#include "statement_cases.h"

namespace irate::c_target_test {
namespace {

using namespace build;

Stmt MakeBlock(const std::string& name, std::vector<Stmt> body) {
  Stmt stmt = Plain(BLOCK);
  stmt.mutable_block()->set_name(name);
  for (Stmt& nested : body) *stmt.add_body() = std::move(nested);
  return stmt;
}

void AddIter(Stmt* block, uint32_t variable, IterKind kind, int64_t min, int64_t extent,
             Expr binding) {
  BlockIter* iter = block->mutable_block()->add_iters();
  iter->set_variable(variable);
  iter->set_kind(kind);
  *iter->mutable_domain()->mutable_min() = I32Const(min);
  *iter->mutable_domain()->mutable_extent() = I32Const(extent);
  *iter->mutable_binding() = std::move(binding);
}

BufferRegion Region(uint32_t buffer, std::vector<std::pair<Expr, Expr>> ranges) {
  BufferRegion region;
  region.set_buffer(buffer);
  for (auto& [min, extent] : ranges) {
    Range* range = region.add_ranges();
    *range->mutable_min() = std::move(min);
    *range->mutable_extent() = std::move(extent);
  }
  return region;
}

Case Reduction() {
  CaseMaker make("a reduction block with init and a predicate");
  const uint32_t a = make.Param("a", F32, {I32Const(5), I32Const(6)});
  const uint32_t c = make.Param("c", F32, 5);
  const uint32_t i = make.Variable("i", I32);
  const uint32_t k = make.Variable("k", I32);
  const uint32_t vi = make.Variable("vi", I32);
  const uint32_t vk = make.Variable("vk", I32);
  Stmt block = MakeBlock(
      "sum", {Store(c,
                    Binary(ADD, make.Load(c, {make.Var(vi)}),
                           make.Load(a, {make.Var(vi), Binary(SUB, make.Var(vk), I32Const(1))})),
                    {make.Var(vi)})});
  AddIter(&block, vi, SPATIAL, 0, 5, make.Var(i));
  AddIter(&block, vk, REDUCTION, 1, 6, Binary(ADD, make.Var(k), I32Const(1)));
  *block.mutable_block()->mutable_predicate() = Binary(LT, make.Var(i), I32Const(4));
  *block.mutable_block()->add_init() = Store(c, Float(F32, 0.5), {make.Var(vi)});
  make.Add(make.Loop(i, 5, {make.Loop(k, 6, {block})}));
  return make.Done();
}

Case NestedBlocksWithLocals() {
  CaseMaker make("a root block that allocates for its nested blocks");
  const uint32_t a = make.Param("a", I32, 6);
  const uint32_t b = make.Param("b", I32, 6);
  const uint32_t t = make.Local("t", I32, {I32Const(6)});
  const uint32_t i = make.Variable("i", I32);
  const uint32_t j = make.Variable("j", I32);
  const uint32_t vi = make.Variable("vi", I32);
  const uint32_t vj = make.Variable("vj", I32);
  Stmt first = MakeBlock(
      "first", {Store(t, Binary(MUL, make.Load(a, {make.Var(vi)}), I32Const(2)), {make.Var(vi)})});
  AddIter(&first, vi, SPATIAL, 0, 6, make.Var(i));
  Stmt second = MakeBlock(
      "second", {Store(b, Binary(SUB, make.Load(t, {make.Var(vj)}), I32Const(3)), {make.Var(vj)})});
  AddIter(&second, vj, SPATIAL, 0, 6, Binary(SUB, I32Const(5), make.Var(j)));
  Stmt root = MakeBlock("root", {make.Loop(i, 6, {first}), make.Loop(j, 6, {second})});
  root.mutable_block()->add_alloc_buffers(t);
  make.Add(root);
  return make.Done();
}

Case InitWithoutReduction() {
  CaseMaker make("init of a block without reduction iterators");
  const uint32_t a = make.Param("a", I32, 4);
  const uint32_t i = make.Variable("i", I32);
  const uint32_t vi = make.Variable("vi", I32);
  Stmt block = MakeBlock(
      "each", {Store(a, Binary(ADD, make.Load(a, {make.Var(vi)}), I32Const(1)), {make.Var(vi)})});
  AddIter(&block, vi, SPATIAL, 0, 4, make.Var(i));
  *block.mutable_block()->add_init() = Store(a, I32Const(10), {make.Var(vi)});
  make.Add(make.Loop(i, 4, {block}));
  return make.Done();
}

// A matched buffer whose strides and offset come from the region.
Case MatchWithVariables() {
  CaseMaker make("a match-buffer that defines strides and offset");
  const uint32_t a = make.Param("a", I32, {I32Const(6), I32Const(8)});
  const uint32_t view = make.Local("view", I32, {I32Const(2), I32Const(3)});
  const uint32_t s0 = make.Variable("s0", I32);
  const uint32_t s1 = make.Variable("s1", I32);
  const uint32_t offset = make.Variable("offset", I32);
  Buffer* declared = make.function()->mutable_buffers(static_cast<int>(view));
  *declared->add_strides() = make.Var(s0);
  *declared->add_strides() = make.Var(s1);
  *declared->mutable_elem_offset() = make.Var(offset);
  const uint32_t i = make.Variable("i", I32);
  const uint32_t vi = make.Variable("vi", I32);
  Stmt block = MakeBlock(
      "tile", {Store(view, make.Var(s0), {I32Const(1), I32Const(2)}),
               Store(view, Binary(ADD, make.Load(view, {I32Const(0), I32Const(0)}), make.Var(vi)),
                     {I32Const(0), I32Const(0)})});
  AddIter(&block, vi, SPATIAL, 0, 3, make.Var(i));
  MatchBuffer* match = block.mutable_block()->add_match_buffers();
  match->set_buffer(view);
  *match->mutable_source() = Region(
      a, {{Binary(MUL, make.Var(vi), I32Const(2)), I32Const(2)}, {I32Const(4), I32Const(3)}});
  make.Add(make.Loop(i, 3, {block}));
  return make.Done();
}

// One row, compact, without an offset of its own.
Case MatchOfARow() {
  CaseMaker make("a match-buffer of a whole row");
  const uint32_t a = make.Param("a", I32, {I32Const(4), I32Const(8)});
  const uint32_t view = make.Local("view", I32, {I32Const(8)});
  const uint32_t offset = make.Variable("offset", I32);
  *make.function()->mutable_buffers(static_cast<int>(view))->mutable_elem_offset() =
      make.Var(offset);
  const uint32_t i = make.Variable("i", I32);
  const uint32_t vi = make.Variable("vi", I32);
  Stmt block = MakeBlock("row", {Store(view, make.Load(view, {I32Const(7)}), {I32Const(0)})});
  AddIter(&block, vi, SPATIAL, 0, 4, make.Var(i));
  MatchBuffer* match = block.mutable_block()->add_match_buffers();
  match->set_buffer(view);
  *match->mutable_source() = Region(a, {{make.Var(vi), I32Const(1)}, {I32Const(0), I32Const(8)}});
  make.Add(make.Loop(i, 4, {block}));
  return make.Done();
}

}  // namespace

std::vector<Case> BlockCases() {
  return {Reduction(), NestedBlocksWithLocals(), InitWithoutReduction(), MatchWithVariables(),
          MatchOfARow()};
}

}  // namespace irate::c_target_test
