// Several names for one memory: flat, reshaped and shifted views of parameters and locals, and
// blocks that match a region of a buffer.
#include <utility>

#include "generators/family.h"
#include "generators/loop_nest.h"
#include "generators/program.h"
#include "generators/value_expr.h"
#include "ir/builder.h"

namespace irate {
namespace {

using enum Feature;

Stmt Declare(const BufferInfo& view, const BufferInfo& of) {
  Expr data;
  data.set_op(BUFFER_DATA);
  data.set_type(HANDLE);
  data.set_id(of.id);
  Stmt stmt;
  stmt.set_kind(DECL_BUFFER);
  stmt.set_id(view.id);
  *stmt.add_args() = std::move(data);
  return stmt;
}

// Another shape for the same elements: flat, or two of its axes as one, or a tail of it.
BufferInfo MakeView(Context& context, const BufferInfo& of) {
  int64_t size = 1;
  for (const Extent& extent : of.shape) size *= extent.size;
  std::vector<Extent> shape;
  int64_t offset = 0;
  switch (context.Pick({40, of.shape.size() > 1 ? 25 : 0, 20, 20})) {
    case 1:
      shape.push_back(context.ConstantExtent(of.shape[0].size));
      shape.push_back(context.ConstantExtent(size / of.shape[0].size));
      break;
    case 2:
      for (int64_t factor : {2, 3, 4}) {
        if (size % factor == 0 && shape.empty() && size > factor) {
          shape = {context.ConstantExtent(size / factor), context.ConstantExtent(factor)};
        }
      }
      break;
    case 3:
      if (size > (context.Allows(kLoopOneExtent) ? 2 : 3)) offset = context.Int(1, 2);
      break;
    default:
      break;
  }
  if (shape.empty()) shape.push_back(context.ConstantExtent(size - offset));
  BufferInfo view = context.AddLocal("V", of.type, std::move(shape));
  if (offset != 0) {
    *context.function().mutable_buffers(static_cast<int>(view.id))->mutable_elem_offset() =
        context.IndexConst(offset);
  }
  view.contents = of.contents;
  context.ranges().SetContents(view.id, view.contents);
  return view;
}

// Every use before the store is of one name and every use after it may be of the other.
std::vector<Stmt> StoreThroughView(Context& context, Program& program) {
  const std::vector<Extent> drawn = DrawShape(context, context.Int(1, 2), context.TripBudget());
  std::vector<Extent> shape;
  shape.reserve(drawn.size());
  for (const Extent& extent : drawn) shape.push_back(context.ConstantExtent(extent.size));
  const ScalarType type = context.DrawType();
  const bool staged = context.Allows(kLocalStage) && context.Allows(kLocalScalar);
  BufferInfo base = staged && context.Percent(50) ? program.AddStage(type, shape, false)
                                                  : program.AddOutput(type, shape, false);
  std::vector<Stmt> stmts;
  if (!program.IsInitialised(base)) {
    AppendTo(&stmts, GenerateElementwise(context, &base, false, 1));
  }
  BufferInfo view = MakeView(context, base);
  stmts.push_back(Declare(view, base));
  const bool write_view = context.Percent(60);
  BufferInfo& written = write_view ? view : base;
  AppendTo(&stmts, GenerateElementwise(context, &written, true, 2));
  BufferInfo& other = write_view ? base : view;
  context.WidenContents(&other, written.contents);
  program.Publish(base);
  context.readable.push_back(view);
  BufferInfo output = program.AddOutput(context.DrawType(), other.shape);
  {
    LoopNest nest(context, SpatialAxes(output.shape), {});
    Element element;
    element.buffer = &other;
    element.indices = nest.indices();
    context.values.push_back(LoadElement(context, element));
    element.buffer = &output;
    element.initialised = true;
    std::vector<Stmt> body = GenerateElement(context, element, 2);
    context.values.pop_back();
    AppendTo(&stmts, nest.Close(std::move(body)));
  }
  return stmts;
}

// A block whose body sees one element, or one row, of a buffer as a buffer of its own.
std::vector<Stmt> MatchedRegion(Context& context, Program& program) {
  const std::vector<Extent> shape = DrawShape(context, 2, context.TripBudget());
  BufferInfo output = program.AddOutput(context.DrawType(), shape);
  NestOptions options;
  options.force_block = true;
  LoopNest nest(context, SpatialAxes(shape), options);
  const Extent one = context.ConstantExtent(1);
  BufferInfo matched = context.AddLocal("M", output.type, {one, one});
  matched.contents = output.contents;
  context.ranges().SetContents(matched.id, matched.contents);
  Buffer* declared = context.function().mutable_buffers(static_cast<int>(matched.id));
  for (int d = 0; d < 2; ++d) {
    const uint32_t stride = context.NewVariable("st", context.index_type());
    *declared->add_strides() = context.VariableExpr(stride);
  }
  const uint32_t offset = context.NewVariable("off", context.index_type());
  *declared->mutable_elem_offset() = context.VariableExpr(offset);
  declared->set_offset_factor(1);

  MatchBuffer match;
  match.set_buffer(matched.id);
  match.mutable_source()->set_buffer(output.id);
  for (size_t d = 0; d < 2; ++d) {
    Range* range = match.mutable_source()->add_ranges();
    *range->mutable_min() = nest.Index(d);
    *range->mutable_extent() = context.IndexConst(1);
  }
  nest.Match(std::move(match));
  Element element;
  element.buffer = &matched;
  element.indices = {context.IndexConst(0), context.IndexConst(0)};
  element.initialised = true;
  std::vector<Stmt> body = GenerateElement(context, element, 2);
  context.WidenContents(&output, matched.contents);
  return nest.Close(std::move(body));
}

}  // namespace

Case GenerateViewsCase(Context& context) {
  Program program(context);
  const bool matches = context.AllowsAll({kBlock, kBlockMatchBuffer});
  if (matches && context.Percent(35)) {
    program.Append(MatchedRegion(context, program));
  } else {
    program.Append(StoreThroughView(context, program));
  }
  return program.Finish();
}

}  // namespace irate
