#include "ir/compare.h"

#include <cmath>
#include <limits>

#include "tests/ir/interpreter/fixture.h"

namespace irate {
namespace {

Interpretation Floats(std::vector<float> values, std::vector<double> bounds = {},
                      std::string judged = "") {
  Interpretation result;
  result.set_status(Interpretation::DEFINED);
  InterpretedTensor* output = result.add_outputs();
  output->mutable_tensor()->set_type(F32);
  output->mutable_tensor()->add_shape(static_cast<int64_t>(values.size()));
  output->mutable_tensor()->set_data(values.data(), values.size() * sizeof(float));
  output->set_bounds(bounds.data(), bounds.size() * sizeof(double));
  output->set_judged(std::move(judged));
  return result;
}

TEST(Compare, EqualResults) {
  EXPECT_FALSE(Compare(Floats({1, 2}), Floats({1, 2})));
  EXPECT_FALSE(Compare(Floats({0.0F}), Floats({-0.0F})));
  const float nan = std::nanf("");
  EXPECT_FALSE(Compare(Floats({nan}), Floats({-nan})));
}

TEST(Compare, ExactValuesDifferByABit) {
  const auto difference = Compare(Floats({1, 2, 3}), Floats({1, std::nextafterf(2, 3), 4}));
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->output, 0);
  EXPECT_THAT(difference->index, testing::ElementsAre(1));
  EXPECT_EQ(difference->expected, "2");
  EXPECT_EQ(difference->actual, "2.0000002");
  EXPECT_EQ(difference->differing, 2);
  EXPECT_EQ(difference->judged, 3);
  EXPECT_EQ(difference->ToString(),
            "output 0[1]: expected 2, got 2.0000002; 2 of 3 judged elements differ");
}

TEST(Compare, BoundsAdd) {
  EXPECT_FALSE(Compare(Floats({1}, {0.25}), Floats({1.75F}, {0.5})));
  EXPECT_TRUE(Compare(Floats({1}, {0.25}), Floats({1.7500001F}, {0.5})));
  EXPECT_TRUE(Compare(Floats({1}, {0.25}), Floats({1.75F})));
}

TEST(Compare, AMachineHasTheBoundOfTheExpected) {
  const Interpretation expected = Floats({1, 1}, {0.25, 0});
  Tensor actual = Floats({1.5F, 1}).outputs(0).tensor();
  EXPECT_FALSE(Compare(expected, std::vector<Tensor>{actual}));
  actual = Floats({1.5000001F, 1}).outputs(0).tensor();
  const auto difference = Compare(expected, std::vector<Tensor>{actual});
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->tolerance, 0.5);
  EXPECT_THAT(difference->ToString(), testing::HasSubstr("expected 1 +- 0.5, got 1.5000001"));
}

TEST(Compare, InfinityIsFurtherThanAnyBound) {
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_FALSE(Compare(Floats({inf}), Floats({inf})));
  EXPECT_TRUE(Compare(Floats({inf}), Floats({-inf})));
  EXPECT_TRUE(Compare(Floats({1}, {1e300}), Floats({inf})));
  EXPECT_TRUE(Compare(Floats({std::nanf("")}, {1e300}), Floats({1})));
}

TEST(Compare, WhatIsNotJudgedIsSkipped) {
  const std::string all{kJudged, kNotJudged, kJudgedAsResult};
  // As the expected side only kJudged counts, as the actual side kJudgedAsResult too.
  const auto as_expected = Compare(Floats({1, 2, 3}, {}, all), Floats({5, 6, 7}));
  ASSERT_TRUE(as_expected);
  EXPECT_EQ(as_expected->judged, 1);
  const auto as_actual = Compare(Floats({1, 2, 3}), Floats({1, 6, 7}, {}, all));
  ASSERT_TRUE(as_actual);
  EXPECT_EQ(as_actual->judged, 2);
  EXPECT_EQ(as_actual->differing, 1);
  EXPECT_THAT(as_actual->index, testing::ElementsAre(2));
  EXPECT_NEAR(InconclusiveShare(Floats({1, 2, 3}, {}, all)), 2.0 / 3, 1e-12);
  EXPECT_EQ(InconclusiveShare(Floats({1, 2, 3})), 0);
}

TEST(Compare, OtherFormsAreADifferenceOfTheirOwn) {
  const auto shape = Compare(Floats({1, 2}), Floats({1, 2, 3}));
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->judged, 0);
  EXPECT_EQ(shape->ToString(), "output 0: expected f32x1[2], got f32x1[3]");
  Interpretation undefined;
  undefined.set_status(Interpretation::UNDEFINED);
  const auto status = Compare(Floats({1}), undefined);
  ASSERT_TRUE(status);
  EXPECT_EQ(status->ToString(), "output 0: expected DEFINED, got UNDEFINED");
  EXPECT_TRUE(Compare(Floats({1}), std::vector<Tensor>()));
}

TEST(Compare, IndicesOfVectorsAndMatrices) {
  Interpretation a;
  a.set_status(Interpretation::DEFINED);
  Tensor* tensor = a.add_outputs()->mutable_tensor();
  tensor->set_type(I8);
  tensor->set_lanes(4);
  tensor->add_shape(2);
  tensor->add_shape(3);
  tensor->set_data(std::string(24, '\x05'));
  Interpretation other = a;
  (*other.mutable_outputs(0)->mutable_tensor()->mutable_data())[4 * 4 + 2] = '\xFF';
  const auto difference = Compare(a, other);
  ASSERT_TRUE(difference);
  EXPECT_THAT(difference->index, testing::ElementsAre(1, 1, 2));
  EXPECT_EQ(difference->actual, "-1");
}

}  // namespace
}  // namespace irate
