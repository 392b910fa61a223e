#include "triage/delta_debugging.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace irate {
namespace {

KeptSet Without(const KeptSet& set, size_t begin, size_t size) {
  KeptSet rest(set.begin(), set.begin() + static_cast<ptrdiff_t>(begin));
  rest.insert(rest.end(), set.begin() + static_cast<ptrdiff_t>(std::min(begin + size, set.size())),
              set.end());
  return rest;
}

}  // namespace

absl::StatusOr<KeptSet> MinimiseSet(int count, size_t width, const FirstKeptSet& first_kept,
                                    const std::function<bool()>& out_of_budget) {
  KeptSet kept(static_cast<size_t>(count));
  std::iota(kept.begin(), kept.end(), 0);
  size_t chunk = kept.size();
  while (chunk > 0 && !kept.empty()) {
    bool progress = false;
    // From the end: what comes last depends on what comes first, seldom the other way round.
    size_t end = kept.size();
    while (end > 0 && !out_of_budget()) {
      std::vector<KeptSet> candidates;
      std::vector<size_t> begins;
      for (size_t e = end; e > 0 && candidates.size() < width;) {
        const size_t begin = e > chunk ? e - chunk : 0;
        candidates.push_back(Without(kept, begin, e - begin));
        begins.push_back(begin);
        e = begin;
      }
      const absl::StatusOr<std::optional<size_t>> first = first_kept(candidates);
      if (!first.ok()) return first.status();
      if (first->has_value()) {
        kept = std::move(candidates[**first]);
        end = begins[**first];
        progress = true;
      } else {
        end = begins.back();
      }
    }
    if (out_of_budget()) break;
    if (chunk == 1 && !progress) break;
    chunk = chunk == 1 ? 1 : (chunk + 1) / 2;
  }
  return kept;
}

}  // namespace irate
