#include "triage/delta_debugging.h"

#include <algorithm>
#include <random>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace irate {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

bool Never() { return false; }

// Keeps what holds all of `needed`.
FirstKeptSet Needs(const KeptSet& needed, int* asked = nullptr) {
  return [needed,
          asked](std::span<const KeptSet> candidates) -> absl::StatusOr<std::optional<size_t>> {
    for (size_t i = 0; i < candidates.size(); ++i) {
      if (asked != nullptr) ++*asked;
      if (std::ranges::includes(candidates[i], needed)) return std::optional<size_t>(i);
    }
    return std::optional<size_t>();
  };
}

TEST(MinimiseSetTest, LeavesWhatIsNeeded) {
  EXPECT_THAT(*MinimiseSet(100, 1, Needs({3, 50, 99}), Never), ElementsAre(3, 50, 99));
  EXPECT_THAT(*MinimiseSet(100, 1, Needs({}), Never), IsEmpty());
  EXPECT_THAT(*MinimiseSet(1, 1, Needs({0}), Never), ElementsAre(0));
  EXPECT_THAT(*MinimiseSet(0, 1, Needs({}), Never), IsEmpty());
}

TEST(MinimiseSetTest, AsksFarLessThanOncePerElementWhereLittleIsNeeded) {
  int asked = 0;
  ASSERT_TRUE(MinimiseSet(1'000, 1, Needs({500}, &asked), Never).ok());
  EXPECT_LT(asked, 60);
}

TEST(MinimiseSetTest, TheResultDoesNotDependOnTheWidth) {
  // A predicate with several minimal sets.
  const auto keeps = [](const KeptSet& set) {
    const auto has = [&](int x) { return std::ranges::binary_search(set, x); };
    return (has(2) && has(17)) || (has(5) && has(30) && has(31));
  };
  const FirstKeptSet first =
      [&](std::span<const KeptSet> candidates) -> absl::StatusOr<std::optional<size_t>> {
    for (size_t i = 0; i < candidates.size(); ++i) {
      if (keeps(candidates[i])) return std::optional<size_t>(i);
    }
    return std::optional<size_t>();
  };
  const KeptSet one = *MinimiseSet(40, 1, first, Never);
  for (size_t width = 2; width < 9; ++width) EXPECT_EQ(*MinimiseSet(40, width, first, Never), one);
}

TEST(MinimiseSetTest, AnswersAtRandomEnd) {
  for (uint32_t seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    const FirstKeptSet first =
        [&](std::span<const KeptSet> candidates) -> absl::StatusOr<std::optional<size_t>> {
      const size_t pick = random() % (3 * candidates.size());
      return pick < candidates.size() ? std::optional<size_t>(pick) : std::nullopt;
    };
    EXPECT_TRUE(MinimiseSet(30, 2, first, Never).ok());
  }
}

TEST(MinimiseSetTest, EndsWithinTheBudgetAndReturnsErrors) {
  int asked = 0;
  EXPECT_EQ(MinimiseSet(8, 1, Needs({}), [&] { return ++asked > 0; })->size(), 8U);
  const FirstKeptSet fails = [](std::span<const KeptSet>) -> absl::StatusOr<std::optional<size_t>> {
    return absl::UnavailableError("no worker");
  };
  EXPECT_TRUE(absl::IsUnavailable(MinimiseSet(8, 1, fails, Never).status()));
}

}  // namespace
}  // namespace irate
