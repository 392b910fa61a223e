// How fast the reference interpreter is: operations a second on one core, and the cost of a small
// module from compilation to outputs.
#include <vector>

#include "benchmark/benchmark.h"
#include "ir/builder.h"
#include "ir/interpreter.h"
#include "ir/interpreter/compiler.h"

namespace irate {
namespace {

namespace b = build;

constexpr int kTrips = 200'000;

// x = (x * 5 + i) % 97 - 3, kTrips times, in one cell of a buffer: four scalar operations a trip,
// each with its magnitude, beside the load, the store and the loop.
Module IntegerLoop() {
  Module module;
  Function* f = module.add_functions();
  f->set_name("main");
  const uint32_t out = b::AddBuffer(f, "X", I32, {b::I32Const(1)});
  b::AddBufferParam(f, out);
  const uint32_t i = b::AddVariable(f, "i", I32);
  const uint32_t j = b::AddVariable(f, "j", I32);
  const auto c = [](int64_t v) { return b::I32Const(v); };
  const std::vector<Expr> zero = {c(0)};
  Expr x = b::Load(*f, out, zero);
  for (int repeat = 0; repeat < 4; ++repeat) {
    x = b::Binary(MUL, std::move(x), c(5));
    x = b::Binary(ADD, std::move(x), b::Var(*f, j));
    x = b::Binary(FLOOR_MOD, std::move(x), c(97));
    x = b::Binary(SUB, std::move(x), c(3));
  }
  *f->add_body() = b::For(i, c(0), c(kTrips / 100), SERIAL,
                          {b::For(j, c(0), c(100), SERIAL, {b::Store(out, std::move(x), zero)})});
  return module;
}

// acc = acc * 0.5 + a[i] * b[i] - c, with bounds.
Module FloatLoop() {
  Module module;
  Function* f = module.add_functions();
  f->set_name("main");
  const uint32_t a = b::AddBuffer(f, "A", F32, {b::I32Const(100)});
  const uint32_t out = b::AddBuffer(f, "X", F32, {b::I32Const(1)});
  b::AddBufferParam(f, a);
  b::AddBufferParam(f, out);
  const uint32_t i = b::AddVariable(f, "i", I32);
  const uint32_t j = b::AddVariable(f, "j", I32);
  const auto c = [](int64_t v) { return b::I32Const(v); };
  const std::vector<Expr> zero = {c(0)};
  Expr x = b::Load(*f, out, zero);
  for (int repeat = 0; repeat < 4; ++repeat) {
    x = b::Binary(MUL, std::move(x), b::Float(F32, 0.25));
    x = b::Binary(ADD, std::move(x), b::Load(*f, a, {b::Var(*f, j)}));
    x = b::Binary(SUB, std::move(x), b::Float(F32, 0.125));
    x = b::Binary(MAX, std::move(x), b::Float(F32, -100));
  }
  *f->add_body() = b::For(i, c(0), c(kTrips / 100), SERIAL,
                          {b::For(j, c(0), c(100), SERIAL, {b::Store(out, std::move(x), zero)})});
  return module;
}

// A 4 x 4 x 8 matrix product, the size of a generated Case.
Module SmallMatmul() {
  Module module;
  Function* f = module.add_functions();
  f->set_name("main");
  const auto c = [](int64_t v) { return b::I32Const(v); };
  const uint32_t a = b::AddBuffer(f, "A", F32, {c(4), c(8)});
  const uint32_t w = b::AddBuffer(f, "B", F32, {c(8), c(4)});
  const uint32_t out = b::AddBuffer(f, "C", F32, {c(4), c(4)});
  for (uint32_t id : {a, w, out}) b::AddBufferParam(f, id);
  const uint32_t i = b::AddVariable(f, "i", I32);
  const uint32_t j = b::AddVariable(f, "j", I32);
  const uint32_t k = b::AddVariable(f, "k", I32);
  const auto v = [f](uint32_t id) { return b::Var(*f, id); };
  Expr product = b::Binary(MUL, b::Load(*f, a, {v(i), v(k)}), b::Load(*f, w, {v(k), v(j)}));
  Expr sum = b::Binary(ADD, b::Load(*f, out, {v(i), v(j)}), std::move(product));
  *f->add_body() = b::For(
      i, c(0), c(4), SERIAL,
      {b::For(j, c(0), c(4), SERIAL,
              {b::Store(out, b::Float(F32, 0), {v(i), v(j)}),
               b::For(k, c(0), c(8), SERIAL, {b::Store(out, std::move(sum), {v(i), v(j)})})})});
  return module;
}

void RunModule(benchmark::State& state, const Module& module, int64_t operations) {
  Inputs inputs;
  InterpretOptions options;
  options.fuel = 100'000'000;
  for (auto _ : state) {
    absl::StatusOr<Interpretation> result = Interpret(module, inputs, options);
    if (!result.ok() || result->status() != Interpretation::DEFINED) {
      state.SkipWithError("the program is not defined");
      break;
    }
    benchmark::DoNotOptimize(result);
  }
  state.SetItemsProcessed(state.iterations() * operations);
}

void IntegerOperations(benchmark::State& state) { RunModule(state, IntegerLoop(), kTrips * 16); }

void FloatOperations(benchmark::State& state) { RunModule(state, FloatLoop(), kTrips * 16); }

void SmallModuleRuns(benchmark::State& state) { RunModule(state, SmallMatmul(), 1); }

void CompileSmallModule(benchmark::State& state) {
  const Module module = SmallMatmul();
  for (auto _ : state) benchmark::DoNotOptimize(interp::CompileModule(module));
}

}  // namespace
}  // namespace irate

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  benchmark::RegisterBenchmark("IntegerOperations", irate::IntegerOperations);
  benchmark::RegisterBenchmark("FloatOperations", irate::FloatOperations);
  benchmark::RegisterBenchmark("SmallModule", irate::SmallModuleRuns);
  benchmark::RegisterBenchmark("CompileSmallModule", irate::CompileSmallModule);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
