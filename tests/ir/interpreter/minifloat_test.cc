// Conversions of every float type: all bit patterns, ties, subnormals, the ends.
#include "ir/interpreter/minifloat.h"

#include <cmath>
#include <limits>
#include <vector>

#include "gtest/gtest.h"
#include "ir/types.h"

namespace irate {
namespace {

constexpr ScalarType kNarrow[] = {F16, BF16, F8E4M3FN, F8E5M2};
const double kInf = std::numeric_limits<double>::infinity();

TEST(Minifloat, EveryPatternSurvivesTheRoundTrip) {
  for (ScalarType type : kNarrow) {
    for (uint64_t bits = 0; bits < uint64_t{1} << BitWidth(type); ++bits) {
      const double value = DecodeFloat(type, bits);
      if (std::isnan(value)) {
        EXPECT_TRUE(std::isnan(DecodeFloat(type, EncodeFloat(type, value))));
        continue;
      }
      ASSERT_EQ(EncodeFloat(type, value), bits) << TypeName(type);
      ASSERT_EQ(RoundToType(type, value), value);
    }
  }
}

TEST(Minifloat, KnownValues) {
  EXPECT_EQ(DecodeFloat(F16, 0x3C00), 1.0);
  EXPECT_EQ(DecodeFloat(F16, 0x7BFF), 65504.0);
  EXPECT_EQ(DecodeFloat(F16, 0x0001), 0x1p-24);
  EXPECT_EQ(DecodeFloat(F16, 0xFC00), -kInf);
  EXPECT_EQ(DecodeFloat(BF16, 0x3F80), 1.0);
  EXPECT_EQ(DecodeFloat(BF16, 0x7F7F), 0x1.FEp127);
  EXPECT_EQ(DecodeFloat(F8E4M3FN, 0x7E), 448.0);
  EXPECT_TRUE(std::isnan(DecodeFloat(F8E4M3FN, 0x7F)));
  EXPECT_TRUE(std::isnan(DecodeFloat(F8E4M3FN, 0xFF)));
  EXPECT_EQ(DecodeFloat(F8E4M3FN, 0x01), 0x1p-9);
  EXPECT_EQ(DecodeFloat(F8E5M2, 0x7B), 57344.0);
  EXPECT_EQ(DecodeFloat(F8E5M2, 0x7C), kInf);
  EXPECT_EQ(DecodeFloat(F8E5M2, 0x01), 0x1p-16);
  EXPECT_EQ(DecodeFloat(F32, 0x3F800000), 1.0);
}

TEST(Minifloat, RoundsToTheNearestNeighbourAndTiesToEven) {
  for (ScalarType type : kNarrow) {
    const uint64_t largest = EncodeFloat(type, FormatOf(type).max_finite);
    for (uint64_t bits = 0; bits < largest; ++bits) {
      const double low = DecodeFloat(type, bits);
      const double high = DecodeFloat(type, bits + 1);
      const double middle = (low + high) / 2;
      const double even = bits % 2 == 0 ? low : high;
      ASSERT_EQ(RoundToType(type, middle), even) << TypeName(type) << " " << middle;
      ASSERT_EQ(RoundToType(type, std::nextafter(middle, 0)), low);
      ASSERT_EQ(RoundToType(type, std::nextafter(middle, kInf)), high);
      ASSERT_EQ(RoundToType(type, -middle), -even);
    }
  }
}

TEST(Minifloat, OverflowIsInfinityOrNaN) {
  for (ScalarType type : kNarrow) {
    const FloatFormat& f = FormatOf(type);
    // Half a spacing above the largest: a tie, whose even neighbour does not exist any more.
    const double spacing = f.max_finite - DecodeFloat(type, EncodeFloat(type, f.max_finite) - 1);
    const double edge = f.max_finite + spacing / 2;
    EXPECT_EQ(RoundToType(type, std::nextafter(edge, 0)), f.max_finite) << TypeName(type);
    for (double sign : {1.0, -1.0}) {
      const double rounded = RoundToType(type, sign * edge * 1.01);
      if (type == F8E4M3FN) {
        EXPECT_TRUE(std::isnan(rounded));
        EXPECT_TRUE(std::isnan(RoundToType(type, sign * kInf)));
      } else {
        EXPECT_EQ(rounded, sign * kInf);
        EXPECT_EQ(RoundToType(type, sign * kInf), sign * kInf);
      }
    }
  }
}

TEST(Minifloat, ZeroKeepsItsSign) {
  for (ScalarType type : {F16, BF16, F32, F64, F8E4M3FN, F8E5M2}) {
    EXPECT_TRUE(std::signbit(RoundToType(type, -0.0)));
    EXPECT_EQ(EncodeFloat(type, -0.0), uint64_t{1} << (BitWidth(type) - 1));
    EXPECT_TRUE(std::signbit(RoundToType(type, -1e-320)));
  }
}

TEST(Minifloat, AgreesWithTheCompilersHalf) {
  // _Float16's conversions are the compiler's: an independent evaluation.
  uint64_t state = 1;
  for (int i = 0; i < 200'000; ++i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    const auto exponent = static_cast<int>((state >> 33) % 48) - 30;
    const double x = std::ldexp(static_cast<double>(state >> 11) * 0x1p-53 - 0.5, exponent);
    const auto expected = static_cast<double>(static_cast<_Float16>(x));
    ASSERT_EQ(RoundToType(F16, x), expected) << x;
  }
}

}  // namespace
}  // namespace irate
