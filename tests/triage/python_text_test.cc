#include "triage/python_text.h"

#include <cstring>
#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "ir/builder.h"

namespace irate {
namespace {

using ::testing::HasSubstr;

template <typename T>
Tensor Make(ScalarType type, const std::vector<T>& values, const std::vector<int64_t>& shape) {
  Tensor tensor;
  tensor.set_type(type);
  for (const int64_t extent : shape) tensor.add_shape(extent);
  tensor.set_data(
      std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)));
  return tensor;
}

TEST(NumpyArrayTest, WritesShortArraysAsLiterals) {
  EXPECT_EQ(*NumpyArray(Make<int32_t>(I32, {1, -2}, {2})), "np.array([1, -2], \"int32\")");
  EXPECT_EQ(*NumpyArray(Make<uint8_t>(BOOL, {0, 1}, {2, 1})),
            "np.array([False, True], \"bool\").reshape((2, 1))");
  EXPECT_EQ(*NumpyArray(Make<uint64_t>(U64, {UINT64_MAX}, {})),
            "np.array([18446744073709551615], \"uint64\").reshape(())");
  EXPECT_EQ(*NumpyArray(Make<int32_t>(I32, {}, {0})), "np.array([], \"int32\")");
}

TEST(NumpyArrayTest, WritesFloatsSoThatTheyReadBack) {
  EXPECT_EQ(*NumpyArray(Make<float>(F32, {3.0f, -0.5f, 0.1f}, {3})),
            "np.array([3.0, -0.5, 0.100000001], \"float32\")");
  EXPECT_EQ(*NumpyArray(Make<double>(F64, {std::numeric_limits<double>::infinity()}, {1})),
            "np.array([float('inf')], \"float64\")");
}

TEST(NumpyArrayTest, CompressesLongArraysAndTypesWithoutLiterals) {
  EXPECT_THAT(*NumpyArray(Make(I32, std::vector<int32_t>(65, 7), {65})),
              HasSubstr("np.frombuffer(zlib.decompress(base64.b64decode("));
  EXPECT_THAT(*NumpyArray(Make<uint16_t>(BF16, {0x3f80}, {1})), HasSubstr("ml_dtypes.bfloat16"));
}

TEST(NumpyArrayTest, RefusesVectors) {
  Tensor tensor = Make<int32_t>(I32, {1, 2}, {1});
  tensor.set_lanes(2);
  EXPECT_TRUE(absl::IsUnimplemented(NumpyArray(tensor).status()));
}

TEST(PythonLiteralTest, WritesConstantsAndText) {
  EXPECT_EQ(*PythonLiteral(build::I32Const(-3)), "-3");
  EXPECT_EQ(*PythonLiteral(build::BoolConst(true)), "True");
  EXPECT_EQ(*PythonLiteral(build::String("shared.\"x\"")), "\"shared.\\\"x\\\"\"");
}

TEST(NumpyMaskTest, OnlyJudgedElementsAreTrue) {
  const std::vector<int64_t> shape = {3};
  EXPECT_EQ(NumpyMask(std::string("\1\0\2", 3), shape), "np.array([1, 0, 0], \"bool\")");
}

}  // namespace
}  // namespace irate
