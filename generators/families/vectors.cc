// Vectors written directly: ramps as indices of loads and stores, broadcasts, vector arithmetic,
// selections and conversions, shuffles, buffers whose elements are vectors.
#include <utility>

#include "generators/family.h"
#include "generators/loop_nest.h"
#include "generators/program.h"
#include "generators/value_expr.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using enum Feature;
using build::Binary;

// base .. base + lanes - 1, or with a stride, or backwards.
struct Access {
  Expr index;
  int64_t needed = 0;  // extent of the buffer, for positions below `count`
};

Access DrawAccess(Context& context, const Expr& position, int64_t count, uint32_t lanes) {
  const int64_t width = static_cast<int64_t>(lanes);
  Expr base = Binary(MUL, position, context.IndexConst(width));
  int64_t stride = 1;
  int64_t needed = count * width;
  if (context.Percent(25)) {
    stride = context.Int(2, 3);
    needed = (count - 1) * width + (width - 1) * stride + 1;
  } else if (context.Allows(kIndexNegative) && context.Percent(15)) {
    stride = -1;
    base = Binary(ADD, std::move(base), context.IndexConst(width - 1));
  }
  return {build::Ramp(std::move(base), context.IndexConst(stride), lanes), needed};
}

// A vector value, with what is known about its lanes.
Term VectorValue(Context& context, ScalarType type, uint32_t lanes, const Expr& position,
                 int64_t count, Limit limit, int depth);

Term VectorLeaf(Context& context, ScalarType type, uint32_t lanes, const Expr& position,
                int64_t count, Limit limit) {
  if (context.MayAddParam() && context.Percent(60)) {
    Access access = DrawAccess(context, position, count, lanes);
    Interval contents = context.DrawContents(type);
    if (!Fits(contents, type, limit)) {
      contents = Interval::Bounds(IsUnsigned(type) ? 0 : -1, 1);
    }
    if (Fits(contents, type, limit)) {
      const BufferInfo buffer =
          context.AddParam("A", type, {context.ConstantExtent(access.needed)}, contents);
      return {build::Load(context.function(), buffer.id, {std::move(access.index)}), contents};
    }
  }
  if (IsInteger(type) && type == context.index_type() && limit.magnitude >= 64 &&
      context.Percent(30)) {
    const int64_t stride = context.Int(-2, 3);
    const Interval lane = Interval::Bounds(0, static_cast<int64_t>(lanes) - 1);
    const Interval steps = TransferBinary(MUL, type, lane, Interval::Point(stride));
    const Interval base = context.ranges().Of(position);
    return {build::Ramp(position, context.IndexConst(stride), lanes),
            TransferBinary(ADD, type, base, steps)};
  }
  Term scalar = GenerateLeaf(context, type, limit);
  return {build::Broadcast(std::move(scalar.expr), lanes), scalar.range};
}

// TVM vectorizes a shuffle in a few forms only and says so of all others.
bool MayShuffle(const Context& context) {
  return context.Allows(kVectorShuffle) && !context.InLoop(VECTORIZED);
}

// Lanes of one or two vectors in another order.
Term Shuffled(Context& context, Term a, Term b, uint32_t lanes) {
  Term result;
  result.range = Join(a.range, b.range);
  result.expr.set_op(SHUFFLE);
  result.expr.set_type(a.expr.type());
  result.expr.set_lanes(lanes);
  const bool two = context.Percent(60);
  const int64_t last = static_cast<int64_t>(lanes) * (two ? 2 : 1) - 1;
  *result.expr.add_args() = std::move(a.expr);
  if (two) *result.expr.add_args() = std::move(b.expr);
  for (uint32_t i = 0; i < lanes; ++i) result.expr.add_int_list(context.Int(0, last));
  return result;
}

Term VectorValue(Context& context, ScalarType type, uint32_t lanes, const Expr& position,
                 int64_t count, Limit limit, int depth) {
  if (depth <= 0 || limit.magnitude < 4) {
    return VectorLeaf(context, type, lanes, position, count, limit);
  }
  const auto part = [&](int64_t magnitude) {
    return VectorValue(context, type, lanes, position, count, {magnitude}, depth - 1);
  };
  const bool compares = context.AllowsAll({kSelect, kLess});
  switch (context.Pick({20, 30, 15, context.Allows(kMinMax) ? 10 : 0, compares ? 15 : 0,
                        MayShuffle(context) ? context.Weight(kVectorShuffle) : 0})) {
    case 1:
    case 2: {
      Term a = part(limit.magnitude / 2);
      return Apply(context.Percent(65) ? ADD : SUB, std::move(a),
                   IsUnsigned(type)
                       ? Term{build::Broadcast(Constant(type, 0).expr, lanes), Interval::Point(0)}
                       : part(limit.magnitude / 2));
    }
    case 3: {
      Term a = part(limit.magnitude);
      return Apply(context.Percent(50) ? MIN : MAX, std::move(a), part(limit.magnitude));
    }
    case 4: {
      Term a = part(limit.magnitude);
      Term b = part(limit.magnitude);
      Expr condition = Binary(LT, part(limit.magnitude).expr, part(limit.magnitude).expr);
      return Choose(SELECT, std::move(condition), std::move(a), std::move(b));
    }
    case 5: {
      Term a = part(limit.magnitude);
      return Shuffled(context, std::move(a), part(limit.magnitude), lanes);
    }
    default:
      return VectorLeaf(context, type, lanes, position, count, limit);
  }
}

std::vector<Stmt> RampStores(Context& context, Program& program) {
  constexpr uint32_t kLaneCounts[] = {4, 2, 8, 16, 3, 5};
  const uint32_t lanes = kLaneCounts[context.Int(0, 5)];
  const Extent count = context.ConstantExtent(context.DrawSize(9));
  ScalarType type = context.DrawType();
  if (type == BOOL) type = I32;
  NestOptions options;
  options.may_vectorize = context.Draw(kVectorInVectorized);
  options.exact = true;
  LoopNest nest(context, SpatialAxes({count}), options);
  const Expr& position = nest.Index(0);
  Term value = VectorValue(context, type, lanes, position, count.size, TypeLimit(type), 3);
  // A store with a stride above 1 would meet other iterations' elements.
  Expr base = Binary(MUL, position, context.IndexConst(static_cast<int64_t>(lanes)));
  BufferInfo output =
      program.AddOutput(type, {context.ConstantExtent(count.size * static_cast<int64_t>(lanes))});
  std::vector<Stmt> body;
  body.push_back(build::Store(output.id, std::move(value.expr),
                              {build::Ramp(std::move(base), context.IndexConst(1), lanes)}));
  context.WidenContents(&output, value.range);
  return nest.Close(std::move(body));
}

// Buffers with vector elements: one element a store.
std::vector<Stmt> VectorElements(Context& context, Program& program) {
  constexpr uint32_t kLaneCounts[] = {4, 2, 8};
  const uint32_t lanes = kLaneCounts[context.Int(0, 2)];
  const Extent count = context.ConstantExtent(context.DrawSize(9));
  ScalarType type = context.DrawType();
  if (type == BOOL) type = I32;
  const auto vectors = [&](BufferInfo info) {
    context.function().mutable_buffers(static_cast<int>(info.id))->set_lanes(lanes);
    return info;
  };
  const Interval contents = Interval::Bounds(IsUnsigned(type) ? 0 : -3, 3);
  const BufferInfo a = vectors(context.AddParam("A", type, {count}, contents));
  const BufferInfo output = vectors(program.AddOutput(type, {count}));
  NestOptions options;
  options.may_vectorize = context.Draw(kVectorInVectorized);
  LoopNest nest(context, SpatialAxes({count}), options);
  Term value = {build::Load(context.function(), a.id, nest.indices()), contents};
  Term scalar = GenerateLeaf(context, type, {8});
  value =
      Apply(ADD, std::move(value), {build::Broadcast(std::move(scalar.expr), lanes), scalar.range});
  if (MayShuffle(context) && context.Percent(40)) {
    Term copy = value;
    value = Shuffled(context, std::move(value), std::move(copy), lanes);
  }
  std::vector<Stmt> body;
  body.push_back(build::Store(output.id, std::move(value.expr), nest.indices()));
  return nest.Close(std::move(body));
}

}  // namespace

Case GenerateVectorsCase(Context& context) {
  Program program(context);
  const int64_t nests = context.Int(1, 2);
  for (int64_t i = 0; i < nests; ++i) {
    program.Append(context.Draw(kVectorBuffer) ? VectorElements(context, program)
                                               : RampStores(context, program));
  }
  return program.Finish();
}

}  // namespace irate
