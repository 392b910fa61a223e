// Data movement that keeps every element: permuted axes, tiled and untiled layouts, written from
// the source's or from the destination's point of view.
#include <algorithm>
#include <utility>

#include "generators/family.h"
#include "generators/loop_nest.h"
#include "generators/program.h"
#include "generators/value_expr.h"
#include "ir/builder.h"

namespace irate {
namespace {

using enum Feature;
using build::Binary;

std::vector<size_t> DrawPermutation(Context& context, size_t rank) {
  std::vector<size_t> permutation(rank);
  for (size_t i = 0; i < rank; ++i) permutation[i] = i;
  for (size_t i = rank; i-- > 1;) {
    std::swap(permutation[i],
              permutation[static_cast<size_t>(context.Int(0, static_cast<int64_t>(i)))]);
  }
  return permutation;
}

bool MayTile(const Context& context) {
  return context.AllowsAll({kIndexDiv, kIndexMod, kFloorDiv, kFloorMod});
}

// One logical axis in memory: as it is, or as a tile index and a place in the tile.
struct Layout {
  std::vector<Extent> shape;
  std::vector<Expr> indices;
};

void AddAxis(Context& context, const Extent& extent, const Expr& index, int64_t tile,
             Layout* layout) {
  if (tile == 0) {
    layout->shape.push_back(extent);
    layout->indices.push_back(index);
    return;
  }
  layout->shape.push_back(context.ConstantExtent((extent.size + tile - 1) / tile));
  layout->shape.push_back(context.ConstantExtent(tile));
  layout->indices.push_back(Binary(FLOOR_DIV, index, context.IndexConst(tile)));
  layout->indices.push_back(Binary(FLOOR_MOD, index, context.IndexConst(tile)));
}

}  // namespace

Case GenerateTransposeCase(Context& context) {
  Program program(context);
  const std::vector<Extent> logical = DrawShape(context, context.Int(1, 3), context.TripBudget());
  const size_t rank = logical.size();
  const ScalarType type = context.DrawType();
  const std::vector<size_t> permutation = DrawPermutation(context, rank);
  std::vector<int64_t> in_tiles(rank, 0);
  std::vector<int64_t> out_tiles(rank, 0);
  for (size_t d = 0; d < rank; ++d) {
    if (MayTile(context) && context.Percent(30)) in_tiles[d] = context.Int(2, 5);
    if (MayTile(context) && context.Percent(30)) out_tiles[d] = context.Int(2, 5);
  }

  // Shapes do not depend on the loops; indices do. Both come from the same walk.
  const auto layouts = [&](const std::vector<Expr>& indices) {
    std::pair<Layout, Layout> result;
    for (size_t d = 0; d < rank; ++d) {
      AddAxis(context, logical[d], indices[d], in_tiles[d], &result.first);
      const size_t from = permutation[d];
      AddAxis(context, logical[from], indices[from], out_tiles[from], &result.second);
    }
    return result;
  };
  const std::vector<Expr> nothing(rank, context.IndexConst(0));
  const auto [in_shape, out_shape] = layouts(nothing);
  const BufferInfo input = context.AddParam("A", type, in_shape.shape, context.DrawContents(type));
  BufferInfo output = program.AddOutput(type, out_shape.shape);

  LoopNest nest(context, SpatialAxes(logical), {});
  auto [in, out] = layouts(nest.indices());
  Term value = {build::Load(context.function(), input.id, std::move(in.indices)), input.contents};
  Element element;
  element.buffer = &output;
  element.indices = std::move(out.indices);
  element.initialised = true;
  std::vector<Stmt> body;
  if (context.Percent(60)) {
    body.push_back(StoreElement(context, element, std::move(value)));
  } else {
    context.values.push_back(std::move(value));
    body = GenerateElement(context, element, 2);
    context.values.pop_back();
  }
  program.Append(nest.Close(std::move(body)));
  if (context.Percent(30)) {
    program.Publish(output);
    BufferInfo last = program.AddOutput(context.DrawType(), logical);
    program.Append(GenerateElementwise(context, &last, true, 2));
  }
  return program.Finish();
}

}  // namespace irate
