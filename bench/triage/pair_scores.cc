#include "bench/triage/pair_scores.h"

#include <map>
#include <utility>

namespace irate {
namespace {

uint64_t Pairs(uint64_t count) { return count * (count - 1) / 2; }

template <typename Map>
uint64_t PairsWithin(const Map& counts) {
  uint64_t pairs = 0;
  for (const auto& [key, count] : counts) pairs += Pairs(count);
  return pairs;
}

double Share(uint64_t part, uint64_t whole) {
  return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

double PairScores::Precision() const { return Share(both, same_group); }
double PairScores::Recall() const { return Share(both, same_truth); }

PairScores ScorePairs(const std::vector<Grouped>& things) {
  std::map<std::string, uint64_t> truths;
  std::map<std::string, uint64_t> groups;
  std::map<std::pair<std::string, std::string>, uint64_t> cells;
  for (const Grouped& thing : things) {
    ++truths[thing.truth];
    ++groups[thing.group];
    ++cells[{thing.truth, thing.group}];
  }
  return {.both = PairsWithin(cells),
          .same_truth = PairsWithin(truths),
          .same_group = PairsWithin(groups)};
}

}  // namespace irate
