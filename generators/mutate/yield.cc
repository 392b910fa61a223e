#include "generators/mutate/yield.h"

#include <algorithm>
#include <numeric>

#include "fmt/format.h"

namespace irate {
namespace {

constexpr uint64_t kScale = 64;   // of Weight
constexpr uint64_t kPrior = 200;  // tries for which the average is assumed

}  // namespace

MutatorYield::MutatorYield(bool learns) : learns_(learns), counts_(Mutators().size()) {}

size_t MutatorYield::Draw(ChoiceSource& choices) const {
  std::vector<int> weights(counts_.size());
  for (size_t i = 0; i < weights.size(); ++i) weights[i] = Weight(i);
  return choices.Weighted(weights);
}

void MutatorYield::Learn(const std::vector<size_t>& mutators, bool interesting) {
  for (const size_t mutator : mutators) {
    ++counts_[mutator].executed;
    if (interesting) ++counts_[mutator].interesting;
  }
  total_tried_ = 0;
  total_interesting_ = 0;
  for (const MutatorCounts& counts : counts_) {
    total_tried_ += counts.tried;
    total_interesting_ += counts.interesting;
  }
}

int MutatorYield::Weight(size_t mutator) const {
  const uint64_t own = static_cast<uint64_t>(Mutators()[mutator]->Weight()) * kScale;
  if (!learns_ || total_interesting_ == 0) return static_cast<int>(own);
  const MutatorCounts& counts = counts_[mutator];
  // Share of this mutator over share of all, with kPrior average tries added:
  //   (interesting + kPrior * average) / (tried + kPrior) / average,
  // both sides times total_tried_.
  const uint64_t numerator = counts.interesting * total_tried_ + kPrior * total_interesting_;
  const uint64_t denominator = (counts.tried + kPrior) * total_interesting_;
  const uint64_t weight = own * numerator / std::max<uint64_t>(1, denominator);
  return static_cast<int>(std::clamp<uint64_t>(weight, own / 8, own * 8));
}

std::string MutatorYield::ToText() const {
  std::vector<size_t> order(counts_.size());
  std::iota(order.begin(), order.end(), 0);
  // By yield, then in the order of the list.
  std::ranges::sort(order, [this](size_t a, size_t b) {
    const uint64_t a_new = counts_[a].interesting;
    const uint64_t b_new = counts_[b].interesting;
    return a_new != b_new ? a_new > b_new : a < b;
  });
  std::string text = fmt::format("{:<28} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>7}\n", "mutator",
                                 "tried", "applied", "valid", "defined", "run", "new", "weight");
  for (const size_t i : order) {
    const MutatorCounts& counts = counts_[i];
    if (counts.tried == 0) continue;
    text += fmt::format("{:<28} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>7.1f}\n",
                        Mutators()[i]->Name(), counts.tried, counts.applied, counts.valid,
                        counts.defined, counts.executed, counts.interesting,
                        static_cast<double>(Weight(i)) / static_cast<double>(kScale));
  }
  return text;
}

}  // namespace irate
