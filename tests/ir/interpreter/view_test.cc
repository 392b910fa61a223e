// Buffers over memory: strides, offsets, views of other types and sizes, matched regions.
#include <cmath>

#include "tests/ir/interpreter/fixture.h"

namespace irate {
namespace {

Stmt View(uint32_t buffer, Expr data) {
  Stmt stmt;
  stmt.set_kind(DECL_BUFFER);
  stmt.set_id(buffer);
  *stmt.add_args() = std::move(data);
  return stmt;
}

Expr DataOf(uint32_t buffer) {
  Expr expr;
  expr.set_op(BUFFER_DATA);
  expr.set_type(HANDLE);
  expr.set_id(buffer);
  return expr;
}

TEST(Views, StridesAndOffsetOfAParameter) {
  Program p;
  const uint32_t a = p.Param("A", I32, {2, 3});
  Buffer* buffer = p.function()->mutable_buffers(0);
  *buffer->add_strides() = C(10);
  *buffer->add_strides() = C(2);
  *buffer->mutable_elem_offset() = C(5);
  const uint32_t out = p.Param("B", I32, {2, 3});
  const uint32_t i = p.Var("i");
  const uint32_t j = p.Var("j");
  p.Add(b::For(i, C(0), C(2), SERIAL,
               {b::For(j, C(0), C(3), SERIAL,
                       {b::Store(out, p.L(a, {p.V(i), p.V(j)}), {p.V(i), p.V(j)}),
                        b::Store(a, C(7), {p.V(i), p.V(j)})})}));
  const absl::StatusOr<std::vector<ArgumentValue>> arguments =
      MakeArguments(*p.function(), p.inputs());
  const Interpretation result = p.Run();
  EXPECT_DEFINED(result);
  EXPECT_EQ(result.outputs(1).tensor().data(), (*arguments)[0].tensor.data());
  for (size_t k = 0; k < 6; ++k) EXPECT_EQ(Element(result, 0, k), 7);
}

TEST(Views, AnotherShapeOfTheSameMemory) {
  Program p;
  const uint32_t a = p.Param("A", I32, {4, 4});
  const uint32_t flat = p.Buffer("F", I32, {16});
  const uint32_t i = p.Var("i");
  p.Add(View(flat, DataOf(a)));
  p.Add(b::For(i, C(0), C(16), SERIAL, {b::Store(flat, p.V(i), {p.V(i)})}));
  const Interpretation result = p.Run();
  EXPECT_DEFINED(result);
  for (size_t k = 0; k < 16; ++k) EXPECT_EQ(Element(result, 0, k), static_cast<double>(k));
}

TEST(Views, AViewDoesNotReachBeyondItsMemory) {
  for (int64_t extent : {4, 5}) {
    Program p;
    const uint32_t a = p.Param("A", I32, {4});
    const uint32_t view = p.Buffer("F", I32, {extent});
    p.Add(View(view, DataOf(a)));
    p.Add(b::Store(view, C(1), {C(extent - 1)}));
    EXPECT_EQ(p.Run().status(), extent == 4 ? Interpretation::DEFINED : Interpretation::UNDEFINED);
    EXPECT_EQ(p.RunAsResult().status(),
              extent == 4 ? Interpretation::DEFINED : Interpretation::UNDEFINED);
  }
}

TEST(Views, PointersWithOffsets) {
  Program p;
  const uint32_t a = p.Param("A", I32, {8});
  const uint32_t tail = p.Buffer("T", I32, {4});
  const uint32_t end = p.Buffer("E", I32, {1});
  const uint32_t last = p.Buffer("L", I32, {2});
  p.Range(0, 1, 1);
  p.Add(View(tail, b::Call("handle_add_byte_offset", HANDLE, {DataOf(a), C(16)})));
  p.Add(View(end, b::Call("address_of", HANDLE, {p.L(tail, {C(3)})})));
  Expr type = b::Call("type_annotation", I32, {});
  p.Add(View(last, b::Call("tvm_access_ptr", HANDLE, {type, DataOf(a), C(5), C(2), C(3)})));
  p.Add(b::Store(tail, C(10), {C(0)}));
  p.Add(b::Store(end, C(20), {C(0)}));
  p.Add(b::Store(last, C(30), {C(1)}));
  const Interpretation result = p.Run();
  EXPECT_DEFINED(result);
  const double expected[] = {1, 1, 1, 1, 10, 1, 30, 20};
  for (size_t k = 0; k < 8; ++k) EXPECT_EQ(Element(result, 0, k), expected[k]) << k;
}

TEST(Views, OtherTypesOfOneSize) {
  Program p;
  const uint32_t a = p.Param("A", F32, {2});
  const uint32_t bits = p.Buffer("U", U32, {2});
  const uint32_t out = p.Param("B", U32, {1});
  p.Range(0, 1, 1);
  p.Add(View(bits, DataOf(a)));
  p.Add(b::Store(out, p.L(bits, {C(0)}), {C(0)}));
  p.Add(b::Store(bits, b::Int(U32, 0x40400000), {C(1)}));
  const Interpretation result = p.Run();
  EXPECT_DEFINED(result);
  EXPECT_EQ(Element(result, 1, 0), 0x3F800000);
  EXPECT_EQ(Element(result, 0, 1), 3);
  EXPECT_EQ(Judged(result, 0, 1), kJudged);
}

TEST(Views, BitsOfARoundedFloatAreInconclusive) {
  Program p;
  const uint32_t a = p.Param("A", F32, {1});
  const uint32_t bits = p.Buffer("U", U32, {1});
  const uint32_t out = p.Param("B", U32, {1});
  p.Add(View(bits, DataOf(a)));
  p.Add(b::Store(a, b::Binary(MUL, F(0.1), F(0.3)), {C(0)}));
  p.Add(b::Store(out, p.L(bits, {C(0)}), {C(0)}));
  const Interpretation result = p.Run();
  EXPECT_DEFINED(result);
  EXPECT_EQ(Judged(result, 1, 0), kNotJudged);
  EXPECT_EQ(Judged(result, 0, 0), kJudged);
}

TEST(Views, BytesOfWiderElements) {
  Program p;
  const uint32_t words = p.Param("A", I32, {2});
  const uint32_t bytes = p.Buffer("Y", U8, {8});
  const uint32_t halves = p.Buffer("H", I16, {4});
  const uint32_t out = p.Param("B", I32, {2});
  p.Range(0, 0x11, 0x11);
  p.Add(View(bytes, DataOf(words)));
  p.Add(View(halves, DataOf(words)));
  p.Add(b::Store(bytes, b::Int(U8, 0x7F), {C(5)}));
  p.Add(b::Store(out, b::Cast(I32, p.L(halves, {C(2)})), {C(0)}));
  p.Add(b::Store(out, p.L(words, {C(1)}), {C(1)}));
  const Interpretation result = p.Run();
  EXPECT_DEFINED(result);
  EXPECT_EQ(Element(result, 1, 0), 0x7F11);
  EXPECT_EQ(Element(result, 1, 1), 0x7F11);
}

TEST(Views, InitialisedByteByByte) {
  for (int64_t written : {4, 3}) {
    Program p;
    const uint32_t out = p.Param("B", I32, {1});
    const uint32_t word = p.Buffer("W", I32, {1});
    const uint32_t bytes = p.Buffer("Y", U8, {4});
    p.Add(b::Alloc(word));
    p.Add(View(bytes, DataOf(word)));
    const uint32_t i = p.Var("i");
    p.Add(b::For(i, C(0), C(written), SERIAL, {b::Store(bytes, b::Int(U8, 2), {p.V(i)})}));
    p.Add(b::Store(out, p.L(word, {C(0)}), {C(0)}));
    const Interpretation result = p.Run();
    if (written == 4) {
      EXPECT_DEFINED(result);
      EXPECT_EQ(Element(result, 0, 0), 0x02020202);
    } else {
      EXPECT_UNDEFINED(result, "never written");
    }
  }
}

TEST(Views, WideValuesInNarrowMemoryKeepTheirBounds) {
  // f32 in a buffer of bytes, as shared memory is merged.
  for (bool clobbered : {false, true}) {
    Program p;
    const uint32_t out = p.Param("B", F32, {1});
    const uint32_t bytes = p.Buffer("Y", U8, {8});
    const uint32_t floats = p.Buffer("F", F32, {2});
    p.Add(b::Alloc(bytes));
    p.Add(View(floats, DataOf(bytes)));
    p.Add(b::Store(floats, b::Binary(MUL, F(0.1), F(0.3)), {C(1)}));
    if (clobbered) p.Add(b::Store(bytes, b::Int(U8, 0), {C(4)}));
    p.Add(b::Store(out, p.L(floats, {C(1)}), {C(0)}));
    const Interpretation result = p.Run();
    EXPECT_DEFINED(result);
    EXPECT_NEAR(Element(result, 0, 0), 0.03, 1e-6);
    EXPECT_EQ(Judged(result, 0, 0) == kJudged, !clobbered);
    if (!clobbered) {
      EXPECT_GT(BoundAt(result, 0, 0), 0);
    }
  }
}

TEST(Views, MatchedRegionsDefineStridesAndOffset) {
  Program p;
  const uint32_t a = p.Param("A", I32, {4, 6});
  const uint32_t out = p.Param("B", I32, {2});
  const uint32_t stride = p.Var("s", I32);
  const uint32_t offset = p.Var("o", I32);
  const uint32_t view = p.Buffer("M", I32, {3});
  Buffer* matched = p.function()->mutable_buffers(static_cast<int>(view));
  *matched->add_strides() = p.V(stride);
  *matched->mutable_elem_offset() = p.V(offset);
  Stmt block;
  block.set_kind(BLOCK);
  block.mutable_block()->set_name("root");
  MatchBuffer* match = block.mutable_block()->add_match_buffers();
  match->set_buffer(view);
  match->mutable_source()->set_buffer(a);
  for (auto [min, extent] : {std::pair{2, 1}, std::pair{3, 3}}) {
    Range* range = match->mutable_source()->add_ranges();
    *range->mutable_min() = C(min);
    *range->mutable_extent() = C(extent);
  }
  *block.add_body() = b::Store(view, C(77), {C(1)});
  *block.add_body() = b::Store(out, p.V(stride), {C(0)});
  *block.add_body() = b::Store(out, p.V(offset), {C(1)});
  p.Add(block);
  const Interpretation result = p.Run();
  EXPECT_DEFINED(result);
  EXPECT_EQ(Element(result, 0, 2 * 6 + 4), 77);
  EXPECT_EQ(Element(result, 1, 0), 1);
  EXPECT_EQ(Element(result, 1, 1), 2 * 6 + 3);
}

TEST(Views, MatchedRegionOutsideOfItsSource) {
  for (int64_t min : {2, 3}) {
    Program p;
    const uint32_t a = p.Param("A", I32, {4});
    const uint32_t view = p.Buffer("M", I32, {2});
    Stmt block;
    block.set_kind(BLOCK);
    MatchBuffer* match = block.mutable_block()->add_match_buffers();
    match->set_buffer(view);
    match->mutable_source()->set_buffer(a);
    Range* range = match->mutable_source()->add_ranges();
    *range->mutable_min() = C(min);
    *range->mutable_extent() = C(2);
    *block.add_body() = b::Store(view, C(1), {C(0)});
    p.Add(block);
    EXPECT_EQ(p.Run().status(), min == 2 ? Interpretation::DEFINED : Interpretation::UNDEFINED);
  }
}

TEST(Views, BuffersOfVectors) {
  Program p;
  const uint32_t out = p.Param("B", F32, {8});
  const uint32_t view = p.Buffer("V", F32, {2});
  p.function()->mutable_buffers(static_cast<int>(view))->set_lanes(4);
  p.Add(View(view, DataOf(out)));
  p.Add(b::Store(view, b::Broadcast(F(3), 4), {C(1)}));
  p.Add(b::Store(out, b::Binary(ADD, p.L(out, {b::Ramp(C(4), C(1), 4)}), b::Broadcast(F(1), 4)),
                 {b::Ramp(C(0), C(1), 4)}));
  const Interpretation result = p.Run();
  EXPECT_DEFINED(result);
  for (size_t k = 0; k < 8; ++k) EXPECT_EQ(Element(result, 0, k), k < 4 ? 4 : 3);
}

TEST(Views, AnAllocationIsFreshEachTime) {
  Program p;
  const uint32_t out = p.Param("B", I32, {3});
  const uint32_t tmp = p.Buffer("T", I32, {1});
  const uint32_t i = p.Var("i");
  p.Add(b::For(i, C(0), C(3), SERIAL,
               {b::Alloc(tmp), b::If(b::Binary(EQ, p.V(i), C(0)), {b::Store(tmp, C(1), {C(0)})}),
                b::Store(out, p.L(tmp, {C(0)}), {p.V(i)})}));
  const Interpretation result = p.Run();
  EXPECT_UNDEFINED(result, "never written: T[0]");
  EXPECT_EQ(result.place(), "for i = 1: store B[1]");
}

}  // namespace
}  // namespace irate
