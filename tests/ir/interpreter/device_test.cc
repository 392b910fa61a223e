// Launches, barriers, memory of a block, reductions over threads: each rule on both of its sides.
#include "tests/ir/interpreter/fixture.h"

namespace irate {
namespace {

InterpretOptions Explicit() {
  InterpretOptions options;
  options.mode = InterpretOptions::Mode::kPassResult;
  options.implicit_barriers = false;
  return options;
}

template <typename T>
std::vector<T> Values(const Interpretation& result, int output) {
  std::vector<T> values;
  if (output >= result.outputs_size()) return values;
  const Tensor& tensor = result.outputs(output).tensor();
  for (size_t i = 0; i < tensor.data().size() / sizeof(T); ++i) {
    values.push_back(static_cast<T>(Element(result, output, i)));
  }
  return values;
}

Stmt Bind(uint32_t variable, int64_t extent, const std::string& tag, std::vector<Stmt> body) {
  Stmt loop = b::For(variable, C(0), C(extent), THREAD_BINDING, std::move(body));
  loop.set_thread_tag(tag);
  return loop;
}

Stmt Attr(uint32_t variable, int64_t extent, const std::string& tag, std::vector<Stmt> body) {
  Stmt attr;
  attr.set_kind(ATTR);
  attr.set_name("thread_extent");
  attr.mutable_attr_node()->set_thread_tag(tag);
  attr.mutable_attr_node()->set_thread_variable(variable);
  *attr.add_args() = C(extent);
  for (Stmt& stmt : body) *attr.add_body() = std::move(stmt);
  return attr;
}

Stmt Barrier(const std::string& scope = "shared") {
  Stmt stmt;
  stmt.set_kind(BARRIER);
  stmt.set_name(scope);
  return stmt;
}

Expr Plus(Expr a, Expr c) { return b::Binary(ADD, std::move(a), std::move(c)); }
Expr Times(Expr a, Expr c) { return b::Binary(MUL, std::move(a), std::move(c)); }

// B[bx * 4 + tx] = S[3 - tx] by way of S[tx] = A[bx * 4 + tx].
struct Reversal : Program {
  explicit Reversal(bool barrier, int64_t size = 4) {
    a = Param("A", I32, {8});
    out = Param("B", I32, {8});
    shared = b::AddBuffer(function(), "S", I32, {C(size)}, "shared");
    bx = Var("bx");
    tx = Var("tx");
    body = {b::Alloc(shared), b::Store(shared, L(a, {Index()}), {V(tx)})};
    if (barrier) body.push_back(Barrier());
    body.push_back(b::Store(out, L(shared, {b::Binary(SUB, C(3), V(tx))}), {Index()}));
  }
  Expr Index() { return Plus(Times(V(bx), C(4)), V(tx)); }
  uint32_t a, out, shared, bx, tx;
  std::vector<Stmt> body;
};

TEST(Device, ThreadsHaveTheirIndices) {
  for (bool attr : {false, true}) {
    Program p;
    const uint32_t out = p.Param("B", I32, {24});
    const uint32_t bx = p.Var("bx");
    const uint32_t ty = p.Var("ty");
    const uint32_t tx = p.Var("tx");
    Expr index = Plus(Times(Plus(Times(p.V(bx), C(2)), p.V(ty)), C(3)), p.V(tx));
    Stmt store = b::Store(out, index, {index});
    const auto bind = attr ? Attr : Bind;
    p.Add(bind(bx, 4, "blockIdx.x",
               {bind(ty, 2, "threadIdx.y", {bind(tx, 3, "threadIdx.x", {store})})}));
    const Interpretation result = p.Run();
    EXPECT_DEFINED(result);
    std::vector<int32_t> expected;
    for (int i = 0; i < 24; ++i) expected.push_back(i);
    EXPECT_EQ(Values<int32_t>(result, 0), expected);
  }
}

TEST(Device, BarriersOrderMemoryOfTheBlock) {
  for (bool barrier : {false, true}) {
    for (bool implicit : {false, true}) {
      Reversal p(barrier);
      p.Add(Bind(p.bx, 2, "blockIdx.x", {Bind(p.tx, 4, "threadIdx.x", p.body)}));
      InterpretOptions options = Explicit();
      options.implicit_barriers = implicit;
      const Interpretation result = p.Run(options);
      if (barrier || implicit) {
        EXPECT_DEFINED(result);
        const auto in = Values<int32_t>(result, 0);
        const auto out = Values<int32_t>(result, 1);
        for (size_t i = 0; i < 8; ++i) EXPECT_EQ(out[i], in[i / 4 * 4 + 3 - i % 4]);
      } else {
        // Thread 0 runs first.
        EXPECT_EQ(result.status(), Interpretation::UNDEFINED);
      }
    }
  }
}

TEST(Device, ARaceHasAPlace) {
  Reversal p(false);
  // All of it was written once; then the neighbour is read while it writes.
  p.body.insert(p.body.begin() + 2, Barrier());
  p.body.push_back(b::Store(p.shared, C(1), {p.V(p.tx)}));
  p.Add(Bind(p.bx, 2, "blockIdx.x", {Bind(p.tx, 4, "threadIdx.x", p.body)}));
  const Interpretation result = p.Run(Explicit());
  EXPECT_UNDEFINED(result, "data race between threads: S[1] of shape [4]");
  EXPECT_EQ(result.place(), "for bx = 0, for tx = 2: store B[2]");
}

TEST(Device, BarriersDoNotOrderGlobalMemory) {
  Program p;
  const uint32_t out = p.Param("B", I32, {4});
  const uint32_t result = p.Param("D", I32, {4});
  const uint32_t tx = p.Var("tx");
  p.Add(Bind(tx, 4, "threadIdx.x",
             {b::Store(out, p.V(tx), {p.V(tx)}), Barrier(),
              b::Store(result, p.L(out, {b::Binary(SUB, C(3), p.V(tx))}), {p.V(tx)})}));
  EXPECT_UNDEFINED(p.Run(), "data race between threads: B[3] of shape [4]");
}

TEST(Device, BlocksAreNotOrdered) {
  for (int64_t distance : {0, 1}) {
    Program p;
    const uint32_t out = p.Param("B", I32, {5});
    const uint32_t bx = p.Var("bx");
    p.Add(Bind(bx, 4, "blockIdx.x",
               {b::Store(out, Plus(p.L(out, {Plus(p.V(bx), C(distance))}), C(1)), {p.V(bx)})}));
    const Interpretation result = p.Run();
    EXPECT_EQ(result.status(), distance == 0 ? Interpretation::DEFINED : Interpretation::UNDEFINED);
  }
}

TEST(Device, LaunchesAreOrdered) {
  Program p;
  const uint32_t out = p.Param("B", I32, {4});
  const uint32_t result = p.Param("D", I32, {4});
  const uint32_t t = p.Var("t");
  const uint32_t u = p.Var("u");
  p.Add(Bind(t, 4, "threadIdx.x", {b::Store(out, p.V(t), {p.V(t)})}));
  p.Add(Bind(u, 4, "blockIdx.x",
             {b::Store(result, p.L(out, {b::Binary(SUB, C(3), p.V(u))}), {p.V(u)})}));
  const Interpretation run = p.Run(Explicit());
  EXPECT_DEFINED(run);
  EXPECT_EQ(Values<int32_t>(run, 1), (std::vector<int32_t>{3, 2, 1, 0}));
}

TEST(Device, MemoryOfAThreadIsItsOwn) {
  for (const char* scope : {"local", "shared"}) {
    Program p;
    const uint32_t out = p.Param("B", I32, {4});
    const uint32_t own = b::AddBuffer(p.function(), "T", I32, {C(1)}, scope);
    const uint32_t tx = p.Var("tx");
    p.Add(Bind(tx, 4, "threadIdx.x",
               {b::Alloc(own), b::Store(own, p.V(tx), {C(0)}), Barrier(),
                b::Store(out, p.L(own, {C(0)}), {p.V(tx)})}));
    const Interpretation result = p.Run();
    if (std::string(scope) == "local") {
      EXPECT_DEFINED(result);
      EXPECT_EQ(Values<int32_t>(result, 0), (std::vector<int32_t>{0, 1, 2, 3}));
    } else {
      EXPECT_UNDEFINED(result, "data race between threads: T[0] of shape [1]");
    }
  }
}

TEST(Device, BoundsOfEachScope) {
  for (const char* scope : {"local", "shared", "shared.dyn"}) {
    for (int64_t size : {3, 4}) {
      Program p;
      const uint32_t out = p.Param("B", I32, {4});
      const uint32_t own = b::AddBuffer(p.function(), "T", I32, {C(size)}, scope);
      const uint32_t tx = p.Var("tx");
      p.Add(Bind(tx, 4, "threadIdx.x",
                 {b::Alloc(own), b::Store(own, p.V(tx), {p.V(tx)}),
                  b::Store(out, p.L(own, {p.V(tx)}), {p.V(tx)})}));
      for (bool lifted : {false, true}) {
        const Interpretation result = lifted ? p.Run(Explicit()) : p.Run();
        if (size == 4) {
          EXPECT_DEFINED(result);
        } else {
          EXPECT_UNDEFINED(result, "out of bounds: T[3] of shape [3]");
        }
      }
    }
  }
}

TEST(Device, BarrierDivergence) {
  enum { kAll, kSome, kUniform, kTwoBarriers, kLoop, kVaryingLoop };
  for (int form : {kAll, kSome, kUniform, kTwoBarriers, kLoop, kVaryingLoop}) {
    Program p;
    const uint32_t out = p.Param("B", I32, {8});
    const uint32_t bx = p.Var("bx");
    const uint32_t tx = p.Var("tx");
    const uint32_t i = p.Var("i");
    std::vector<Stmt> body;
    bool defined = true;
    switch (form) {
      case kAll:
        body = {Barrier()};
        break;
      case kSome:
        body = {b::If(b::Binary(LT, p.V(tx), C(2)), {Barrier()})};
        defined = false;
        break;
      case kUniform:
        body = {b::If(b::Binary(LT, p.V(bx), C(1)), {Barrier()})};
        break;
      case kTwoBarriers:
        body = {b::If(b::Binary(LT, p.V(tx), C(2)), {Barrier()}, {Barrier()})};
        defined = false;
        break;
      case kLoop:
        body = {b::For(i, C(0), C(3), SERIAL, {Barrier()})};
        break;
      default:
        // Each thread comes to the one barrier once, in another iteration.
        body = {
            b::For(i, C(0), C(4), SERIAL, {b::If(b::Binary(EQ, p.V(tx), p.V(i)), {Barrier()})})};
        defined = false;
        break;
    }
    body.push_back(b::Store(out, C(1), {Plus(Times(p.V(bx), C(4)), p.V(tx))}));
    p.Add(Bind(bx, 2, "blockIdx.x", {Bind(tx, 4, "threadIdx.x", body)}));
    for (bool lifted : {false, true}) {
      const Interpretation result = lifted ? p.Run(Explicit()) : p.Run();
      if (defined) {
        EXPECT_DEFINED(result);
      } else {
        EXPECT_EQ(result.status(), Interpretation::UNDEFINED) << form;
        EXPECT_THAT(result.reason(), testing::StartsWith("barrier divergence: ")) << form;
        EXPECT_THAT(result.place(), testing::HasSubstr("barrier")) << form;
      }
    }
  }
}

TEST(Device, NoImplicitBarrierWhereThreadsDiverge) {
  for (bool guarded : {false, true}) {
    Reversal p(false);
    std::vector<Stmt> inner(p.body.begin() + 1, p.body.end());
    std::vector<Stmt> body = {p.body[0]};
    if (guarded) {
      body.push_back(b::If(b::Binary(LT, p.V(p.tx), C(4)), inner));
    } else {
      body.insert(body.end(), inner.begin(), inner.end());
    }
    p.Add(Bind(p.bx, 2, "blockIdx.x", {Bind(p.tx, 4, "threadIdx.x", body)}));
    EXPECT_EQ(p.Run().status(), guarded ? Interpretation::UNDEFINED : Interpretation::DEFINED);
  }
}

TEST(Device, SeveralLoopsOverOneIndex) {
  for (int64_t second : {4, 3}) {
    Program p;
    const uint32_t a = p.Param("A", I32, {4});
    const uint32_t out = p.Param("B", I32, {4});
    const uint32_t shared = b::AddBuffer(p.function(), "S", I32, {C(4)}, "shared");
    const uint32_t bx = p.Var("bx");
    const uint32_t t = p.Var("t");
    const uint32_t u = p.Var("u");
    p.Add(Bind(bx, 1, "blockIdx.x",
               {b::Alloc(shared),
                Bind(t, 4, "threadIdx.x", {b::Store(shared, p.L(a, {p.V(t)}), {p.V(t)})}),
                Bind(u, second, "threadIdx.x",
                     {b::Store(out, p.L(shared, {b::Binary(SUB, C(3), p.V(u))}), {p.V(u)})})}));
    const Interpretation result = p.Run();
    if (second == 4) {
      EXPECT_DEFINED(result);
    } else {
      EXPECT_UNDEFINED(result, "two extents of one thread index: 3 here, 4 in the launch");
    }
  }
}

TEST(Device, ASharedBufferOfALoopIsNewInEachIteration) {
  Program p;
  const uint32_t out = p.Param("B", I32, {4});
  const uint32_t shared = b::AddBuffer(p.function(), "S", I32, {C(4)}, "shared");
  const uint32_t tx = p.Var("tx");
  const uint32_t i = p.Var("i");
  p.Add(Bind(tx, 4, "threadIdx.x",
             {b::For(i, C(0), C(2), SERIAL,
                     {b::Alloc(shared),
                      b::If(b::Binary(EQ, p.V(i), C(0)), {b::Store(shared, C(7), {p.V(tx)})}),
                      b::Store(out, p.L(shared, {p.V(tx)}), {p.V(tx)})})}));
  EXPECT_UNDEFINED(p.Run(), "read of memory that was never written");
}

TEST(Device, VirtualThreadsAreParallel) {
  for (int64_t extent : {2, 3}) {
    Program p;
    const uint32_t out = p.Param("B", I32, {8});
    const uint32_t tx = p.Var("tx");
    const uint32_t v = p.Var("v");
    p.Add(
        Bind(tx, 4, "threadIdx.x",
             {Bind(v, extent, "vthread.x",
                   {b::Store(out, p.V(v),
                             {Plus(Times(p.V(tx), C(2)), b::Binary(FLOOR_MOD, p.V(v), C(2)))})})}));
    EXPECT_EQ(p.Run().status(), extent == 2 ? Interpretation::DEFINED : Interpretation::UNDEFINED);
  }
}

TEST(Device, BlockReductionOverThreads) {
  for (IterKind kind : {REDUCTION, SPATIAL}) {
    Program p;
    const uint32_t a = p.Param("A", I32, {8});
    const uint32_t out = p.Param("B", I32, {1});
    const uint32_t bx = p.Var("bx");
    const uint32_t tx = p.Var("tx");
    const uint32_t k = p.Var("k");
    Stmt block;
    block.set_kind(BLOCK);
    BlockIter* iter = block.mutable_block()->add_iters();
    iter->set_variable(k);
    iter->set_kind(kind);
    *iter->mutable_domain()->mutable_min() = C(0);
    *iter->mutable_domain()->mutable_extent() = C(8);
    *iter->mutable_binding() = p.V(tx);
    BufferRegion* write = block.mutable_block()->add_writes();
    write->set_buffer(out);
    *block.mutable_block()->add_init() = b::Store(out, C(0), {C(0)});
    *block.add_body() = b::Store(out, Plus(p.L(out, {C(0)}), p.L(a, {p.V(k)})), {C(0)});
    p.Add(Bind(bx, 1, "blockIdx.x", {Bind(tx, 8, "threadIdx.x", {block})}));
    const Interpretation result = p.Run();
    if (kind == SPATIAL) {
      EXPECT_EQ(result.status(), Interpretation::UNDEFINED);
      continue;
    }
    EXPECT_DEFINED(result);
    int32_t sum = 0;
    for (int32_t value : Values<int32_t>(result, 0)) sum += value;
    EXPECT_EQ(Values<int32_t>(result, 1), (std::vector<int32_t>{sum}));
  }
}

struct AllReduce : Program {
  // Over the threads whose index is below `limit`, of 4 x 2; in group ty.
  explicit AllReduce(int64_t limit) {
    const uint32_t a = Param("A", I32, {2, 4});
    const uint32_t out = Param("B", I32, {2, 4});
    const uint32_t result = b::AddBuffer(function(), "R", I32, {C(1)}, "local");
    ty = Var("ty");
    tx = Var("tx");
    const uint32_t x = Var("x");
    const uint32_t y = Var("y");
    Expr combine = b::Call("array", I32, {Plus(V(x), V(y))});
    Stmt scope;
    scope.set_kind(ATTR);
    scope.set_name("reduce_scope");
    *scope.add_args() =
        b::Call("comm_reducer", I32, {C(0), b::Let(x, C(0), b::Let(y, C(0), combine))});
    Expr count = b::Int(U32, 1);
    *scope.add_body() = b::Evaluate(b::Call(
        "tvm_thread_allreduce", VOID,
        {count, L(a, {V(ty), V(tx)}), b::Binary(LT, V(tx), C(limit)), L(result, {C(0)}), V(tx)}));
    stmts = {b::Alloc(result), scope, b::Store(out, L(result, {C(0)}), {V(ty), V(tx)})};
  }
  uint32_t ty, tx;
  std::vector<Stmt> stmts;
};

TEST(Device, AllReduceCombinesGroups) {
  for (int64_t limit : {4, 3}) {
    AllReduce p(limit);
    p.Add(Bind(p.ty, 2, "threadIdx.y", {Bind(p.tx, 4, "threadIdx.x", p.stmts)}));
    const Interpretation result = p.Run(Explicit());
    EXPECT_DEFINED(result);
    const auto in = Values<int32_t>(result, 0);
    const auto out = Values<int32_t>(result, 1);
    for (size_t row = 0; row < 2; ++row) {
      int32_t sum = 0;
      for (size_t i = 0; i < static_cast<size_t>(limit); ++i) sum += in[row * 4 + i];
      for (size_t i = 0; i < 4; ++i) EXPECT_EQ(out[row * 4 + i], sum);
    }
  }
}

TEST(Device, AllReduceOfSomeThreadsDiverges) {
  AllReduce p(4);
  p.stmts[1] = b::If(b::Binary(LT, p.V(p.tx), C(2)), {p.stmts[1]});
  p.Add(Bind(p.ty, 2, "threadIdx.y", {Bind(p.tx, 4, "threadIdx.x", p.stmts)}));
  const Interpretation result = p.Run(Explicit());
  EXPECT_EQ(result.status(), Interpretation::UNDEFINED);
  EXPECT_THAT(result.reason(), testing::StartsWith("barrier divergence"));
}

TEST(Device, KernelsAreCalledWithTheirExtents) {
  for (int64_t extent : {4, 3}) {
    Program p;
    const uint32_t out = p.Param("B", I32, {4});
    Expr tags = b::Call("array", VOID, {b::String("threadIdx.x")});
    p.Add(b::Evaluate(b::Call("call_ffi_kernel", I32,
                              {b::String("kernel"), b::BufferData(out), C(extent), tags})));
    Function* kernel = p.module().add_functions();
    kernel->set_name("kernel");
    const uint32_t data = b::AddVariable(kernel, "data", HANDLE);
    b::AddScalarParam(kernel, data);
    const uint32_t view = b::AddBuffer(kernel, "B", I32, {C(4)});
    const uint32_t tx = b::AddVariable(kernel, "tx", I32);
    *kernel->add_body() = b::DeclBuffer(view, b::Var(*kernel, data));
    *kernel->add_body() =
        Attr(tx, 4, "threadIdx.x", {b::Store(view, b::Var(*kernel, tx), {b::Var(*kernel, tx)})});
    const Interpretation result = p.Run(Explicit());
    if (extent == 4) {
      EXPECT_DEFINED(result);
      EXPECT_EQ(Values<int32_t>(result, 0), (std::vector<int32_t>{0, 1, 2, 3}));
    } else {
      EXPECT_UNDEFINED(result, "two extents of one thread index");
    }
  }
}

TEST(Device, NoThreadsDoNothing) {
  Program p;
  const uint32_t out = p.Param("B", I32, {4});
  const uint32_t tx = p.Var("tx");
  p.Add(Bind(tx, 0, "threadIdx.x", {b::Store(out, C(1), {C(9)})}));
  EXPECT_DEFINED(p.Run());
}

TEST(Device, RunsAreDeterministic) {
  Reversal p(true);
  p.Add(Bind(p.bx, 2, "blockIdx.x", {Bind(p.tx, 4, "threadIdx.x", p.body)}));
  EXPECT_EQ(p.Run().SerializeAsString(), p.Run().SerializeAsString());
}

}  // namespace
}  // namespace irate
