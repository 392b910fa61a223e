// Every integer operator against a naive evaluation in 128 bits: all pairs of 8-bit values, and
// pairs of edges for the wider types.
#include "ir/interpreter/int_ops.h"

#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace irate::interp {
namespace {

using Wide = __int128;

Wide MinOf(ScalarType type) {
  return IsSigned(type) ? -(Wide{1} << (BitWidth(type) - 1)) : Wide{0};
}
Wide MaxOf(ScalarType type) { return (Wide{1} << (BitWidth(type) - (IsSigned(type) ? 1 : 0))) - 1; }
bool Fits(ScalarType type, Wide v) { return v >= MinOf(type) && v <= MaxOf(type); }
Wide Wrap(ScalarType type, Wide v) {
  const Wide range = Wide{1} << BitWidth(type);
  Wide r = ((v % range) + range) % range;
  return r > MaxOf(type) ? r - range : r;
}

Cell Leaf(ScalarType type, Wide v) {
  Cell cell;
  SetIntLeaf(type, static_cast<int64_t>(v), 0, &cell);
  return cell;
}

// What the mathematical result is; nothing where the operation has none.
std::optional<Wide> Exact(Op op, ScalarType type, Wide a, Wide b) {
  const auto floor_div = [](Wide x, Wide y) {
    Wide q = x / y;
    return q * y != x && ((x < 0) != (y < 0)) ? q - 1 : q;
  };
  const int bits = BitWidth(type);
  switch (op) {
    case ADD:
      return a + b;
    case SUB:
      return a - b;
    case MUL: {
      Wide product = 0;
      if (!__builtin_mul_overflow(a, b, &product)) return product;
      // Two u64: some number beyond the type with the same low bits.
      return (Wide{1} << 64) + static_cast<uint64_t>(product);
    }
    case MIN:
      return a < b ? a : b;
    case MAX:
      return a > b ? a : b;
    case BIT_AND:
      return a & b;
    case BIT_OR:
      return a | b;
    case BIT_XOR:
      return a ^ b;
    case SHL:
      if (b < 0 || b >= bits) return std::nullopt;
      return a * (Wide{1} << static_cast<int>(b));
    case SHR:
      if (b < 0 || b >= bits) return std::nullopt;
      return floor_div(a, Wide{1} << static_cast<int>(b));
    default:
      break;
  }
  if (b == 0) return std::nullopt;
  if (IsSigned(type) && b == -1 && a == MinOf(type)) return std::nullopt;
  switch (op) {
    case TRUNC_DIV:
      return a / b;
    case TRUNC_MOD:
      return a % b;
    case FLOOR_DIV:
      return floor_div(a, b);
    case FLOOR_MOD:
      return a - floor_div(a, b) * b;
    default:
      return std::nullopt;
  }
}

Trap Apply(Op op, ScalarType type, bool source, const Cell& a, const Cell& b, Cell* out) {
  switch (op) {
    case ADD:
      return AddInt(type, source, a, b, out);
    case SUB:
      return SubInt(type, source, a, b, out);
    case MUL:
      return MulInt(type, source, a, b, out);
    case MIN:
    case MAX:
      MinMaxInt(op, type, a, b, out);
      return Trap::kNone;
    case BIT_AND:
    case BIT_OR:
    case BIT_XOR:
      BitwiseInt(op, type, a, b, out);
      return Trap::kNone;
    case SHL:
    case SHR:
      return ShiftInt(op, type, source, a, b, out);
    default:
      return DivideInt(op, type, source, a, b, out);
  }
}

constexpr Op kOps[] = {ADD, SUB,     MUL,    TRUNC_DIV, TRUNC_MOD, FLOOR_DIV, FLOOR_MOD,
                       MIN, BIT_AND, BIT_OR, BIT_XOR,   SHL,       SHR,       MAX};

// Empty, or what is wrong.
std::string CheckPair(Op op, ScalarType type, Wide a, Wide b, bool source) {
  const std::optional<Wide> exact = Exact(op, type, a, b);
  const bool overflows = exact && !Fits(type, *exact);
  const bool traps_on_overflow = (type == I32 || type == I64) && op != SHL && source;
  Cell out;
  const Trap trap = Apply(op, type, source, Leaf(type, a), Leaf(type, b), &out);
  if (!exact) {
    if ((op != SHL && op != SHR) || source) return trap != Trap::kNone ? "" : "no trap";
    if (trap != Trap::kNone) return "a trap instead of poison";
    return (out.flags & kPoison) != 0 ? "" : "no poison";
  }
  if (overflows && traps_on_overflow) return trap == Trap::kOverflow ? "" : "no overflow trap";
  if (trap != Trap::kNone) return "a trap";
  if (out.i != static_cast<int64_t>(Wrap(type, *exact))) return "another value";
  if (overflows) {
    // Bits that a pass shifts out on purpose are no doubt.
    const bool meant = op == SHL && !source && IsUnsigned(type);
    return meant || (out.flags & kFragile) != 0 ? "" : "not fragile";
  }
  const double value = IntAsDouble(type, out.i);
  return out.p >= value && out.n >= -value ? "" : "the value is outside of its own bounds";
}

void CheckPairs(Op op, ScalarType type, const std::vector<Wide>& values) {
  for (Wide a : values) {
    for (Wide b : values) {
      for (bool source : {true, false}) {
        const std::string error = CheckPair(op, type, a, b, source);
        ASSERT_EQ(error, "") << OpName(op) << " " << TypeName(type) << " "
                             << static_cast<int64_t>(a) << ", " << static_cast<int64_t>(b)
                             << (source ? " in a source program" : " in a pass's result");
      }
    }
  }
}

TEST(IntOps, AllPairsOfBytes) {
  for (ScalarType type : {I8, U8}) {
    std::vector<Wide> values;
    for (Wide a = MinOf(type); a <= MaxOf(type); ++a) values.push_back(a);
    for (Op op : kOps) CheckPairs(op, type, values);
  }
}

TEST(IntOps, EdgesOfWiderTypes) {
  for (ScalarType type : {I16, I32, I64, U16, U32, U64}) {
    std::vector<Wide> edges;
    for (Wide around : {MinOf(type), MaxOf(type), Wide{0}, MaxOf(type) / 2, Wide{1} << 15}) {
      for (int d = -2; d <= 2; ++d) {
        if (Fits(type, around + d)) edges.push_back(around + d);
      }
    }
    for (Op op : kOps) CheckPairs(op, type, edges);
  }
}

TEST(IntOps, ComparisonsAndNot) {
  for (ScalarType type : {I8, U8}) {
    for (Wide a = MinOf(type); a <= MaxOf(type); ++a) {
      Cell flipped;
      NotInt(type, Leaf(type, a), &flipped);
      ASSERT_EQ(flipped.i, static_cast<int64_t>(Wrap(type, -a - 1)));
      for (Wide b = MinOf(type); b <= MaxOf(type); ++b) {
        const bool expected[] = {a == b, a != b, a<b, a <= b, a> b, a >= b};
        for (int k = 0; k < 6; ++k) {
          Cell out;
          CompareInt(static_cast<Op>(EQ + k), type, Leaf(type, a), Leaf(type, b), &out);
          ASSERT_EQ(out.i != 0, expected[k]);
          ASSERT_EQ(out.flags, 0);
        }
      }
    }
  }
  Cell out;
  CompareInt(LT, U64, Leaf(U64, -1), Leaf(U64, 0), &out);
  EXPECT_EQ(out.i, 0) << "u64 is unsigned";
}

TEST(IntOps, CastsOfEveryPairOfTypes) {
  const ScalarType types[] = {BOOL, I8, I16, I32, I64, U8, U16, U32, U64};
  for (ScalarType from : types) {
    for (ScalarType to : types) {
      for (Wide a :
           {MinOf(from), MaxOf(from), Wide{0}, Wide{1}, MaxOf(from) / 2, MinOf(from) / 2}) {
        SCOPED_TRACE(testing::Message()
                     << TypeName(from) << " " << static_cast<int64_t>(a) << " to " << TypeName(to));
        Cell out;
        CastInt(from, to, true, Leaf(from, a), &out);
        if (to == BOOL) {
          EXPECT_EQ(out.i, a != 0 ? 1 : 0);
          continue;
        }
        EXPECT_EQ(out.i, static_cast<int64_t>(Wrap(to, a)));
        if (!Fits(to, a)) {
          EXPECT_TRUE(out.flags & kFragile);
        }
      }
    }
  }
}

TEST(IntOps, LogicIsDecidedByACertainOperand) {
  Cell certain_false;
  SetBool(false, 0, &certain_false);
  Cell doubtful;
  SetBool(true, kFragile, &doubtful);
  Cell out;
  LogicInt(true, doubtful, certain_false, &out);
  EXPECT_EQ(out.i, 0);
  EXPECT_EQ(out.flags, 0);
  LogicInt(false, doubtful, certain_false, &out);
  EXPECT_EQ(out.i, 1);
  EXPECT_EQ(out.flags, kFragile);
}

TEST(IntOps, ConfinementRemovesLooseFlags) {
  Cell loose;
  SetIntLeaf(I32, 7, kInconclusive | kLoose, &loose);
  Cell out;
  MinMaxInt(MIN, I32, loose, Leaf(I32, 15), &out);
  EXPECT_EQ(out.flags, kInconclusive | kLooseLow);
  MinMaxInt(MAX, I32, out, Leaf(I32, 0), &out);
  EXPECT_EQ(out.flags, kInconclusive);
  ASSERT_EQ(DivideInt(FLOOR_MOD, I32, true, loose, Leaf(I32, 4), &out), Trap::kNone);
  EXPECT_EQ(out.flags, kInconclusive);
  ASSERT_EQ(SubInt(I32, true, Leaf(I32, 0), loose, &out), Trap::kNone);
  EXPECT_EQ(out.flags, kInconclusive | kLoose);
}

}  // namespace
}  // namespace irate::interp
