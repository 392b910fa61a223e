// The streams of parameter values: the recipe's known values, its ranges and its errors.
#include <algorithm>
#include <cmath>
#include <set>

#include "tests/ir/interpreter/fixture.h"

namespace irate {
namespace {

std::vector<double> Values(const ArgumentValue& argument) {
  Interpretation holder;
  *holder.add_outputs()->mutable_tensor() = argument.tensor;
  const size_t count =
      argument.tensor.data().size() / static_cast<size_t>(ByteSize(argument.tensor.type()));
  std::vector<double> values;
  for (size_t i = 0; i < count; ++i) values.push_back(Element(holder, 0, i));
  return values;
}

std::vector<ArgumentValue> Make(Program& p) {
  absl::StatusOr<std::vector<ArgumentValue>> arguments = MakeArguments(*p.function(), p.inputs());
  EXPECT_TRUE(arguments.ok()) << arguments.status();
  return arguments.ok() ? *arguments : std::vector<ArgumentValue>();
}

// Made by an independent program in Python from the recipe in ir/inputs.h.
TEST(Inputs, KnownValues) {
  Program p;
  p.Param("A", I32, {8});
  p.Param("B", F32, {2, 4});
  p.Param("C", F64, {4});
  p.inputs().set_seed(42);
  p.Range(2, -3, 5, /*real=*/true);
  const std::vector<ArgumentValue> arguments = Make(p);
  ASSERT_EQ(arguments.size(), 3u);
  EXPECT_EQ(Values(arguments[0]), (std::vector<double>{21, -24, -9, -50, 8, -4, -4, 34}));
  EXPECT_EQ(Values(arguments[1]), (std::vector<double>{-13, 11, 3, -6, -12, -8, 5, 2}));
  EXPECT_EQ(Values(arguments[2]), (std::vector<double>{3.349528655694603, -2.3419897145560924,
                                                       -1.484265667781056, 0.4200412972449339}));
}

TEST(Inputs, EveryTypeStaysInItsDefaultRange) {
  for (ScalarType type :
       {BOOL, I8, I16, I32, I64, U8, U16, U32, U64, F16, BF16, F32, F64, F8E4M3FN, F8E5M2}) {
    Program p;
    p.Param("A", type, {1000});
    const auto [low, high] = DefaultRange(type);
    std::set<double> seen;
    for (double value : Values(Make(p)[0])) {
      EXPECT_GE(value, static_cast<double>(low)) << TypeName(type);
      EXPECT_LE(value, static_cast<double>(high)) << TypeName(type);
      EXPECT_EQ(value, std::trunc(value));
      seen.insert(value);
    }
    EXPECT_TRUE(seen.contains(static_cast<double>(low)));
    EXPECT_TRUE(seen.contains(static_cast<double>(high)));
    EXPECT_EQ(seen.size(), static_cast<size_t>(high - low + 1)) << TypeName(type);
  }
}

TEST(Inputs, RangesAreCutToTheType) {
  Program p;
  p.Param("A", U8, {200});
  p.Range(0, -100, 1000);
  for (double value : Values(Make(p)[0])) {
    EXPECT_GE(value, 0);
    EXPECT_LE(value, 255);
  }
  Program full;
  full.Param("A", I64, {200});
  full.Range(0, INT64_MIN, INT64_MAX);
  const std::vector<double> values = Values(Make(full)[0]);
  EXPECT_LT(*std::min_element(values.begin(), values.end()), -0x1p62);
  EXPECT_GT(*std::max_element(values.begin(), values.end()), 0x1p62);
}

TEST(Inputs, RealsAreNotWhole) {
  Program p;
  p.Param("A", F32, {100});
  p.Range(0, -2, 2, /*real=*/true);
  int whole = 0;
  for (double value : Values(Make(p)[0])) {
    EXPECT_GE(value, -2);
    EXPECT_LE(value, 2);
    EXPECT_EQ(value, static_cast<double>(static_cast<float>(value)));
    whole += value == std::trunc(value) ? 1 : 0;
  }
  EXPECT_LT(whole, 30);
  EXPECT_GT(whole, 0) << "edges are among them";
}

TEST(Inputs, SeedAndParameterDecide) {
  Program p;
  p.Param("A", I32, {50});
  p.Param("B", I32, {50});
  const std::vector<ArgumentValue> first = Make(p);
  EXPECT_NE(first[0].tensor.data(), first[1].tensor.data());
  EXPECT_EQ(first[0].tensor.data(), Make(p)[0].tensor.data());
  p.inputs().set_seed(2);
  EXPECT_NE(first[0].tensor.data(), Make(p)[0].tensor.data());
}

TEST(Inputs, ShapesFromDimensionsAndScalars) {
  Program p;
  const uint32_t n = p.ScalarParam("n", I32);
  const uint32_t m = p.Var("m", I64);
  Expr rows = b::Binary(ADD, p.V(n), C(1));
  const uint32_t a =
      b::AddBuffer(p.function(), "A", I32, {rows, b::Binary(MUL, p.V(m), b::Int(I64, 2))});
  b::AddBufferParam(p.function(), a);
  p.Range(0, 3, 3);
  DimValue* dim = p.inputs().add_dims();
  dim->set_variable(m);
  dim->set_value(5);
  const std::vector<ArgumentValue> arguments = Make(p);
  ASSERT_EQ(arguments.size(), 2u);
  EXPECT_TRUE(arguments[0].is_scalar);
  EXPECT_THAT(arguments[1].tensor.shape(), testing::ElementsAre(4, 10));
}

TEST(Inputs, ErrorsNameTheParameter) {
  const auto error = [](Program& p) {
    return std::string(MakeArguments(*p.function(), p.inputs()).status().message());
  };
  {
    Program p;
    const uint32_t n = p.Var("n");
    b::AddBufferParam(p.function(), b::AddBuffer(p.function(), "A", I32, {p.V(n)}));
    EXPECT_THAT(error(p),
                testing::HasSubstr("parameter 0: buffer A: the dimension n has no value"));
    DimValue* dim = p.inputs().add_dims();
    dim->set_variable(n);
    dim->set_value(-1);
    EXPECT_THAT(error(p), testing::HasSubstr("buffer A: an extent is -1"));
    dim->set_value(int64_t{1} << 39);
    EXPECT_THAT(error(p), testing::HasSubstr("256 MiB"));
    dim->set_value(INT64_MAX);
    EXPECT_THAT(error(p), testing::HasSubstr("2^40"));
  }
  {
    Program p;
    p.Param("A", I32, {1});
    p.Range(0, 5, 4);
    EXPECT_THAT(error(p), testing::HasSubstr("parameter 0 (A): the range [5, 4] is empty"));
  }
  {
    Program p;
    p.Param("A", U8, {1});
    p.Range(0, -5, -4);
    EXPECT_THAT(error(p), testing::HasSubstr("no value of type u8"));
  }
}

}  // namespace
}  // namespace irate
