#include "generators/program.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "generators/loop_nest.h"
#include "ir/builder.h"

namespace irate {

using enum Feature;

BufferInfo Program::AddStage(ScalarType type, const std::vector<Extent>& shape, bool may_spread) {
  int64_t elements = 1;
  for (const Extent& extent : shape) elements *= extent.expr.op() == CONST ? extent.size : 2;
  const Feature feature = elements == 1 ? kLocalScalar : kLocalStage;
  // What lies between blocks is what most primitives are about.
  const bool local = context_.Draw(feature) ||
                     (context_.structured() && context_.Allows(feature) && context_.Percent(75));
  if (!local) return AddOutput(type, shape, may_spread);
  BufferInfo buffer = context_.AddLocal("T", type, shape);
  context_.ranges().SetContents(buffer.id, buffer.contents);
  stages_.push_back(buffer.id);
  return buffer;
}

BufferInfo Program::AddOutput(ScalarType type, const std::vector<Extent>& shape, bool may_spread) {
  return context_.AddParam("C", type, shape, context_.DrawContents(type), may_spread);
}

bool Program::IsInitialised(const BufferInfo& buffer) const {
  return std::find(stages_.begin(), stages_.end(), buffer.id) == stages_.end();
}

void Program::Append(std::vector<Stmt> stmts) { AppendTo(&body_, std::move(stmts)); }

Case Program::Finish(bool may_wrap) {
  const bool rooted = stages_.empty() ? context_.Allows(kBlock) && context_.Percent(10)
                                      : context_.AllowsAll({kBlock, kBlockAlloc}) &&
                                            (context_.structured() || context_.Percent(50));
  if (rooted && may_wrap) {
    Stmt root;
    root.set_kind(BLOCK);
    root.mutable_block()->set_name("root");
    for (uint32_t id : stages_) root.mutable_block()->add_alloc_buffers(id);
    for (Stmt& stmt : body_) *root.add_body() = std::move(stmt);
    *context_.function().add_body() = std::move(root);
    return context_.Finish();
  }
  for (uint32_t id : stages_) *context_.function().add_body() = build::Alloc(id);
  for (Stmt& stmt : body_) *context_.function().add_body() = std::move(stmt);
  return context_.Finish();
}

std::vector<Extent> DrawShape(Context& context, int64_t rank, int64_t budget) {
  std::vector<Extent> shape;
  for (int64_t d = 0; d < rank; ++d) {
    Extent extent = context.DrawExtent(std::max<int64_t>(budget, 1));
    // DrawSize gives at least 2 where single iterations are off.
    budget /= std::max<int64_t>(extent.size, 1);
    shape.push_back(std::move(extent));
  }
  return shape;
}

std::vector<Axis> SpatialAxes(const std::vector<Extent>& shape) {
  std::vector<Axis> axes;
  axes.reserve(shape.size());
  for (const Extent& extent : shape) axes.push_back({extent, false});
  return axes;
}

void AppendTo(std::vector<Stmt>* body, std::vector<Stmt> more) {
  body->insert(body->end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
}

std::vector<Stmt> GenerateElementwise(Context& context, BufferInfo* buffer, bool initialised,
                                      int depth) {
  NestOptions options;
  options.body_has_loops = context.Percent(15);
  LoopNest nest(context, SpatialAxes(buffer->shape), options);
  Element element;
  element.buffer = buffer;
  element.indices = nest.indices();
  element.initialised = initialised;
  std::vector<Stmt> body = GenerateElement(context, element, depth);
  if (initialised) AppendIdle(context, element, &body);
  return nest.Close(std::move(body));
}

}  // namespace irate
