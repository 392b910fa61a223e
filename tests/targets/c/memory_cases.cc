#include "case_maker.h"
#include "ir/types.h"
#include "statement_cases.h"

namespace irate::c_target_test {
namespace {

using namespace build;

Case Locals(int64_t extent) {
  CaseMaker make("a local of " + std::to_string(extent) + " elements");
  const uint32_t a = make.Param("a", F32, 8);
  const uint32_t local = make.Local("local", F32, {I32Const(extent)});
  const uint32_t i = make.Variable("i", I32);
  const uint32_t j = make.Variable("j", I32);
  const auto last = [&] { return I32Const(extent - 1); };
  make.Add(make.Loop(
      i, 8,
      {Alloc(local), Store(local, make.Load(a, {make.Var(i)}), {last()}),
       make.Loop(j, 3,
                 {Store(local, Binary(ADD, make.Load(local, {last()}), Cast(F32, make.Var(j))),
                        {last()})}),
       Store(a, make.Load(local, {last()}), {make.Var(i)})}));
  return make.Done();
}

Case ScalarBuffer() {
  CaseMaker make("a buffer without dimensions");
  const uint32_t a = make.Param("a", I32, std::vector<Expr>{});
  make.Add(Store(a, Binary(MUL, make.Load(a, {}), I32Const(2)), {}));
  return make.Done();
}

Case VectorStores() {
  CaseMaker make("ramp, strided and scattered vector accesses");
  const uint32_t a = make.Param("a", I32, 32);
  const uint32_t b = make.Param("b", I32, {I32Const(4), I32Const(8)});
  make.Add(Store(a, make.Load(a, {Ramp(I32Const(16), I32Const(2), 8)}),
                 {Ramp(I32Const(0), I32Const(1), 8)}));
  make.Add(Store(b, Broadcast(I32Const(7), 4), {I32Const(2), Ramp(I32Const(7), I32Const(-2), 4)}));
  Expr scattered = Ramp(I32Const(0), I32Const(1), 4);
  scattered = Binary(FLOOR_MOD, Binary(MUL, scattered, Broadcast(I32Const(3), 4)),
                     Broadcast(I32Const(8), 4));
  make.Add(Store(b, make.Load(a, {scattered}), {I32Const(1), scattered}));
  return make.Done();
}

// Elements that are vectors themselves.
Case VectorElements() {
  CaseMaker make("a buffer of vectors");
  const uint32_t a = make.Param("a", I32, 6);
  make.function()->mutable_buffers(static_cast<int>(a))->set_lanes(4);
  const uint32_t b = make.Param("b", I32, 6);
  make.function()->mutable_buffers(static_cast<int>(b))->set_lanes(4);
  make.Add(Store(b, Binary(ADD, make.Load(a, {I32Const(5)}), Ramp(I32Const(1), I32Const(1), 4)),
                 {I32Const(2)}));
  make.Add(Store(b, make.Load(a, {Ramp(I32Const(1), I32Const(2), 2)}),
                 {Ramp(I32Const(0), I32Const(4), 2)}));
  return make.Done();
}

Case OddVectorElements(ScalarType type) {
  CaseMaker make("a buffer of three-lane " + std::string(TypeName(type)));
  const uint32_t a = make.Param("a", type, 4);
  make.function()->mutable_buffers(static_cast<int>(a))->set_lanes(3);
  make.Add(Store(a, make.Load(a, {I32Const(3)}), {I32Const(0)}));
  return make.Done();
}

Case ViewOfAnotherType() {
  CaseMaker make("a view of the same memory as another type");
  const uint32_t a = make.Param("a", F32, 8);
  const uint32_t bits = make.Local("bits", U32, {I32Const(8)});
  const uint32_t halves = make.Local("halves", U16, {I32Const(16)});
  const uint32_t out = make.Param("out", U16, 16);
  const uint32_t i = make.Variable("i", I32);
  make.Add(DeclareView(bits, DataOf(a))).Add(DeclareView(halves, DataOf(a)));
  make.Add(
      make.Loop(i, 8,
                {Store(bits, Binary(BIT_XOR, make.Load(bits, {make.Var(i)}), Int(U32, 1u << 30)),
                       {make.Var(i)}),
                 Store(out, make.Load(halves, {Binary(MUL, make.Var(i), I32Const(2))}),
                       {Binary(MUL, make.Var(i), I32Const(2))})}));
  return make.Done();
}

Case StridedView() {
  CaseMaker make("a transposing view with an offset");
  const uint32_t a = make.Param("a", I32, {I32Const(5), I32Const(7)});
  const uint32_t view = make.Local("view", I32, {I32Const(6), I32Const(4)});
  Buffer* declared = make.function()->mutable_buffers(static_cast<int>(view));
  *declared->add_strides() = I32Const(1);
  *declared->add_strides() = I32Const(7);
  *declared->mutable_elem_offset() = I32Const(8);
  const uint32_t i = make.Variable("i", I32);
  const uint32_t j = make.Variable("j", I32);
  make.Add(DeclareView(view, DataOf(a)));
  make.Add(make.Loop(i, 6,
                     {make.Loop(j, 4,
                                {Store(view, Binary(SUB, make.Var(i), make.Var(j)),
                                       {make.Var(i), make.Var(j)})})}));
  return make.Done();
}

Case Pointers() {
  CaseMaker make("addresses and byte offsets");
  const uint32_t a = make.Param("a", I32, 12);
  const uint32_t part = make.Local("part", I32, {I32Const(4)});
  const uint32_t rest = make.Local("rest", I32, {I32Const(2)});
  const uint32_t handle = make.Variable("handle", HANDLE);
  make.Add(Bind(handle, Call("address_of", HANDLE, {make.Load(a, {I32Const(3)})})));
  make.Add(DeclareView(part, make.Var(handle)));
  make.Add(DeclareView(rest, Call("handle_add_byte_offset", HANDLE, {DataOf(a), I32Const(40)})));
  make.Add(Store(part, make.Load(a, {I32Const(0)}), {I32Const(1)}));
  make.Add(Store(rest, I32Const(99), {I32Const(1)}));
  make.Add(If(Unary(NOT, Call("isnullptr", BOOL, {make.Var(handle)})),
              {Store(part, I32Const(5), {I32Const(3)})}));
  return make.Done();
}

Case StridedParameter() {
  CaseMaker make("a parameter with strides and an offset");
  const uint32_t a = make.Param("a", I32, {I32Const(3), I32Const(4)});
  Buffer* declared = make.function()->mutable_buffers(static_cast<int>(a));
  *declared->add_strides() = I32Const(10);
  *declared->add_strides() = I32Const(2);
  *declared->mutable_elem_offset() = I32Const(5);
  const uint32_t i = make.Variable("i", I32);
  const uint32_t j = make.Variable("j", I32);
  make.Add(make.Loop(i, 3,
                     {make.Loop(j, 4,
                                {Store(a,
                                       Binary(ADD, make.Load(a, {make.Var(i), make.Var(j)}),
                                              Binary(MUL, make.Var(i), I32Const(100))),
                                       {make.Var(i), make.Var(j)})})}));
  return make.Done();
}

Case LazyGuards() {
  CaseMaker make("a load that only the chosen arm makes");
  const uint32_t a = make.Param("a", I32, 8);
  const uint32_t b = make.Param("b", I32, 10);
  const uint32_t i = make.Variable("i", I32);
  Expr inside =
      Binary(AND, Binary(LE, I32Const(1), make.Var(i)), Binary(LT, make.Var(i), I32Const(9)));
  Expr load = make.Load(a, {Binary(SUB, make.Var(i), I32Const(1))});
  make.Add(make.Loop(i, 10, {Store(b, IfThenElse(inside, load, I32Const(0)), {make.Var(i)})}));
  return make.Done();
}

}  // namespace

std::vector<Case> MemoryCases() {
  std::vector<Case> cases = {Locals(4),
                             Locals(3000),
                             ScalarBuffer(),
                             VectorStores(),
                             VectorElements(),
                             OddVectorElements(F16),
                             OddVectorElements(BOOL),
                             ViewOfAnotherType(),
                             StridedView(),
                             Pointers(),
                             StridedParameter(),
                             LazyGuards()};
  return cases;
}

}  // namespace irate::c_target_test
