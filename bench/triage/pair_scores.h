// How well a grouping agrees with the truth, over all pairs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace irate {

// One thing that was grouped: what it is, and the group it was put into.
struct Grouped {
  std::string truth;
  std::string group;
};

// Of all pairs of things: those of one truth that are in one group (`both`), those of one truth,
// those in one group.
struct PairScores {
  uint64_t both = 0;
  uint64_t same_truth = 0;
  uint64_t same_group = 0;
  // 1 where there is no such pair: nothing was done wrong.
  double Precision() const;
  double Recall() const;
};

PairScores ScorePairs(const std::vector<Grouped>& things);

}  // namespace irate
