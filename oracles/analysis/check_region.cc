#include <algorithm>
#include <set>

#include "fmt/format.h"
#include "oracles/analysis/check_context.h"

namespace irate::analysis {
namespace {

// Elements that are listed one by one at most.
constexpr int64_t kMaxElements = 20'000;

// All tuples of [low[d], high[d]], in order, to `visit`, until it returns false.
template <typename Visit>
bool ForEachTuple(const std::vector<int64_t>& low, const std::vector<int64_t>& high,
                  const Visit& visit) {
  for (size_t d = 0; d < low.size(); ++d) {
    if (low[d] > high[d]) return true;
  }
  std::vector<int64_t> tuple = low;
  while (true) {
    if (!visit(tuple)) return false;
    size_t d = tuple.size();
    while (d > 0 && tuple[d - 1] == high[d - 1]) {
      tuple[d - 1] = low[d - 1];
      --d;
    }
    if (d == 0) return true;
    ++tuple[d - 1];
  }
}

int64_t Volume(const std::vector<int64_t>& low, const std::vector<int64_t>& high) {
  int64_t volume = 1;
  for (size_t d = 0; d < low.size(); ++d) {
    int64_t extent = 0;
    if (__builtin_sub_overflow(high[d], low[d], &extent) || extent >= kMaxElements) {
      return kMaxElements + 1;
    }
    volume = std::min(kMaxElements + 1, volume * std::max<int64_t>(0, extent + 1));
  }
  return volume;
}

}  // namespace

// The region is the union over all points where the predicate holds of [min, min + extent) in each
// dimension. The upper bound must hold at each point as it is there (it may name an iterator of one
// value); elements beyond it are looked for only where the bounds are the same at all points.
std::optional<Mismatch> AskCheck::CheckRegion() {
  if (!points_.exhaustive || answered_.size() != asked_.size()) return std::nullopt;
  // Points that are not judged may touch anything.
  for (size_t i = 0; i < judged_.size(); ++i) {
    for (const Column& column : asked_) {
      if (column.states[i] != kOk) return std::nullopt;
    }
  }
  const size_t dimensions = asked_.size() / 2;
  bool is_constant = true;
  for (const Column& column : answered_) {
    for (size_t i = 0; i < judged_.size(); ++i) {
      if (!Usable(column, i)) return std::nullopt;
      is_constant &= column.values[i] == column.values[0];
    }
  }
  std::vector<int64_t> low(dimensions);
  std::vector<int64_t> high(dimensions);
  for (size_t d = 0; d < dimensions; ++d) {
    low[d] = answered_[2 * d].values[0];
    high[d] = answered_[2 * d + 1].values[0];
  }
  const bool is_lower = ask_.function() != REGION_UPPER_BOUND && is_constant;
  const bool is_upper = ask_.function() != REGION_LOWER_BOUND;
  std::set<std::vector<int64_t>> touched;
  for (size_t i = 0; i < judged_.size(); ++i) {
    if (judged_[i] == 0) continue;
    std::vector<int64_t> first(dimensions);
    std::vector<int64_t> last(dimensions);
    bool is_empty = false;
    for (size_t d = 0; d < dimensions; ++d) {
      first[d] = asked_[2 * d].values[i];
      last[d] = first[d] + asked_[2 * d + 1].values[i] - 1;
      is_empty |= last[d] < first[d];
    }
    if (is_empty) continue;
    for (size_t d = 0; d < dimensions && is_upper; ++d) {
      const int64_t least = answered_[2 * d].values[i];
      const int64_t greatest = answered_[2 * d + 1].values[i];
      if (first[d] >= least && last[d] <= greatest) continue;
      return At(i, "uncovered",
                fmt::format("dimension {} covers [{}, {}], not in [{}, {}]", d, first[d], last[d],
                            least, greatest));
    }
    if (!is_lower) continue;
    if (Volume(first, last) > kMaxElements || touched.size() > static_cast<size_t>(kMaxElements)) {
      return std::nullopt;
    }
    ForEachTuple(first, last, [&](const std::vector<int64_t>& tuple) {
      touched.insert(tuple);
      return true;
    });
  }
  if (!is_lower || Volume(low, high) > kMaxElements) return std::nullopt;
  std::optional<Mismatch> mismatch;
  ForEachTuple(low, high, [&](const std::vector<int64_t>& tuple) {
    if (touched.contains(tuple)) return true;
    mismatch.emplace();
    mismatch->kind = "beyond";
    mismatch->detail =
        fmt::format("the element ({}) is in the bound and in no region", fmt::join(tuple, ", "));
    return false;
  });
  return mismatch;
}

}  // namespace irate::analysis
