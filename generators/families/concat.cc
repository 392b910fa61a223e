// Parts of arrays put together and taken apart: concatenation, slices with a stride, flips, rolls,
// repetition and padding, chosen by a condition on the index or by one nest for each part.
#include <utility>

#include "generators/condition.h"
#include "generators/family.h"
#include "generators/index_expr.h"
#include "generators/loop_nest.h"
#include "generators/program.h"
#include "generators/value_expr.h"
#include "ir/builder.h"

namespace irate {
namespace {

using enum Feature;
using build::Binary;

Expr Plus(Context& context, const Expr& index, int64_t value) {
  if (value == 0) return index;
  return value < 0 ? Binary(SUB, index, context.IndexConst(-value))
                   : Binary(ADD, index, context.IndexConst(value));
}

// out[i] = i < n ? A[i] : B[i - n]
std::vector<Stmt> ConcatByChoice(Context& context, Program& program) {
  const ScalarType type = context.DrawType();
  const Extent first = context.ConstantExtent(context.DrawSize(16));
  const Extent second = context.ConstantExtent(context.DrawSize(16));
  const Extent total = context.ConstantExtent(first.size + second.size);
  const BufferInfo a = context.AddParam("A", type, {first}, context.DrawContents(type));
  const BufferInfo b = context.AddParam("B", type, {second}, context.DrawContents(type));
  BufferInfo output = program.AddOutput(type, {total});
  LoopNest nest(context, SpatialAxes({total}), {});
  const Expr& i = nest.Index(0);
  Term left = {build::Load(context.function(), a.id, {i}), a.contents};
  Term right = {build::Load(context.function(), b.id, {Plus(context, i, -first.size)}), b.contents};
  Expr condition = MaybeLikely(context, CompareLess(context, i, first.expr));
  Term value = Choose(IF_THEN_ELSE, std::move(condition), std::move(left), std::move(right));
  Element element;
  element.buffer = &output;
  element.indices = nest.indices();
  std::vector<Stmt> body;
  body.push_back(StoreElement(context, element, std::move(value)));
  return nest.Close(std::move(body));
}

// One nest a part, each storing with an offset.
std::vector<Stmt> ConcatByParts(Context& context, Program& program) {
  const ScalarType type = context.DrawType();
  const int64_t parts = context.Int(2, 3);
  std::vector<Extent> extents;
  int64_t total = 0;
  for (int64_t p = 0; p < parts; ++p) {
    extents.push_back(context.ConstantExtent(context.DrawSize(9)));
    total += extents.back().size;
  }
  BufferInfo output = program.AddOutput(type, {context.ConstantExtent(total)});
  std::vector<Stmt> stmts;
  int64_t offset = 0;
  for (const Extent& extent : extents) {
    const BufferInfo part = context.AddParam("A", type, {extent}, context.DrawContents(type));
    LoopNest nest(context, SpatialAxes({extent}), {});
    Element element;
    element.buffer = &output;
    element.indices = {Plus(context, nest.Index(0), offset)};
    element.initialised = true;
    context.values.push_back(
        {build::Load(context.function(), part.id, nest.indices()), part.contents});
    std::vector<Stmt> body = GenerateElement(context, element, 1);
    context.values.pop_back();
    AppendTo(&stmts, nest.Close(std::move(body)));
    offset += extent.size;
  }
  return stmts;
}

// out[i] = A[begin + i * stride], or from the end, or around the end, or again and again.
std::vector<Stmt> Slice(Context& context, Program& program) {
  const ScalarType type = context.DrawType();
  const Extent extent = context.DrawExtent(17);
  const int64_t begin = context.Int(0, 3);
  const bool wraps = context.AllowsAll({kIndexMod, kFloorMod});
  const size_t kind =
      context.Pick({30, context.Weight(kIndexScaled), context.Weight(kIndexNegative),
                    wraps ? 25 : 0, wraps ? 15 : 0});
  const int64_t stride = kind == 1 ? context.Int(2, 3) : 1;
  const int64_t length = kind >= 3 ? context.Int(2, 9) : begin + (extent.size - 1) * stride + 1;
  const BufferInfo input =
      context.AddParam("A", type, {context.ConstantExtent(length)}, context.DrawContents(type));
  BufferInfo output = program.AddOutput(type, {extent});
  LoopNest nest(context, SpatialAxes({extent}), {});
  Expr index = nest.Index(0);
  switch (kind) {
    case 1:
      index = Plus(context, Binary(MUL, std::move(index), context.IndexConst(stride)), begin);
      break;
    case 2:
      index = Binary(SUB, context.IndexConst(length - 1), std::move(index));
      break;
    case 3:
      index = Binary(FLOOR_MOD, Plus(context, index, begin - context.Int(0, 6)),
                     context.IndexConst(length));
      break;
    case 4:
      index = Binary(FLOOR_MOD, std::move(index), context.IndexConst(length));
      break;
    default:
      index = Plus(context, index, begin);
      break;
  }
  Element element;
  element.buffer = &output;
  element.indices = nest.indices();
  element.initialised = true;
  context.values.push_back(
      {build::Load(context.function(), input.id, {std::move(index)}), input.contents});
  std::vector<Stmt> body = GenerateElement(context, element, 2);
  context.values.pop_back();
  return nest.Close(std::move(body));
}

}  // namespace

Case GenerateConcatCase(Context& context) {
  Program program(context);
  const bool chooses =
      CanOrder(context) && context.AllowsAll({kIfThenElse, kGuardedLoad, kIfThenElseInVectorized});
  switch (context.Pick({chooses ? 40 : 0, 30, 40})) {
    case 1:
      program.Append(ConcatByParts(context, program));
      break;
    case 2:
      program.Append(Slice(context, program));
      break;
    default:
      program.Append(chooses ? ConcatByChoice(context, program) : Slice(context, program));
      break;
  }
  return program.Finish();
}

}  // namespace irate
