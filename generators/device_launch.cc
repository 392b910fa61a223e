#include "generators/device_launch.h"

#include <algorithm>
#include <utility>

#include "ir/builder.h"

namespace irate {
namespace {

using enum Feature;

// Threads of a block: enough for several warps of a small machine, few enough to interpret.
constexpr int64_t kMaxThreads = 32;
constexpr const char* kLetters[] = {"x", "y", "z"};

int64_t DivideUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

}  // namespace

std::vector<Extent> DrawDeviceShape(Context& context) {
  const bool two = context.Allows(kDeviceThreads2d) || context.Allows(kDeviceBlocks2d);
  const bool three = context.Allows(kDeviceThreads3d) && two;
  const size_t rank = 1 + context.Pick({50, two ? 35 : 0, three ? 15 : 0});
  std::vector<Extent> shape;
  int64_t budget = 64;
  for (size_t i = 0; i < rank; ++i) {
    Extent extent = context.DrawExtent(std::clamp<int64_t>(budget, 1, rank == 1 ? 40 : 12));
    const bool one = context.AllowsAll({kDeviceOneExtent, kLoopOneExtent});
    if (extent.size < 2 && !one) extent = context.ConstantExtent(2);
    budget /= std::max<int64_t>(extent.size, 1);
    shape.push_back(std::move(extent));
  }
  return shape;
}

DeviceLaunch::DeviceLaunch(Context& context, const std::vector<Extent>& shape,
                           const LaunchOptions& options)
    : context_(context),
      axis_mark_(context.axis_variables.size()),
      enclosing_mark_(context.enclosing.size()) {
  for (size_t i = 0; i < shape.size(); ++i) {
    // The last axis is x.
    const size_t place = shape.size() - 1 - i;
    const bool bound = std::ranges::any_of(loops_, [](const Loop& l) { return !l.tag.empty(); });
    const bool last = i + 1 == shape.size();
    PlanAxis(shape[i], place, options,
             last && (threads_.empty() && (options.needs_threads || !bound)));
  }
  // Blocks outside, then virtual threads, threads and plain loops: as TVM's schedules have them.
  std::vector<Loop> ordered;
  for (const char* kind : {"blockIdx", "vthread", "threadIdx", ""}) {
    for (const Loop& loop : loops_) {
      if (loop.tag.substr(0, loop.tag.find('.')) == kind) ordered.push_back(loop);
    }
  }
  loops_ = std::move(ordered);
  for (const Loop& loop : loops_) {
    context_.enclosing.push_back({loop.tag.empty() ? SERIAL : THREAD_BINDING, loop.extent.size});
  }
}

bool DeviceLaunch::OneAllowed() const {
  return context_.AllowsAll({kDeviceOneExtent, kLoopOneExtent});
}

uint32_t DeviceLaunch::AddLoop(const char* prefix, const Extent& extent, std::string tag) {
  const uint32_t variable = context_.NewVariable(prefix, context_.index_type());
  context_.ranges().DefineLoop(variable, context_.IndexConst(0), context_.IndexConst(extent.size));
  context_.axis_variables.push_back(variable);
  loops_.push_back({variable, extent, std::move(tag)});
  return variable;
}

void DeviceLaunch::PlanAxis(const Extent& extent, size_t place, const LaunchOptions& options,
                            bool must) {
  const int64_t size = extent.size;
  const std::string letter = kLetters[place];
  // Threads.
  const bool may_thread =
      threads_.empty() || (threads_.size() == 1 ? context_.Allows(kDeviceThreads2d)
                                                : context_.Allows(kDeviceThreads3d));
  int64_t threads = 0;
  if (must || (may_thread && context_.Percent(65))) {
    constexpr int64_t kSizes[] = {2, 3, 4, 5, 7, 8, 16, 1};
    const int64_t most = std::max<int64_t>(kMaxThreads / thread_count_, 2);
    std::vector<int64_t> sizes;
    for (const int64_t candidate : kSizes) {
      if (candidate > most || (candidate == 1 && !OneAllowed())) continue;
      if (size % candidate != 0 && !context_.Allows(kDeviceEdge)) continue;
      sizes.push_back(candidate);
    }
    if (!sizes.empty()) {
      threads = sizes[static_cast<size_t>(context_.Int(0, static_cast<int64_t>(sizes.size()) - 1))];
    } else if (must) {
      threads = std::max<int64_t>(size, 1);
    }
    if (threads == 1 && !OneAllowed()) threads = must ? 2 : 0;
  }
  Expr index;
  bool has_index = false;
  int64_t rest = threads > 0 ? DivideUp(size, threads) : size;
  // Virtual threads take some of the rest.
  int64_t parts = 0;
  if (options.may_be_virtual && rest % 2 == 0 && rest > 1 && context_.Draw(kDeviceVirtualThread)) {
    parts = 2;
    rest /= parts;
  }
  const bool may_block = block_dims_ == 0 || (block_dims_ < 3 && context_.Allows(kDeviceBlocks2d));
  const bool one_ok = rest > 1 || OneAllowed();
  const bool as_block = may_block && one_ok && (block_dims_ == 0 || context_.Percent(60));
  const auto add = [&](const char* prefix, const Extent& count, const std::string& tag,
                       int64_t scale) {
    const uint32_t variable = AddLoop(prefix, count, tag);
    Expr part = context_.VariableExpr(variable);
    if (scale > 1) part = build::Binary(MUL, std::move(part), context_.IndexConst(scale));
    index = has_index ? build::Binary(ADD, std::move(index), std::move(part)) : std::move(part);
    has_index = true;
    return variable;
  };
  const int64_t inner = std::max<int64_t>(threads, 1);
  if (as_block || rest > 1) {
    Extent count = context_.ConstantExtent(rest);
    const bool dynamic = as_block && extent.expr.op() != CONST && parts == 0 &&
                         context_.AllowsAll({kFloorDiv, kDeviceDynamicExtent, kLoopSymbolic});
    if (dynamic) {
      count.expr = extent.expr;
      if (inner > 1) {
        count.expr =
            build::Binary(FLOOR_DIV, build::Binary(ADD, count.expr, context_.IndexConst(inner - 1)),
                          context_.IndexConst(inner));
      }
    }
    if (as_block) ++block_dims_;
    add(as_block ? "b" : "i", count, as_block ? "blockIdx." + letter : "",
        inner * std::max<int64_t>(parts, 1));
  }
  if (parts > 0) add("v", context_.ConstantExtent(parts), "vthread." + letter, inner);
  if (threads > 0) {
    const uint32_t variable = add("t", context_.ConstantExtent(threads), "threadIdx." + letter, 1);
    threads_.push_back({variable, threads});
    thread_count_ *= threads;
  }
  if (!has_index) index = context_.IndexConst(0);
  if (rest * inner * std::max<int64_t>(parts, 1) > size) {
    guards_.push_back(build::Binary(LT, index, extent.expr));
  }
  indices_.push_back(std::move(index));
}

Expr DeviceLaunch::InsideCondition() const {
  Expr condition = guards_.front();
  for (size_t i = 1; i < guards_.size(); ++i) {
    condition = build::Binary(AND, std::move(condition), guards_[i]);
  }
  return condition;
}

void DeviceLaunch::AssumeInside() {
  for (const Expr& guard : guards_) context_.ranges().Assume(guard);
}

Stmt DeviceLaunch::Guard(Stmt stmt) const {
  return is_partial() ? build::If(InsideCondition(), {std::move(stmt)}) : std::move(stmt);
}

std::vector<Stmt> DeviceLaunch::Close(std::vector<Stmt> body) {
  context_.axis_variables.resize(axis_mark_);
  context_.enclosing.resize(enclosing_mark_);
  for (size_t i = loops_.size(); i-- > 0;) {
    const Loop& loop = loops_[i];
    Stmt stmt = build::For(loop.variable, context_.IndexConst(0), loop.extent.expr,
                           loop.tag.empty() ? SERIAL : THREAD_BINDING, std::move(body));
    if (!loop.tag.empty()) stmt.set_thread_tag(loop.tag);
    body.clear();
    body.push_back(std::move(stmt));
  }
  return body;
}

}  // namespace irate
