// Device programs, built directly: loops bound to blocks and threads over the elements of an
// output, with memory of the block and of the thread, barriers and reductions over threads.
//
// Threads meet in memory of the block only, at other places than their own only behind a barrier
// (or where the compiler has to put one), and every output element belongs to one thread; so no
// program races.
#include <algorithm>
#include <utility>

#include "generators/device_launch.h"
#include "generators/element.h"
#include "generators/family.h"
#include "generators/program.h"
#include "generators/value_expr.h"
#include "ir/builder.h"
#include "ir/types.h"

namespace irate {
namespace {

using enum Feature;

constexpr char kTarget[] = R"({"kind":"opencl"})";

Stmt Barrier() {
  Stmt stmt;
  stmt.set_kind(BARRIER);
  stmt.set_name("shared");
  return stmt;
}

// The part of a kernel that all kinds share.
class Kernel {
 public:
  explicit Kernel(Context& context) : context_(context) {}

  std::vector<Stmt> Elementwise();
  std::vector<Stmt> Exchange();
  std::vector<Stmt> Accumulate();
  std::vector<Stmt> AllReduce();
  std::vector<Stmt> BlockReduction();

 private:
  Element Own(const DeviceLaunch& launch, BufferInfo* buffer) {
    Element element;
    element.buffer = buffer;
    element.indices = launch.indices();
    return element;
  }
  // The store of one output element, at the edge only where it is inside.
  Stmt StoreOutput(DeviceLaunch& launch, BufferInfo* output, const std::vector<Term>& values);
  BufferInfo AddShared(const DeviceLaunch& launch, ScalarType type, int64_t copies);
  // Indices into a shared buffer: the thread's own element, and another thread's.
  std::vector<Expr> OwnPlace(const DeviceLaunch& launch, const Expr* copy);
  std::vector<Expr> OtherPlace(const DeviceLaunch& launch, const Expr* copy);
  void Synchronise(std::vector<Stmt>* body);

  Context& context_;
  bool explicit_ = false;  // the program has the barriers that it needs
};

Stmt Kernel::StoreOutput(DeviceLaunch& launch, BufferInfo* output,
                         const std::vector<Term>& values) {
  const size_t mark = context_.values.size();
  const size_t facts = context_.ranges().Mark();
  launch.AssumeInside();
  for (const Term& value : values) context_.values.push_back(value);
  const Element element = Own(launch, output);
  const Limit limit = TypeLimit(output->type);
  Stmt store = StoreElement(context_, element, GenerateValue(context_, output->type, limit, 3));
  context_.values.resize(mark);
  context_.ranges().Restore(facts);
  return launch.Guard(std::move(store));
}

std::vector<Stmt> Kernel::Elementwise() {
  const std::vector<Extent> shape = DrawDeviceShape(context_);
  const ScalarType type = context_.DrawType();
  BufferInfo output = context_.AddParam("C", type, shape, context_.DrawContents(type));
  LaunchOptions options;
  options.may_be_virtual = true;
  DeviceLaunch launch(context_, shape, options);
  std::vector<Term> values;
  if (context_.MayAddParam()) {
    const ScalarType in = context_.DrawType();
    BufferInfo input = context_.AddParam("A", in, shape, context_.DrawContents(in));
    values.push_back(LoadElement(context_, Own(launch, &input)));
  }
  std::vector<Stmt> body;
  if (context_.Draw(kDeviceLocal)) {
    // An array of the thread's own.
    const ScalarType own = context_.DrawType();
    const int64_t size = context_.DrawSize(4);
    BufferInfo local = context_.AddLocal("L", own, {context_.ConstantExtent(size)});
    context_.function().mutable_buffers(static_cast<int>(local.id))->set_scope("local");
    body.push_back(build::Alloc(local.id));
    for (int64_t i = 0; i < size; ++i) {
      Element element;
      element.buffer = &local;
      element.indices = {context_.IndexConst(i)};
      body.push_back(
          StoreElement(context_, element, GenerateValue(context_, own, TypeLimit(own), 1)));
    }
    Element element;
    element.buffer = &local;
    element.indices = {context_.IndexConst(context_.Int(0, size - 1))};
    values.push_back(LoadElement(context_, element));
  }
  body.push_back(StoreOutput(launch, &output, values));
  return launch.Close(std::move(body));
}

BufferInfo Kernel::AddShared(const DeviceLaunch& launch, ScalarType type, int64_t copies) {
  std::vector<Extent> shape;
  if (copies > 1) shape.push_back(context_.ConstantExtent(copies));
  for (const ThreadIndex& thread : launch.threads()) {
    shape.push_back(context_.ConstantExtent(thread.extent));
  }
  // Padding between rows, as against conflicts of banks.
  if (context_.Percent(20)) shape.back() = context_.ConstantExtent(shape.back().size + 1);
  BufferInfo shared = context_.AddLocal("S", type, std::move(shape));
  const bool dynamic = context_.Draw(kDeviceSharedDynamic);
  context_.function()
      .mutable_buffers(static_cast<int>(shared.id))
      ->set_scope(dynamic ? "shared.dyn" : "shared");
  return shared;
}

std::vector<Expr> Kernel::OwnPlace(const DeviceLaunch& launch, const Expr* copy) {
  std::vector<Expr> indices;
  if (copy != nullptr) indices.push_back(*copy);
  for (const ThreadIndex& thread : launch.threads()) {
    indices.push_back(context_.VariableExpr(thread.variable));
  }
  return indices;
}

// Another thread's element: mirrored or turned in some dimensions.
std::vector<Expr> Kernel::OtherPlace(const DeviceLaunch& launch, const Expr* copy) {
  std::vector<Expr> indices = OwnPlace(launch, copy);
  const size_t first = copy == nullptr ? 0 : 1;
  for (size_t i = 0; i < launch.threads().size(); ++i) {
    const int64_t extent = launch.threads()[i].extent;
    Expr& index = indices[first + i];
    if (extent < 2) continue;
    const bool may_turn = context_.Allows(kFloorMod) && context_.Allows(kIndexMod);
    switch (context_.Pick({context_.Allows(kIndexNegative) ? 5 : 0, may_turn ? 4 : 0, 2})) {
      case 0:
        if (!context_.Allows(kIndexNegative)) break;
        index = build::Binary(SUB, context_.IndexConst(extent - 1), std::move(index));
        break;
      case 1:
        index = build::Binary(
            FLOOR_MOD,
            build::Binary(ADD, std::move(index), context_.IndexConst(context_.Int(1, extent - 1))),
            context_.IndexConst(extent));
        break;
      default:
        break;
    }
  }
  return indices;
}

void Kernel::Synchronise(std::vector<Stmt>* body) {
  if (explicit_) body->push_back(Barrier());
}

// S[thread] = value; barrier; C[index] = f(S[another thread]).
std::vector<Stmt> Kernel::Exchange() {
  const std::vector<Extent> shape = DrawDeviceShape(context_);
  const ScalarType type = context_.DrawType();
  BufferInfo output = context_.AddParam("C", type, shape, context_.DrawContents(type));
  explicit_ = context_.Draw(kDeviceBarrier);
  LaunchOptions options;
  options.needs_threads = true;
  DeviceLaunch launch(context_, shape, options);
  const int64_t rounds = context_.Int(1, 2);
  std::vector<Stmt> body;
  std::vector<Term> values;
  for (int64_t round = 0; round < rounds; ++round) {
    const ScalarType staged = context_.DrawType();
    BufferInfo shared = AddShared(launch, staged, 1);
    body.push_back(build::Alloc(shared.id));
    const size_t mark = context_.values.size();
    for (const Term& value : values) context_.values.push_back(value);
    Element element;
    element.buffer = &shared;
    element.indices = OwnPlace(launch, nullptr);
    body.push_back(
        StoreElement(context_, element, GenerateValue(context_, staged, TypeLimit(staged), 2)));
    context_.values.resize(mark);
    Synchronise(&body);
    element.indices = OtherPlace(launch, nullptr);
    values = {LoadElement(context_, element)};
  }
  body.push_back(StoreOutput(launch, &output, values));
  return launch.Close(std::move(body));
}

// acc = 0; for k: S[k mod 2, thread] = value; barrier; acc += S[k mod 2, another thread]; barrier.
std::vector<Stmt> Kernel::Accumulate() {
  const std::vector<Extent> shape = DrawDeviceShape(context_);
  const ScalarType type = context_.DrawType();
  BufferInfo output = context_.AddParam("C", type, shape, context_.DrawContents(type));
  const bool may_double = context_.Allows(kFloorMod) && context_.Allows(kIndexMod);
  const int64_t copies = may_double && context_.Draw(kDeviceDoubleBuffer) ? 2 : 1;
  explicit_ = context_.Draw(kDeviceBarrier);
  LaunchOptions options;
  options.needs_threads = true;
  DeviceLaunch launch(context_, shape, options);

  ScalarType summed = context_.DrawType();
  if (summed == BOOL) summed = I32;
  const int64_t trips = std::max<int64_t>(2, context_.DrawSize(5));
  const Limit each{TypeLimit(summed).magnitude / (trips + 1)};
  if (each.magnitude < 1) summed = I32;
  const Limit limit{TypeLimit(summed).magnitude / (trips + 1)};
  BufferInfo sum = context_.AddLocal("L", summed, {context_.ConstantExtent(1)});
  context_.function().mutable_buffers(static_cast<int>(sum.id))->set_scope("local");
  BufferInfo shared = AddShared(launch, summed, copies);

  Element total;
  total.buffer = &sum;
  total.indices = {context_.IndexConst(0)};
  std::vector<Stmt> body;
  body.push_back(build::Alloc(sum.id));
  const bool inside = context_.Percent(30);
  if (!inside) body.push_back(build::Alloc(shared.id));
  body.push_back(StoreElement(context_, total, Constant(summed, 0)));

  const uint32_t k = context_.NewVariable("k", context_.index_type());
  context_.ranges().DefineLoop(k, context_.IndexConst(0), context_.IndexConst(trips));
  context_.axis_variables.push_back(k);
  context_.enclosing.push_back({SERIAL, trips});
  const Expr copy = build::Binary(FLOOR_MOD, context_.VariableExpr(k), context_.IndexConst(2));
  const Expr* which = copies > 1 ? &copy : nullptr;
  std::vector<Stmt> loop;
  if (inside) loop.push_back(build::Alloc(shared.id));
  Element element;
  element.buffer = &shared;
  element.limit = limit;
  element.indices = OwnPlace(launch, which);
  loop.push_back(StoreElement(context_, element, GenerateValue(context_, summed, limit, 2)));
  Synchronise(&loop);
  element.indices = OtherPlace(launch, which);
  const Expr read = LoadElement(context_, element).expr;
  loop.push_back(build::Store(sum.id, build::Binary(ADD, LoadElement(context_, total).expr, read),
                              total.indices));
  // The next iteration overwrites what this one reads, or has a buffer of its own.
  if (copies == 1) Synchronise(&loop);
  context_.enclosing.pop_back();
  context_.axis_variables.pop_back();
  const int64_t most = limit.magnitude * trips;
  context_.WidenContents(&sum, Interval::Bounds(IsUnsigned(summed) ? 0 : -most, most));
  body.push_back(
      build::For(k, context_.IndexConst(0), context_.IndexConst(trips), SERIAL, std::move(loop)));
  body.push_back(StoreOutput(launch, &output, {LoadElement(context_, total)}));
  return launch.Close(std::move(body));
}

// R = sum of a value over the threads of a block in some dimensions; C[index] = f(R).
std::vector<Stmt> Kernel::AllReduce() {
  const std::vector<Extent> shape = DrawDeviceShape(context_);
  const ScalarType type = context_.DrawType();
  BufferInfo output = context_.AddParam("C", type, shape, context_.DrawContents(type));
  LaunchOptions options;
  options.needs_threads = true;
  DeviceLaunch launch(context_, shape, options);
  const ScalarType reduced = context_.Percent(50) ? I32 : context_.AllowsType(F32) ? F32 : I32;
  const bool largest = context_.Allows(kMinMax) && context_.Percent(30);
  int64_t threads = 1;
  for (const ThreadIndex& thread : launch.threads()) threads *= thread.extent;
  const Limit limit{std::min<int64_t>(TypeLimit(reduced).magnitude / (threads + 1), 100'000)};

  BufferInfo result = context_.AddLocal("R", reduced, {context_.ConstantExtent(1)});
  context_.function().mutable_buffers(static_cast<int>(result.id))->set_scope("local");
  const uint32_t x = context_.NewVariable("x", reduced);
  const uint32_t y = context_.NewVariable("y", reduced);
  const Expr identity = Constant(reduced, largest ? -limit.magnitude : 0).expr;
  Expr combined =
      build::Binary(largest ? MAX : ADD, context_.VariableExpr(x), context_.VariableExpr(y));
  Expr combiner = build::Let(
      x, identity, build::Let(y, identity, build::Call("array", HANDLE, {std::move(combined)})));
  Stmt scope;
  scope.set_kind(ATTR);
  scope.set_name("reduce_scope");
  *scope.add_args() = build::Call("comm_reducer", I32, {build::I32Const(0), std::move(combiner)});

  Element element;
  element.buffer = &result;
  element.indices = {context_.IndexConst(0)};
  std::vector<Expr> args = {build::Int(U32, 1)};
  Term value = Shrink(context_, GenerateValue(context_, reduced, limit, 2), limit);
  args.push_back(std::move(value.expr));
  args.push_back(launch.is_partial() && context_.Percent(40) ? launch.InsideCondition()
                                                             : build::BoolConst(true));
  if (args.back().op() == CONST && !context_.Allows(kBoolConstant)) {
    args.back() = build::Binary(LT, context_.VariableExpr(launch.threads()[0].variable),
                                context_.IndexConst(launch.threads()[0].extent));
  }
  args.push_back(LoadElement(context_, element).expr);
  // The innermost dimensions, or all of them.
  const auto last = static_cast<int64_t>(launch.threads().size()) - 1;
  for (int64_t i = context_.Int(0, last); i <= last; ++i) {
    args.push_back(context_.VariableExpr(launch.threads()[static_cast<size_t>(i)].variable));
  }
  *scope.add_body() = build::Evaluate(build::Call("tvm_thread_allreduce", VOID, std::move(args)));
  const int64_t most = limit.magnitude * threads;
  context_.WidenContents(&result, Interval::Bounds(-most, most));
  std::vector<Stmt> body;
  body.push_back(build::Alloc(result.id));
  body.push_back(std::move(scope));
  body.push_back(StoreOutput(launch, &output, {LoadElement(context_, element)}));
  return launch.Close(std::move(body));
}

// A block whose reduction iterator runs over threads, and over a loop where they are too few.
std::vector<Stmt> Kernel::BlockReduction() {
  const bool may_be_one = context_.AllowsAll({kDeviceOneExtent, kLoopOneExtent});
  const int64_t rows = std::max<int64_t>(context_.DrawSize(6), may_be_one ? 1 : 2);
  const int64_t width = std::max<int64_t>(2, context_.DrawSize(8));
  const bool partial = context_.AllowsAll({kBlockPredicate, kDeviceEdge}) && context_.Percent(50);
  const int64_t steps = context_.Percent(60) ? 1 : 2;
  const int64_t length =
      partial ? std::max<int64_t>(width * steps - context_.Int(1, width - 1), 1) : width * steps;
  const ScalarType type = context_.Percent(50) ? I32 : context_.AllowsType(F32) ? F32 : I32;
  const Limit limit{std::min<int64_t>(TypeLimit(type).magnitude / (length + 1), 100'000)};
  const Interval contents = Interval::Bounds(-8, 8);
  BufferInfo output = context_.AddParam("C", type, {context_.ConstantExtent(rows)}, contents);
  BufferInfo input = context_.AddParam(
      "A", type, {context_.ConstantExtent(rows), context_.ConstantExtent(length)}, contents);
  const ScalarType index = context_.index_type();
  const uint32_t bx = context_.NewVariable("bx", index);
  const uint32_t k = context_.NewVariable("k", index);
  const uint32_t tx = context_.NewVariable("tx", index);
  const uint32_t v = context_.NewVariable("v", index);
  const uint32_t r = context_.NewVariable("r", index);
  Stmt stmt;
  stmt.set_kind(BLOCK);
  Block* block = stmt.mutable_block();
  block->set_name("reduce");
  const auto add_iter = [&](uint32_t variable, IterKind kind, int64_t extent, Expr binding) {
    BlockIter* iter = block->add_iters();
    iter->set_variable(variable);
    iter->set_kind(kind);
    *iter->mutable_domain()->mutable_min() = context_.IndexConst(0);
    *iter->mutable_domain()->mutable_extent() = context_.IndexConst(extent);
    *iter->mutable_binding() = std::move(binding);
  };
  Expr position = context_.VariableExpr(tx);
  if (steps > 1) {
    position =
        build::Binary(ADD, build::Binary(MUL, context_.VariableExpr(k), context_.IndexConst(width)),
                      std::move(position));
  }
  add_iter(v, SPATIAL, rows, context_.VariableExpr(bx));
  add_iter(r, REDUCTION, length, position);
  if (length < width * steps) {
    *block->mutable_predicate() = build::Binary(LT, position, context_.IndexConst(length));
  }
  const std::vector<Expr> at = {context_.VariableExpr(v)};
  *block->add_init() = build::Store(output.id, Constant(type, 0).expr, at);
  Expr term = build::Load(context_.function(), input.id,
                          {context_.VariableExpr(v), context_.VariableExpr(r)});
  const bool largest = context_.Allows(kMinMax) && context_.Percent(30);
  if (largest) *block->mutable_init(0) = build::Store(output.id, Constant(type, -100).expr, at);
  *stmt.add_body() =
      build::Store(output.id,
                   build::Binary(largest ? MAX : ADD,
                                 build::Load(context_.function(), output.id, at), std::move(term)),
                   at);
  context_.WidenContents(&output, Interval::Bounds(-limit.magnitude, limit.magnitude));
  Stmt threads = build::For(tx, context_.IndexConst(0), context_.IndexConst(width), THREAD_BINDING,
                            {std::move(stmt)});
  threads.set_thread_tag("threadIdx.x");
  if (steps > 1) {
    threads = build::For(k, context_.IndexConst(0), context_.IndexConst(steps), SERIAL,
                         {std::move(threads)});
  }
  Stmt blocks = build::For(bx, context_.IndexConst(0), context_.IndexConst(rows), THREAD_BINDING,
                           {std::move(threads)});
  blocks.set_thread_tag("blockIdx.x");
  return {std::move(blocks)};
}

std::vector<Stmt> DrawKernel(Context& context) {
  Kernel kernel(context);
  const bool shared = context.Allows(kDeviceShared);
  const bool blocks = context.AllowsAll({kDeviceBlockReduction, kBlock, kBlockInit});
  switch (context.Pick({30, shared ? 25 : 0, shared && context.Allows(kDeviceLocal) ? 20 : 0,
                        context.AllowsAll({kDeviceAllReduce, kDeviceLocal}) ? 15 : 0,
                        blocks ? 10 : 0})) {
    case 1:
      return kernel.Exchange();
    case 2:
      return kernel.Accumulate();
    case 3:
      return kernel.AllReduce();
    case 4:
      return kernel.BlockReduction();
    default:
      return kernel.Elementwise();
  }
}

}  // namespace

Case GenerateDeviceCase(Context& context) {
  context.WithoutSchedule();
  if (context.Draw(kParamScalar)) context.AddScalarParam();
  const int64_t kernels = context.Draw(kDeviceSeveralKernels) ? 2 : 1;
  for (int64_t i = 0; i < kernels; ++i) {
    for (Stmt& stmt : DrawKernel(context)) *context.function().add_body() = std::move(stmt);
  }
  TargetSpec* target = context.test_case().add_targets();
  target->set_target("tvm");
  target->set_options(kTarget);
  return context.Finish();
}

}  // namespace irate
