// Writes TVM's own operators as Cases: one file for every operator, shape and type below.
//
//   tvm-operator-seeds FOLDER
//
// The operators are made by TVM's tensor-expression library through its registered functions
// (topi.*, te.Placeholder, te.CreatePrimFunc), lifted, and kept where the interpreter calls the
// program defined. Exits 0, 2 on wrong usage, 3 where TVM or the folder is missing.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "ir/interpreter.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "targets/tvm/lift.h"
#include "targets/tvm/native.h"
#include "targets/tvm/tvm_library.h"
#include "targets/tvm/types.h"

namespace irate::tvm_target {
namespace {

using Shape = std::vector<int64_t>;

struct Input {
  Shape shape;
  ScalarType type = F32;
  int64_t min = -8;
  int64_t max = 8;
};

struct Seed {
  std::string name;
  std::vector<Input> inputs;
  std::function<Any(const std::vector<Any>&)> make;
};

template <typename... Args>
Any Call(const std::string& name, Args&&... args) {
  return ffi::Function::GetGlobalRequired("topi." + name)(std::forward<Args>(args)...);
}

AnyArray Ints(const Shape& values) {
  AnyArray array;
  for (const int64_t value : values) array.push_back(value);
  return array;
}

class Seeds {
 public:
  const std::vector<Seed>& all() const { return seeds_; }

  void Add(const std::string& name, std::vector<Input> inputs,
           std::function<Any(const std::vector<Any>&)> make) {
    std::string file = name;
    for (char& c : file) c = c == '.' ? '_' : c;
    int number = 1;
    std::string unique = fmt::format("{}-1", file);
    while (!names_.insert(unique).second) unique = fmt::format("{}-{}", file, ++number);
    seeds_.push_back({unique, std::move(inputs), std::move(make)});
  }

  void Unary(std::initializer_list<const char*> names, std::initializer_list<ScalarType> types,
             int64_t min = -8, int64_t max = 8) {
    for (const char* name : names) {
      for (const ScalarType type : types) {
        for (const Shape& shape : {Shape{7}, Shape{3, 8}}) {
          Add(name, {{shape, type, min, max}},
              [name](const std::vector<Any>& in) { return Call(name, in[0]); });
        }
      }
    }
  }

  // With broadcasting in one of the shapes.
  void Binary(std::initializer_list<const char*> names, std::initializer_list<ScalarType> types,
              int64_t min = -8, int64_t max = 8) {
    for (const char* name : names) {
      for (const ScalarType type : types) {
        const int64_t most = type == BOOL ? 1 : 8;
        Add(name, {{{3, 5}, type, std::max<int64_t>(min, -8), most}, {{3, 5}, type, min, max}},
            [name](const std::vector<Any>& in) { return Call(name, in[0], in[1]); });
        Add(name, {{{2, 1, 4}, type, std::max<int64_t>(min, -8), most}, {{3, 1}, type, min, max}},
            [name](const std::vector<Any>& in) { return Call(name, in[0], in[1]); });
      }
    }
  }

  void Reductions() {
    for (const char* name : {"sum", "min", "max", "prod"}) {
      for (const ScalarType type : {F32, I32}) {
        for (const Shape& axes : {Shape{1}, Shape{0, 2}}) {
          Add(name, {{{3, 4, 2}, type, -2, 2}}, [name, axes](const std::vector<Any>& in) {
            return Call(name, in[0], Ints(axes), axes.size() == 1);
          });
        }
      }
    }
    for (const char* name : {"argmin", "argmax"}) {
      for (const Shape& axes : {Shape{0}, Shape{1}}) {
        Add(name, {{{4, 6}, F32}}, [name, axes](const std::vector<Any>& in) {
          return Call(name, in[0], Ints(axes), false, false);
        });
      }
    }
    for (const char* name : {"all", "any"}) {
      Add(name, {{{4, 6}, BOOL, 0, 1}},
          [name](const std::vector<Any>& in) { return Call(name, in[0], Ints({1}), true); });
    }
    Add("collapse_sum", {{{2, 3, 4}, I32}},
        [](const std::vector<Any>& in) { return Call("collapse_sum", in[0], Ints({3, 1})); });
  }

  void Transforms() {
    using In = const std::vector<Any>&;
    for (const ScalarType type : {F32, I8}) {
      Add("transpose", {{{3, 5}, type}},
          [](In in) { return Call("transpose", in[0], Ints({1, 0})); });
      Add("transpose", {{{2, 3, 4}, type}},
          [](In in) { return Call("transpose", in[0], Ints({2, 0, 1})); });
      Add("flip", {{{3, 5}, type}}, [](In in) { return Call("flip", in[0], 1); });
      Add("reshape", {{{4, 6}, type}}, [](In in) { return Call("reshape", in[0], Ints({3, 8})); });
      Add("reshape", {{{2, 3, 4}, type}}, [](In in) { return Call("reshape", in[0], Ints({24})); });
      Add("expand_dims", {{{3, 5}, type}}, [](In in) { return Call("expand_dims", in[0], 1, 1); });
      Add("squeeze", {{{3, 1, 5}, type}}, [](In in) { return Call("squeeze", in[0], Ints({1})); });
      Add("concatenate", {{{3, 2}, type}, {{3, 5}, type}},
          [](In in) { return Call("concatenate", AnyArray{in[0], in[1]}, 1); });
      Add("stack", {{{3, 2}, type}, {{3, 2}, type}},
          [](In in) { return Call("stack", AnyArray{in[0], in[1]}, 1); });
      Add("repeat", {{{3, 2}, type}}, [](In in) { return Call("repeat", in[0], 3, 1); });
      Add("tile", {{{3, 2}, type}}, [](In in) { return Call("tile", in[0], Ints({2, 3})); });
      Add("broadcast_to", {{{3, 1}, type}},
          [](In in) { return Call("broadcast_to", in[0], Ints({2, 3, 4})); });
      Add("where", {{{3, 4}, BOOL, 0, 1}, {{3, 4}, type}, {{3, 4}, type}},
          [](In in) { return Call("where", in[0], in[1], in[2]); });
      Add("layout_transform", {{{1, 8, 3, 3}, type}}, [](In in) {
        return Call("layout_transform", in[0], ffi::String("NCHW"), ffi::String("NCHW4c"),
                    ffi::String("int32"));
      });
      Add("strided_slice", {{{8, 6}, type}}, [](In in) {
        return Call("strided_slice", in[0], Ints({1, 5}), Ints({8, 0}), Ints({2, -2}), Ints({}),
                    ffi::String("end"), false);
      });
      Add("take", {{{6, 4}, type}, {{5}, I32, 0, 5}},
          [](In in) { return Call("take", in[0], in[1], 0, 0, ffi::String("clip")); });
      Add("gather", {{{4, 5}, type}, {{4, 3}, I32, 0, 4}},
          [](In in) { return Call("gather", in[0], 1, in[1]); });
      Add("gather_nd", {{{4, 5}, type}, {{2, 3}, I32, 0, 3}},
          [](In in) { return Call("gather_nd", in[0], in[1], 0); });
      Add("sliding_window", {{{8, 6}, type}},
          [](In in) { return Call("sliding_window", in[0], 0, Ints({3, 2}), Ints({1, 2})); });
    }
    Add("sequence_mask", {{{5, 3}, F32}, {{3}, I32, 1, 5}},
        [](In in) { return Call("sequence_mask", in[0], in[1], 0.0, 0); });
    Add("reverse_sequence", {{{4, 3}, I32}, {{3}, I32, 1, 4}},
        [](In in) { return Call("reverse_sequence", in[0], in[1], 0, 1); });
  }

  void Products() {
    using In = const std::vector<Any>&;
    for (const ScalarType type : {F32, I32, F16}) {
      for (const bool transposed : {false, true}) {
        Add("matmul",
            {{{4, 6}, type, -2, 2}, {transposed ? Shape{5, 6} : Shape{6, 5}, type, -2, 2}},
            [transposed](In in) { return Call("matmul", in[0], in[1], false, transposed); });
      }
      Add("tensordot", {{{3, 4, 2}, type, -2, 2}, {{4, 2, 5}, type, -2, 2}},
          [](In in) { return Call("tensordot", in[0], in[1], 2); });
      Add("einsum", {{{3, 4}, type, -2, 2}, {{4, 5}, type, -2, 2}},
          [](In in) { return Call("einsum", ffi::String("ij,jk->ik"), AnyArray{in[0], in[1]}); });
    }
    Add("einsum", {{{2, 3, 4}, F32, -2, 2}, {{2, 4, 3}, F32, -2, 2}},
        [](In in) { return Call("einsum", ffi::String("bij,bjk->bik"), AnyArray{in[0], in[1]}); });
    Add("nn.dense", {{{4, 6}, F32, -2, 2}, {{5, 6}, F32, -2, 2}, {{5}, F32, -2, 2}},
        [](In in) { return Call("nn.dense", in[0], in[1], in[2], PrimType(F32, 0)); });
    Add("nn.dense", {{{4, 6}, I8, -2, 2}, {{5, 6}, I8, -2, 2}, {{5}, I32, -2, 2}},
        [](In in) { return Call("nn.dense", in[0], in[1], in[2], PrimType(I32, 0)); });
  }

  void Networks() {
    using In = const std::vector<Any>&;
    for (const ScalarType type : {F32, F16}) {
      Add("nn.leaky_relu", {{{3, 5}, type}},
          [](In in) { return Call("nn.leaky_relu", in[0], 0.5); });
      Add("nn.prelu", {{{2, 3, 4}, type}, {{3}, type, 0, 2}},
          [](In in) { return Call("nn.prelu", in[0], in[1], 1); });
      Add("nn.bias_add", {{{2, 3, 4}, type}, {{3}, type}},
          [](In in) { return Call("nn.bias_add", in[0], in[1], 1); });
      Add("nn.softmax", {{{3, 5}, type}}, [](In in) { return Call("nn.softmax", in[0], 1); });
      Add("nn.global_pool", {{{1, 2, 4, 4}, type}},
          [](In in) { return Call("nn.global_pool", in[0], 1, ffi::String("NCHW")); });
      Add("nn.scale_shift_nchw", {{{1, 3, 4, 4}, type}, {{3}, type}, {{3}, type}},
          [](In in) { return Call("nn.scale_shift_nchw", in[0], in[1], in[2]); });
      Add("nn.dilate", {{{3, 5}, type}},
          [](In in) { return Call("nn.dilate", in[0], Ints({2, 3}), 0.0); });
    }
    for (const ScalarType type : {F32, I32}) {
      Add("nn.relu", {{{3, 5}, type}}, [](In in) { return Call("nn.relu", in[0]); });
      Add("nn.flatten", {{{2, 3, 4}, type}}, [](In in) { return Call("nn.flatten", in[0]); });
      Add("clip", {{{3, 5}, type}}, [](In in) { return Call("clip", in[0], -3, 3); });
      Add("nn.pad", {{{4, 5}, type}},
          [](In in) { return Call("nn.pad", in[0], Ints({1, 0}), Ints({1, 2}), 0); });
      for (const int kind : {0, 1}) {
        Add("nn.pool1d", {{{1, 2, 8}, type}}, [kind](In in) {
          return Call("nn.pool1d", in[0], Ints({3}), Ints({2}), Ints({1}), Ints({1, 1}), kind,
                      false, ffi::String("NCW"), true);
        });
        Add("nn.pool2d", {{{1, 2, 6, 6}, type}}, [kind](In in) {
          return Call("nn.pool2d", in[0], Ints({2, 3}), Ints({2, 1}), Ints({1, 1}),
                      Ints({1, 1, 1, 1}), kind, false, ffi::String("NCHW"), true);
        });
      }
      Add("nn.adaptive_pool", {{{1, 2, 6, 6}, type}}, [](In in) {
        return Call("nn.adaptive_pool", in[0], Ints({2, 3}), 1, ffi::String("NCHW"));
      });
    }
    Add("nn.log_softmax", {{{3, 5}, F32}}, [](In in) { return Call("nn.log_softmax", in[0]); });
    Add("nn.lrn", {{{1, 4, 3, 3}, F32}},
        [](In in) { return Call("nn.lrn", in[0], 3, 1, 1.0, 0.5, 2.0); });
    Add("nn.layer_norm", {{{3, 4}, F32}, {{4}, F32}, {{4}, F32}},
        [](In in) { return Call("nn.layer_norm", in[0], in[1], in[2], Ints({1}), 0.5); });
    Add("nn.rms_norm", {{{3, 4}, F32}, {{4}, F32}},
        [](In in) { return Call("nn.rms_norm", in[0], in[1], Ints({1}), 0.5); });
    Add("nn.instance_norm", {{{2, 3, 4}, F32}, {{3}, F32}, {{3}, F32}},
        [](In in) { return Call("nn.instance_norm", in[0], in[1], in[2], 1, Ints({2}), 0.5); });
  }

  void Casts() {
    for (const ScalarType to : {I8, U8, I64, F16, F64, BOOL}) {
      for (const ScalarType from : {I32, F32}) {
        Add("cast", {{{3, 5}, from, 0, 8}},
            [to](const std::vector<Any>& in) { return Call("cast", in[0], PrimType(to, 0)); });
      }
    }
  }

 private:
  std::vector<Seed> seeds_;
  std::set<std::string> names_;
};

Seeds MakeSeeds() {
  Seeds seeds;
  seeds.Unary(
      {"exp", "tanh", "sigmoid", "erf", "sin", "cos", "tan", "atan", "asinh", "sinh", "cosh"},
      {F32, F64}, -2, 2);
  seeds.Unary({"log", "log2", "log10", "sqrt", "rsqrt", "acosh"}, {F32, F64}, 1, 8);
  seeds.Unary({"asin", "acos"}, {F32}, 0, 1);
  seeds.Unary({"fast_exp", "fast_tanh", "fast_erf"}, {F32}, -2, 2);
  seeds.Unary({"negative", "sign", "identity"}, {F32, I32});
  seeds.Unary({"bitwise_not"}, {I32, U8}, 0, 100);
  seeds.Unary({"logical_not"}, {BOOL}, 0, 1);
  seeds.Binary({"add", "subtract", "multiply", "maximum", "minimum"}, {F32, I32});
  seeds.Binary({"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"}, {F32, I8});
  seeds.Binary({"divide", "power", "atan2"}, {F32}, 1, 4);
  seeds.Binary({"floor_divide", "floor_mod", "mod"}, {I32}, 1, 5);
  seeds.Binary({"log_add_exp"}, {F32}, -2, 2);
  seeds.Binary({"bitwise_and", "bitwise_or", "bitwise_xor"}, {I32, U8}, 0, 100);
  seeds.Binary({"left_shift", "right_shift"}, {I32}, 0, 7);
  seeds.Binary({"logical_and", "logical_or", "logical_xor"}, {BOOL}, 0, 1);
  seeds.Reductions();
  seeds.Transforms();
  seeds.Products();
  seeds.Networks();
  seeds.Casts();
  return seeds;
}

absl::StatusOr<Case> MakeCase(const Seed& seed) {
  Case result;
  result.set_version(1);
  result.set_generator("topi." + seed.name.substr(0, seed.name.rfind('-')));
  try {
    std::vector<Any> inputs;
    AnyArray args;
    for (size_t i = 0; i < seed.inputs.size(); ++i) {
      const Input& input = seed.inputs[i];
      inputs.push_back(Native<"te.Placeholder">(Ints(input.shape), PrimType(input.type, 0),
                                                ffi::String(fmt::format("A{}", i))));
      args.push_back(inputs.back());
      ParamInput* param = result.mutable_inputs()->add_params();
      param->set_param(static_cast<uint32_t>(i));
      param->set_min(input.min);
      param->set_max(input.max);
    }
    const Any made = seed.make(inputs);
    if (const auto several = made.as<AnyArray>()) {
      for (const Any& output : *several) args.push_back(output);
    } else {
      args.push_back(made);
    }
    const Any function = Native<"te.CreatePrimFunc">(args, nullptr);
    ffi::Map<Any, Any> functions;
    functions.Set(Native<"ir.GlobalVar">(ffi::String("main")), function);
    const Any module = Native<"ir.IRModule">(functions, nullptr, ffi::Map<Any, Any>());
    std::string construct;
    Module none;
    none.add_functions()->set_name("main");
    if (Lifter(none).Lift(module, result.mutable_module(), &construct) !=
        Lifter::Outcome::kChanged) {
      return absl::UnimplementedError("not lifted: " + construct);
    }
  } catch (const ffi::Error& error) {
    return absl::InternalError(error.kind() + ": " + error.message());
  }
  if (absl::Status status = VerifyCase(result); !status.ok()) return status;
  absl::StatusOr<Interpretation> meaning = Interpret(result.module(), result.inputs());
  if (!meaning.ok()) return meaning.status();
  if (meaning->status() != Interpretation::DEFINED) {
    return absl::FailedPreconditionError(meaning->reason() + " " + meaning->place());
  }
  return result;
}

int Run(const std::string& folder) {
  if (const absl::Status status = LoadLibrary(); !status.ok()) {
    fmt::print(stderr, "{}\n", std::string(status.message()));
    return 3;
  }
  std::set<std::string> operators;
  int written = 0;
  const Seeds seeds = MakeSeeds();
  for (const Seed& seed : seeds.all()) {
    const absl::StatusOr<Case> made = MakeCase(seed);
    if (!made.ok()) {
      fmt::print(stderr, "{}: {}\n", seed.name,
                 std::string(made.status().message()).substr(0, 200));
      continue;
    }
    if (const absl::Status status =
            WriteCaseFile(fmt::format("{}/{}.irate", folder, seed.name), *made);
        !status.ok()) {
      fmt::print(stderr, "{}\n", std::string(status.message()));
      return 3;
    }
    operators.insert(made->generator());
    ++written;
  }
  fmt::print("{} Cases of {} operators, of {} asked for\n", written, operators.size(),
             seeds.all().size());
  return 0;
}

}  // namespace
}  // namespace irate::tvm_target

int main(int argc, char** argv) {
  if (argc != 2 || argv[1][0] == '-') {
    fmt::print(stderr, "usage: tvm-operator-seeds FOLDER\n");
    return 2;
  }
  return irate::tvm_target::Run(argv[1]);
}
