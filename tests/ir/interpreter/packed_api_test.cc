// Entries with TVM's packed interface: arguments read from TVMFFIAny and DLTensor, as MakePackedAPI
// and LowerTVMBuiltin write it.
#include "ir/interpreter/packed_api.h"

#include "ir/compare.h"
#include "tests/ir/interpreter/fixture.h"

namespace irate {
namespace {

using interp::StructFieldKind;

// The original: main(A: i32[2, 3], n: i32, B: i32[2, 3]), B = A + n.
struct Original {
  Program p;
  uint32_t a = p.Param("A", I32, {2, 3});
  uint32_t n = p.ScalarParam("n", I32);
  uint32_t out = p.Param("B", I32, {2, 3});
  Original() {
    const uint32_t i = p.Var("i");
    const uint32_t j = p.Var("j");
    Expr sum = b::Binary(ADD, p.L(a, {p.V(i), p.V(j)}), p.V(n));
    p.Add(b::For(i, C(0), C(2), SERIAL,
                 {b::For(j, C(0), C(3), SERIAL, {b::Store(out, sum, {p.V(i), p.V(j)})})}));
  }
};

// A function in packed form, with the pieces that MakePackedAPI uses.
struct Packed {
  Program p;
  uint32_t self = p.ScalarParam("self_handle", HANDLE);
  uint32_t args = p.ScalarParam("args", HANDLE);
  uint32_t num_args = p.ScalarParam("num_args", I32);
  uint32_t result = p.ScalarParam("result", HANDLE);
  Packed() {
    Attribute* convention = p.function()->add_attrs();
    convention->set_key("calling_conv");
    *convention->mutable_value() = C(1);
    p.function()->set_result(I32);
  }
  Expr Get(Expr handle, int64_t index, StructFieldKind field, ScalarType type) {
    Expr call = b::Call("tvm_struct_get", type, {std::move(handle), C(index), C(field)});
    call.clear_lanes();
    return call;
  }
  Stmt Set(Expr handle, int64_t index, StructFieldKind field, Expr value) {
    Expr call =
        b::Call("tvm_struct_set", I32, {std::move(handle), C(index), C(field), std::move(value)});
    return b::Evaluate(std::move(call));
  }
  Stmt Assert(Expr condition, std::string_view what) {
    Stmt stmt;
    stmt.set_kind(ASSERT);
    stmt.set_name("ValueError");
    stmt.add_strings(std::string(what));
    *stmt.add_args() = std::move(condition);
    return stmt;
  }
  Stmt Return(int64_t value) {
    Stmt stmt;
    stmt.set_kind(RETURN);
    *stmt.add_args() = C(value);
    return stmt;
  }
  Stmt View(uint32_t buffer, Expr data) {
    Stmt stmt;
    stmt.set_kind(DECL_BUFFER);
    stmt.set_id(buffer);
    *stmt.add_args() = std::move(data);
    return stmt;
  }
  Expr Equal(Expr a, Expr expected) { return b::Binary(EQ, std::move(a), std::move(expected)); }
  Expr IsNull(Expr handle) {
    Expr call = b::Call("isnullptr", BOOL, {std::move(handle)});
    call.clear_lanes();
    return call;
  }

  // Everything up to the computation, with every check that TVM makes.
  void Decode(uint32_t* a, uint32_t* out, uint32_t* n) {
    *a = p.Buffer("A", I32, {2, 3});
    *out = p.Buffer("B", I32, {2, 3});
    *n = p.Var("n");
    const auto args_handle = [this] { return p.V(args); };
    p.Add(Assert(Equal(p.V(num_args), C(3)), "num_args"));
    p.Add(Assert(b::Unary(NOT, IsNull(args_handle())), "args"));
    p.Add(Assert(Equal(Get(args_handle(), 1, interp::kAnyTypeIndex, I32), C(interp::kTypeInt)),
                 "type of n"));
    p.Add(b::Bind(*n, b::Cast(I32, Get(args_handle(), 1, interp::kAnyValue, I64))));
    for (auto [buffer, index] : {std::pair{*a, 0}, std::pair{*out, 2}}) {
      const uint32_t handle = p.Var("handle", HANDLE);
      const uint32_t type = p.Var("type", I32);
      p.Add(b::Bind(type, Get(args_handle(), index, interp::kAnyTypeIndex, I32)));
      p.Add(Assert(Equal(p.V(type), C(interp::kTypeTensorPointer)), "type index"));
      Expr value = Get(args_handle(), index, interp::kAnyValue, HANDLE);
      Expr shifted = b::Call("handle_add_byte_offset", HANDLE, {value, C(24)});
      p.Add(b::Bind(handle, b::IfThenElse(Equal(p.V(type), C(70)), shifted, value)));
      const auto field = [&](StructFieldKind kind, ScalarType as) {
        return Get(p.V(handle), 0, kind, as);
      };
      p.Add(Assert(Equal(C(2), field(interp::kTensorNdim, I32)), "ndim"));
      p.Add(Assert(Equal(field(interp::kTensorTypeCode, U8), b::Int(U8, 0)), "type code"));
      p.Add(Assert(Equal(field(interp::kTensorTypeBits, U8), b::Int(U8, 32)), "type bits"));
      p.Add(Assert(Equal(field(interp::kTensorTypeLanes, U16), b::Int(U16, 1)), "type lanes"));
      p.Add(Assert(Equal(field(interp::kTensorDeviceType, I32), C(1)), "device type"));
      p.Add(Assert(Equal(field(interp::kTensorDeviceId, I32), C(0)), "device id"));
      p.Add(Assert(Equal(field(interp::kTensorByteOffset, U64), b::Int(U64, 0)), "byte offset"));
      const uint32_t shape = p.Var("shape", HANDLE);
      const uint32_t strides = p.Var("strides", HANDLE);
      p.Add(b::Bind(shape, field(interp::kTensorShape, HANDLE)));
      p.Add(b::Bind(strides, field(interp::kTensorStrides, HANDLE)));
      const auto element = [&](uint32_t array, int64_t at) {
        return b::Cast(I32, Get(p.V(array), at, interp::kInt64ArrayElement, I64));
      };
      p.Add(Assert(Equal(element(shape, 0), C(2)), "shape 0"));
      p.Add(Assert(Equal(element(shape, 1), C(3)), "shape 1"));
      p.Add(b::If(b::Unary(NOT, IsNull(p.V(strides))),
                  {Assert(Equal(element(strides, 0), C(3)), "stride 0"),
                   Assert(Equal(element(strides, 1), C(1)), "stride 1")}));
      p.Add(View(buffer, b::Reinterpret(HANDLE, field(interp::kTensorData, HANDLE))));
    }
  }
};

InterpretOptions WithSignature(const Original& original) {
  InterpretOptions options;
  options.mode = InterpretOptions::Mode::kPassResult;
  static Function signature;
  signature = const_cast<Original&>(original).p.module().functions(0);
  options.signature = &signature;
  return options;
}

TEST(PackedApi, SameOutputsAsTheOriginal) {
  Original original;
  const Interpretation expected = original.p.Run();
  Packed packed;
  uint32_t a, out, n;
  packed.Decode(&a, &out, &n);
  Program& p = packed.p;
  const uint32_t i = p.Var("i");
  const uint32_t j = p.Var("j");
  Expr sum = b::Binary(ADD, p.L(a, {p.V(i), p.V(j)}), p.V(n));
  p.Add(b::For(i, C(0), C(2), SERIAL,
               {b::For(j, C(0), C(3), SERIAL, {b::Store(out, sum, {p.V(i), p.V(j)})})}));
  p.Add(packed.Return(0));
  p.inputs() = original.p.inputs();
  const Interpretation result = p.Run(WithSignature(original));
  EXPECT_DEFINED(result);
  const auto difference = Compare(expected, result);
  EXPECT_FALSE(difference) << difference->ToString();
  EXPECT_EQ(result.outputs_size(), 2);
}

TEST(PackedApi, AFailedCheckAndAnErrorCode) {
  Original original;
  {
    Packed packed;
    packed.p.Add(packed.Assert(packed.Equal(packed.p.V(packed.num_args), C(4)), "four arguments"));
    const Interpretation result = packed.p.Run(WithSignature(original));
    EXPECT_UNDEFINED(result, "assertion failed: ValueError: four arguments");
  }
  {
    Packed packed;
    packed.p.Add(packed.Return(-1));
    EXPECT_UNDEFINED(packed.p.Run(WithSignature(original)), "returned an error: -1");
  }
  {
    Packed packed;
    packed.p.Add(b::Evaluate(b::Call("tvm_throw_last_error", I32, {})));
    EXPECT_UNDEFINED(packed.p.Run(WithSignature(original)), "tvm_throw_last_error");
  }
}

TEST(PackedApi, ReturnValuesGoToTheResult) {
  Original original;
  Packed packed;
  Program& p = packed.p;
  p.Add(packed.Set(p.V(packed.result), 0, interp::kAnyTypeIndex, C(interp::kTypeInt)));
  p.Add(packed.Set(p.V(packed.result), 0, interp::kAnyZeroPadding, C(0)));
  p.Add(packed.Set(p.V(packed.result), 0, interp::kAnyValue, b::Int(I64, 5)));
  p.Add(packed.Return(0));
  EXPECT_DEFINED(p.Run(WithSignature(original)));
}

TEST(PackedApi, PointersAreNoNumbers) {
  Original original;
  Packed packed;
  Program& p = packed.p;
  const uint32_t view = p.Buffer("V", I32, {1});
  // The integer argument, taken for a pointer.
  p.Add(packed.View(view, packed.Get(p.V(packed.args), 1, interp::kAnyValue, HANDLE)));
  p.Add(b::Store(view, C(1), {C(0)}));
  const Interpretation result = p.Run(WithSignature(original));
  EXPECT_EQ(result.status(), Interpretation::UNDEFINED);
}

TEST(PackedApi, WorkspacesAreMemoryUntilFreed) {
  for (bool early : {false, true}) {
    for (int64_t extent : {4, 5}) {
      Original original;
      Packed packed;
      Program& p = packed.p;
      const uint32_t view = p.Buffer("W", F32, {extent});
      Expr allocate =
          b::Call("TVMBackendAllocWorkspace", HANDLE, {C(1), C(0), b::Int(U64, 16), C(2), C(32)});
      p.Add(packed.View(view, allocate));
      Expr data;
      data.set_op(BUFFER_DATA);
      data.set_type(HANDLE);
      data.set_id(view);
      p.Add(b::If(packed.IsNull(data), {packed.Return(-1)}));
      const Stmt release =
          b::If(b::Binary(NE, b::Call("TVMBackendFreeWorkspace", I32, {C(1), C(0), data}), C(0)),
                {packed.Return(-1)});
      if (early) p.Add(release);
      p.Add(b::Store(view, F(1), {C(extent - 1)}));
      if (!early) p.Add(release);
      p.Add(packed.Return(0));
      const Interpretation result = p.Run(WithSignature(original));
      EXPECT_EQ(result.status(),
                !early && extent == 4 ? Interpretation::DEFINED : Interpretation::UNDEFINED)
          << result.reason();
    }
  }
}

TEST(PackedApi, CallsOfPackedFunctionsThroughAStack) {
  // main fills a stack of TVMFFIAny as LowerTVMBuiltin does and calls "callee".
  Original original;
  Packed packed;
  Program& p = packed.p;
  Packed callee;
  callee.p.function()->set_name("callee");
  callee.p.Add(callee.Assert(callee.Equal(callee.p.V(callee.num_args), C(1)), "one argument"));
  Expr twice = b::Binary(MUL, callee.Get(callee.p.V(callee.args), 0, interp::kAnyValue, I64),
                         b::Int(I64, 2));
  callee.p.Add(callee.Set(callee.p.V(callee.result), 0, interp::kAnyTypeIndex, C(1)));
  callee.p.Add(callee.Set(callee.p.V(callee.result), 0, interp::kAnyValue, twice));
  callee.p.Add(callee.Return(0));
  *p.module().add_functions() = *callee.p.function();
  const uint32_t stack = p.Var("stack", HANDLE);
  Expr alloca = b::Call("tvm_stack_alloca", HANDLE, {b::String("tvm_ffi_any"), C(2)});
  p.Add(b::Bind(stack, alloca));
  p.Add(packed.Set(p.V(stack), 0, interp::kAnyTypeIndex, C(interp::kTypeInt)));
  p.Add(packed.Set(p.V(stack), 0, interp::kAnyZeroPadding, C(0)));
  p.Add(packed.Set(p.V(stack), 0, interp::kAnyValue, b::Int(I64, 21)));
  Expr call =
      b::Call("tvm_call_cpacked_lowered", I32, {b::String("callee"), p.V(stack), C(0), C(1)});
  call.clear_lanes();
  const uint32_t got = p.Var("got");
  p.Add(b::Bind(got, call));
  p.Add(packed.Assert(packed.Equal(p.V(got), C(42)), "the result"));
  p.Add(packed.Return(0));
  EXPECT_DEFINED(p.Run(WithSignature(original)));
}

TEST(PackedApi, ArraysOnTheStack) {
  Original original;
  Packed packed;
  Program& p = packed.p;
  Expr data = packed.Get(packed.Get(p.V(packed.args), 0, interp::kAnyValue, HANDLE), 0,
                         interp::kTensorData, HANDLE);
  Expr shape = b::Call("tvm_stack_make_shape", HANDLE, {b::Int(I64, 3), b::Int(I64, 2)});
  Expr none = b::Reinterpret(HANDLE, b::Int(U64, 0));
  Expr type = b::Call("type_annotation", F16, {});
  Expr array = b::Call("tvm_stack_make_array", HANDLE, {data, shape, none, C(2), type, C(4)});
  const uint32_t handle = p.Var("array", HANDLE);
  p.Add(b::Bind(handle, array));
  const auto field = [&](StructFieldKind kind, ScalarType as) {
    return packed.Get(p.V(handle), 0, kind, as);
  };
  p.Add(packed.Assert(packed.Equal(field(interp::kTensorTypeBits, U8), b::Int(U8, 16)), "bits"));
  p.Add(
      packed.Assert(packed.Equal(field(interp::kTensorByteOffset, U64), b::Int(U64, 8)), "offset"));
  p.Add(packed.Assert(packed.IsNull(field(interp::kTensorStrides, HANDLE)), "strides"));
  p.Add(packed.Assert(packed.Equal(packed.Get(field(interp::kTensorShape, HANDLE), 1,
                                              interp::kInt64ArrayElement, I64),
                                   b::Int(I64, 2)),
                      "shape"));
  p.Add(packed.Return(0));
  EXPECT_DEFINED(p.Run(WithSignature(original)));
}

}  // namespace
}  // namespace irate
