// Bounds are of use: that of a 64-term f32 dot product is within 20 times of how far results in
// different orders of summation are apart, and covers all of them.
#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "gtest/gtest.h"
#include "ir/interpreter/float_ops.h"

namespace irate::interp {
namespace {

constexpr size_t kTerms = 64;
constexpr int kTrials = 101;
constexpr int kOrders = 2'000;

struct Result {
  double bound_over_spread = 0;
  bool covered = true;
};

float SumInOrder(const std::vector<float>& terms, const std::vector<size_t>& order) {
  float sum = 0;
  for (size_t i : order) sum += terms[i];
  return sum;
}

// Neighbours first, then their sums, and so on.
float SumPairwise(const std::vector<float>& terms, const std::vector<size_t>& order) {
  std::vector<float> level;
  for (size_t i : order) level.push_back(terms[i]);
  while (level.size() > 1) {
    for (size_t i = 0; 2 * i + 1 < level.size(); ++i) level[i] = level[2 * i] + level[2 * i + 1];
    level.resize(level.size() / 2);
  }
  return level[0];
}

Result Trial(double low, double high, std::mt19937_64& random) {
  const FloatFacts& facts = FloatFactsOf(F32);
  std::uniform_real_distribution<double> uniform(low, high);
  std::vector<float> terms;
  Cell sum;
  SetFloatLeaf(0, 0, &sum);
  for (size_t i = 0; i < kTerms; ++i) {
    Cell a;
    Cell b;
    SetFloatLeaf(static_cast<float>(uniform(random)), 0, &a);
    SetFloatLeaf(static_cast<float>(uniform(random)), 0, &b);
    Cell product;
    MulFloat(facts, a, b, &product);
    AddFloat(facts, sum, product, &sum);
    terms.push_back(static_cast<float>(a.f) * static_cast<float>(b.f));
  }
  std::vector<size_t> order(kTerms);
  std::iota(order.begin(), order.end(), 0);
  std::vector<float> sums = {SumInOrder(terms, order), SumPairwise(terms, order)};
  const auto sorted_by = [&](auto key) {
    std::vector<size_t> sorted = order;
    std::sort(sorted.begin(), sorted.end(),
              [&](size_t x, size_t y) { return key(terms[x]) < key(terms[y]); });
    return sorted;
  };
  for (const std::vector<size_t>& sorted :
       {sorted_by([](float x) { return x; }), sorted_by([](float x) { return -x; }),
        sorted_by([](float x) { return std::fabs(x); }),
        sorted_by([](float x) { return -std::fabs(x); })}) {
    sums.push_back(SumInOrder(terms, sorted));
    sums.push_back(SumPairwise(terms, sorted));
  }
  for (int k = 0; k < kOrders; ++k) {
    std::shuffle(order.begin(), order.end(), random);
    sums.push_back(SumInOrder(terms, order));
    sums.push_back(SumPairwise(terms, order));
  }
  const auto [least, most] = std::minmax_element(sums.begin(), sums.end());
  Result result;
  const double bound = Bound(sum);
  result.bound_over_spread = bound / (static_cast<double>(*most) - static_cast<double>(*least));
  for (float other : sums) result.covered &= std::fabs(other - sum.f) <= 2 * bound;
  return result;
}

void CheckRange(double low, double high) {
  std::mt19937_64 random(5);
  std::vector<double> ratios;
  for (int k = 0; k < kTrials; ++k) {
    const Result result = Trial(low, high, random);
    EXPECT_TRUE(result.covered);
    ratios.push_back(result.bound_over_spread);
  }
  std::nth_element(ratios.begin(), ratios.begin() + kTrials / 2, ratios.end());
  const double median = ratios[kTrials / 2];
  testing::Test::RecordProperty("bound_over_spread", std::to_string(median));
  EXPECT_LE(median, 20);
  EXPECT_GE(median, 1);
}

TEST(DotProduct, OfBothSigns) { CheckRange(-1, 1); }
TEST(DotProduct, OfOneSign) { CheckRange(0, 1); }

}  // namespace
}  // namespace irate::interp
